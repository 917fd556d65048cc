import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { sandboxUrl } from '../lib/settings.ts';

/** Says so while any provider is a double: nobody may take play money for real. */
export function SandboxBanner() {
  const url = sandboxUrl();
  if (url === '') return null;
  return (
    <Box
      component="aside"
      aria-label="Sandbox"
      sx={{
        bgcolor: 'info.soft',
        color: 'text.primary',
        px: 2,
        py: 0.75,
        fontSize: '0.875rem',
        textAlign: 'center',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      Sandbox: no real money moves, nothing reaches HMRC.{' '}
      <Link href={url} target="_blank" rel="noreferrer">
        Open the sandbox
      </Link>
    </Box>
  );
}
