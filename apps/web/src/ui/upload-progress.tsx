/** Progress while a file is uploaded and then checked. The upload can be cancelled. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { UploadInProgress } from '../lib/use-file-upload.ts';

export function UploadProgress({ state, cancel }: { state: UploadInProgress; cancel: (() => void) | undefined }) {
  const percent = state.status === 'sending' ? Math.floor(state.fraction * 100) : undefined;
  return (
    <Box role="status" sx={{ p: { xs: 2, sm: 4 }, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Typography sx={{ mb: 1.5, fontWeight: 500, overflowWrap: 'anywhere' }}>
        {percent === undefined ? `Checking every row of ${state.fileName}` : `Sending ${state.fileName}: ${percent}%`}
      </Typography>
      <LinearProgress
        aria-label={percent === undefined ? 'Checking the file' : 'Sending the file'}
        {...(percent === undefined ? {} : { variant: 'determinate' as const, value: percent })}
      />
      {cancel && (
        <Button size="small" variant="text" sx={{ mt: 1.5 }} onClick={cancel}>
          Stop
        </Button>
      )}
    </Box>
  );
}
