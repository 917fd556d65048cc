/** Lets the user choose files, including from a phone's camera, and shows the progress of each. */
import { FILE_TYPES } from '@portal/domain/client-files/client-file.ts';
import { useRef } from 'react';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './client-files.module.css';
import { useFileQueue, type FileTarget, type QueuedFile } from './use-file-queue.ts';

const ACCEPT = Object.values(FILE_TYPES)
  .flatMap(({ mediaType, ending }) => [mediaType, `.${ending}`])
  .join(',');

type FilePickerProps = FileTarget & {
  /** Describes the files, for pages with several pickers. */
  what?: string;
  isSecondary?: boolean;
  onSent: () => Promise<unknown> | void;
};

export function FilePicker({ path, query, what, isSecondary = false, onSent }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const queue = useFileQueue({ path, query }, onSent);
  return (
    <Stack gap={12} align="start">
      <Button
        variant={isSecondary ? 'outlined' : 'filled'}
        size={isSecondary ? 'small' : undefined}
        aria-label={what === undefined ? undefined : clientText('files.choose_for', { what })}
        onClick={() => input.current?.click()}
      >
        <Icon name="upload" size={20} />
        {clientText('files.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPT}
        aria-label={what === undefined ? clientText('files.choose') : clientText('files.choose_for', { what })}
        onChange={({ target }) => {
          const chosenFiles = [...(target.files ?? [])];
          // Lets the user choose the same file again.
          target.value = '';
          queue.add(chosenFiles);
        }}
      />
      {queue.files.length > 0 && (
        <Stack as="ul" gap={8} className={styles.queue} aria-live="polite">
          {queue.files.map((file) => (
            <li key={file.id}>
              <Progression file={file} retry={() => queue.retry(file.id)} dismiss={() => queue.dismiss(file.id)} />
            </li>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

function Progression({
  file: { file, state, percent, reason, mayRetry },
  retry,
  dismiss,
}: {
  file: QueuedFile;
  retry: () => void;
  dismiss: () => void;
}) {
  const { name } = file;
  switch (state) {
    case 'sent':
      return (
        <Row gap={8} wrap={false} align="start">
          <Icon name="checkCircle" tone="success" size={20} />
          <Text className={styles.name}>{clientText('files.sent', { name })}</Text>
        </Row>
      );
    case 'quarantined':
      return (
        <Row gap={8} wrap={false} align="start">
          <Icon name="clock" tone="info" size={20} />
          <Text className={styles.name}>{clientText('files.quarantined', { name })}</Text>
        </Row>
      );
    case 'failed':
      return (
        <Stack gap={4}>
          <Row gap={8} wrap={false} align="start">
            <Icon name="errorCircle" tone="error" size={20} />
            <div className={styles.name}>
              <Text weight="medium">{clientText('files.failed', { name })}</Text>
              <Text>{reason}</Text>
            </div>
          </Row>
          <Row gap={8}>
            {mayRetry === true && (
              <Button size="small" variant="outlined" onClick={retry}>
                {clientText('files.retry')}
              </Button>
            )}
            <Button size="small" variant="text" onClick={dismiss}>
              {clientText('files.dismiss')}
            </Button>
          </Row>
        </Stack>
      );
    default: {
      const label = state === 'scanning' ? clientText('files.scanning', { name }) : clientText('files.uploading', { name, percent });
      return (
        <Stack gap={4}>
          <Text className={styles.name}>{label}</Text>
          <Progress label={label} percent={state === 'scanning' ? undefined : percent} />
        </Stack>
      );
    }
  }
}
