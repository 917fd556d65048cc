/** Uploads a client file by drag and drop or file picker, and shows progress until the file has been validated. */
import { CLIENTS_TEMPLATE_PATH } from '@portal/contract/client-imports.ts';
import type { FileUpload } from '../../lib/use-file-upload.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';

type ChooseFileProps = {
  readonly state: FileUpload<unknown>;
  readonly upload: (file: File) => void;
  readonly cancel: () => void;
  /** Whether the page already shows an import. */
  readonly isAnotherFile: boolean;
};

export function ChooseFile({ state, upload, cancel, isAnotherFile }: ChooseFileProps) {
  if (state.status === 'sending' || state.status === 'checking') return <UploadProgress state={state} cancel={cancel} />;
  return (
    <Stack>
      {state.status === 'refused' && (
        <Notice tone="error" title={`We couldn’t read ${state.fileName}`} role="alert">
          {state.reason}
        </Notice>
      )}
      <DropZone
        label="Client list file"
        promptText="Drop your client list here"
        upload={upload}
        hasFile={isAnotherFile || state.status === 'refused'}
      />
      <Text size="small" tone="quiet">
        CSV or XLSX, up to 20 MB and 20,000 rows. Only the name is required. Columns can be in any order.{' '}
        <TextLink href={`${PORTAL_BASE}${CLIENTS_TEMPLATE_PATH}`} download>
          Download template
        </TextLink>
      </Text>
    </Stack>
  );
}
