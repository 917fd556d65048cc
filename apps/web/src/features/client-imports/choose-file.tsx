/** Uploads a file of clients, by drop or file picker, and shows the progress until the file has been validated. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { CLIENTS_TEMPLATE_PATH } from '@portal/contract/client-imports.ts';
import type { FileUpload } from '../../lib/use-file-upload.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Notice } from '../../ui/notice.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';

type ChooseFileProps = {
  readonly state: FileUpload<unknown>;
  readonly upload: (file: File) => void;
  readonly cancel: () => void;
  /** Whether the page already shows an import. */
  readonly isAnother: boolean;
};

export function ChooseFile({ state, upload, cancel, isAnother }: ChooseFileProps) {
  if (state.status === 'sending' || state.status === 'checking') return <UploadProgress state={state} cancel={cancel} />;
  return (
    <>
      {state.status === 'refused' && (
        <Box sx={{ mb: 3 }}>
          <Notice tone="error" title={`We did not take ${state.fileName}`} role="alert">
            {state.reason}
          </Notice>
        </Box>
      )}
      <DropZone
        label="File of clients"
        promptText="Drop your list of clients here"
        upload={upload}
        hasFile={isAnother || state.status === 'refused'}
      />
      <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
        CSV or XLSX, at most 20 MB and 20,000 rows. Only the name is needed; columns may stand in any order.{' '}
        <Link href={`${PORTAL_BASE}${CLIENTS_TEMPLATE_PATH}`} download>
          Download the template
        </Link>
      </Typography>
    </>
  );
}
