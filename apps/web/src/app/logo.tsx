import Box from '@mui/material/Box';
import { brandName } from '../lib/settings.ts';
import { LogoMark } from '../ui/logo-mark.tsx';

/** The brand's name as our logo, 24 high. */
export function Logo() {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        height: 24,
        fontSize: '1.25rem',
        fontWeight: 600,
        letterSpacing: '-0.02em',
      }}
    >
      <LogoMark />
      {brandName()}
    </Box>
  );
}
