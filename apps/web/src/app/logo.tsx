import Box from '@mui/material/Box';
import { brandName } from '../lib/settings.ts';

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
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
        <rect width="24" height="24" rx="7" fill="#7440F5" />
        <path d="M4 14.5c2.7 0 2.7-3 5.3-3s2.7 3 5.4 3 2.6-3 5.3-3" fill="none" stroke="#fff" strokeWidth="2.2" strokeLinecap="round" />
      </svg>
      {brandName()}
    </Box>
  );
}
