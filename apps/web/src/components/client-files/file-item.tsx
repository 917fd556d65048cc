/** One file in a list: its name, who sent it and when, and a download once it has been scanned. */
import type { WorkFile } from '@portal/contract/client-files.ts';
import { FILE_TYPES } from '@portal/domain/client-files/client-file.ts';
import type { ReactNode } from 'react';
import { DownloadButton } from '../documents/download-button.tsx';
import { clientInstant, clientText } from '../../lib/client-texts/client-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './client-files.module.css';

type FileItemProps = {
  file: WorkFile;
  path: `/${string}`;
  query: Readonly<Record<string, string>>;
  /** For example the folder. */
  details?: ReactNode;
  actions?: ReactNode;
};

export function FileItem({ file, path, query, details, actions }: FileItemProps) {
  const { name, state, file_id: fileId, type, size_bytes: size, uploaded_by: uploader, uploaded_at: at } = file;
  return (
    <div className={styles.file}>
      <Row gap={12} wrap={false} align="start" className={styles.facts}>
        <Icon name="file" tone="primary" />
        <div className={styles.name}>
          <Text weight="medium">{name}</Text>
          <Text size="small" tone="quiet">
            {FILE_TYPES[type].label}, {formatSize(size)}
            {details !== undefined && <>, {details}</>}
          </Text>
          <Text size="small" tone="quiet">
            {clientText('files.by', { person: uploader, at: clientInstant(at) })}
          </Text>
        </div>
      </Row>
      <Row gap={8}>
        {state === 'clean' && (
          <DownloadButton
            path={path}
            query={{ ...query, file_id: fileId }}
            label={clientText('files.open')}
            name={clientText('files.open_name', { name })}
          />
        )}
        {state === 'quarantined' && <StateChip label={clientText('files.state.quarantined')} icon="clock" tone="info" />}
        {state === 'infected' && <StateChip label={clientText('files.state.infected')} icon="errorCircle" tone="error" />}
        {actions}
      </Row>
    </div>
  );
}

function formatSize(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  if (megabytes >= 1) return clientText('files.size_mb', { size: Math.round(megabytes * 10) / 10 });
  return clientText('files.size', { size: Math.max(1, Math.round(bytes / 1024)) });
}
