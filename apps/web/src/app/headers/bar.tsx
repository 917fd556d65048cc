import AppBar from '@mui/material/AppBar';
import Toolbar from '@mui/material/Toolbar';
import type { ReactNode } from 'react';
import { SMALL_SCREEN_BELOW_PX } from '../navigation.ts';

const FROM = `@media (min-width:${SMALL_SCREEN_BELOW_PX}px)`;

/** The white bar of every header. From 768 px it is 81 high with its border, which is what the page's height leaves (specification 9). */
export function Bar({ children, hiddenWhenSmall = false }: { children: ReactNode; hiddenWhenSmall?: boolean }) {
  return (
    <AppBar
      position="static"
      elevation={0}
      color="default"
      sx={{
        bgcolor: 'background.paper',
        color: 'text.primary',
        borderBottom: 1,
        borderColor: 'divider',
        display: hiddenWhenSmall ? 'none' : 'flex',
        [FROM]: { display: 'flex' },
      }}
    >
      <Toolbar
        sx={{
          justifyContent: 'space-between',
          gap: 2,
          // Twice, to stand above the toolbar's own rule for its breakpoint.
          '&&': { minHeight: 56, [FROM]: { minHeight: 80 } },
        }}
      >
        {children}
      </Toolbar>
    </AppBar>
  );
}
