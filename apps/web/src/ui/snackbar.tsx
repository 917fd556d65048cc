import MuiSnackbar from '@mui/material/Snackbar';
import type { CSSProperties, ReactNode, Ref } from 'react';

export type SnackbarPosition = { readonly vertical: 'top' | 'bottom'; readonly horizontal: 'left' | 'center' | 'right' };

type SnackbarProps = {
  open: boolean;
  onClose: () => void;
  /** When it has left the screen. */
  onGone?: () => void;
  /** How long it stays; until it is closed where not given. */
  autoHideMs?: number;
  position?: SnackbarPosition;
  /** Carries its own colours. */
  children: ReactNode;
};

/**
 * Something over the edge of the page, at the bottom left unless told otherwise. With an auto-hide time its clock stands while the pointer or
 * the focus is on it, or while the window is away, and goes on with half the time afterwards (specification 4). Esc closes it.
 */
export function Snackbar({ open, onClose, onGone, autoHideMs, position, children }: SnackbarProps) {
  return (
    <MuiSnackbar
      open={open}
      anchorOrigin={position ?? { vertical: 'bottom', horizontal: 'left' }}
      {...(autoHideMs === undefined ? {} : { autoHideDuration: autoHideMs, resumeHideDuration: autoHideMs / 2 })}
      onClose={(_event, reason) => {
        if (reason !== 'clickaway') onClose();
      }}
      slotProps={{ transition: { onExited: () => onGone?.() } }}
    >
      <Moved>{children}</Moved>
    </MuiSnackbar>
  );
}

/** What the transition moves and fades; whatever else MUI hands down is no attribute of an element. */
function Moved({ ref, style, children }: { ref?: Ref<HTMLDivElement>; style?: CSSProperties; children: ReactNode }) {
  return (
    <div ref={ref} style={style}>
      {children}
    </div>
  );
}
