/** Where a file of clients is dropped or chosen, and what becomes of it until it is judged. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { CLIENTS_TEMPLATE_PATH } from '@portal/contract/client-imports.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { UploadState } from './use-clients-upload.ts';

type ChooseFileProps = {
  readonly state: UploadState;
  readonly upload: (file: File) => void;
  readonly cancel: () => void;
  /** Another file is on the page already. */
  readonly isAnother: boolean;
};

export function ChooseFile({ state, upload, cancel, isAnother }: ChooseFileProps) {
  if (state.status === 'sending' || state.status === 'checking') return <UnderWay state={state} cancel={cancel} />;
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
        invitation="Drop your list of clients here"
        upload={upload}
        isAnother={isAnother || state.status === 'refused'}
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

function UnderWay({ state, cancel }: { state: Extract<UploadState, { status: 'sending' | 'checking' }>; cancel: () => void }) {
  const percent = state.status === 'sending' ? Math.floor(state.part * 100) : undefined;
  return (
    <Box role="status" sx={{ p: { xs: 2, sm: 4 }, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Typography sx={{ mb: 1.5, fontWeight: 500, overflowWrap: 'anywhere' }}>
        {percent === undefined ? `Checking every row of ${state.fileName}` : `Sending ${state.fileName}: ${percent}%`}
      </Typography>
      <LinearProgress
        aria-label={percent === undefined ? 'Checking the file' : 'Sending the file'}
        {...(percent === undefined ? {} : { variant: 'determinate' as const, value: percent })}
      />
      <Button size="small" variant="text" sx={{ mt: 1.5 }} onClick={cancel}>
        Stop
      </Button>
    </Box>
  );
}
