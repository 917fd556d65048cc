import Box from '@mui/material/Box';
import { useOnline } from '../lib/online.ts';
import { Icon } from '../ui/icons.tsx';

/** A note while the browser has no network: what is shown may be old, and nothing can be sent. */
export function OfflineNote() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <Box
          sx={{
            display: 'flex',
            gap: 1,
            justifyContent: 'center',
            alignItems: 'center',
            bgcolor: 'warning.soft',
            color: 'warning.tone',
            px: 2,
            py: 1,
            fontWeight: 500,
          }}
        >
          <Icon name="offline" sx={{ fontSize: 20 }} />
          You are offline. What you see may be out of date, and nothing you do now is sent.
        </Box>
      )}
    </div>
  );
}
