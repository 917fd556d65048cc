import Box from '@mui/material/Box';
import { describeError } from '../../lib/error-text.ts';
import { Notice } from '../../ui/notice.tsx';

/** Why an action failed, shown next to its button. */
export function ActionError({ error, text }: { error: unknown; text?: string }) {
  if (error === null || error === undefined) return null;
  return (
    <Box sx={{ my: 2 }}>
      <Notice tone="error" title="This was not done" role="alert">
        {text ?? describeError(error).text}
      </Notice>
    </Box>
  );
}
