/** Progress while a file is uploaded and then checked. The upload can be cancelled. */
import type { UploadInProgress } from '../lib/use-file-upload.ts';
import { Button } from './button.tsx';
import { Progress } from './progress-bar.tsx';
import { Text } from './text.tsx';
import styles from './upload-progress.module.css';

export function UploadProgress({ state, cancel }: { state: UploadInProgress; cancel: (() => void) | undefined }) {
  const percent = state.status === 'sending' ? Math.floor(state.fraction * 100) : undefined;
  return (
    <div role="status" className={styles.upload}>
      <Text weight="medium" className={styles.fileName}>
        {percent === undefined ? `Checking every row of ${state.fileName}` : `Uploading ${state.fileName}: ${percent}%`}
      </Text>
      <Progress label={percent === undefined ? 'Checking the file' : 'Uploading the file'} percent={percent} />
      {cancel && (
        <Button size="small" variant="text" onClick={cancel}>
          Cancel
        </Button>
      )}
    </div>
  );
}
