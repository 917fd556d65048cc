import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Read by screen readers, not seen. */
export function HiddenText({ children, role }: { children: ReactNode; role?: 'status' }) {
  return (
    <Box
      component="span"
      role={role}
      sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)', whiteSpace: 'nowrap' }}
    >
      {children}
    </Box>
  );
}
