/** Buttons of services in two columns, or one on a phone. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** `children`: one `li` per button. */
export function BrandList({ children }: { children: ReactNode }) {
  const gridTemplateColumns = { xs: '1fr', sm: 'repeat(2, minmax(0, 300px))' };
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5, gridTemplateColumns }}>
      {children}
    </Box>
  );
}
