import MuiSnackbar from '@mui/material/Snackbar';
import type { CSSProperties, ReactNode, Ref } from 'react';

export type SnackbarPosition = { readonly vertical: 'top' | 'bottom'; readonly horizontal: 'left' | 'center' | 'right' };

type SnackbarProps = {
  open: boolean;
  onClose: () => void;
  /** Called after the exit transition. */
  onExited?: () => void;
  /** Undefined: it stays until it is closed. */
  autoHideMs?: number;
  position?: SnackbarPosition;
  /** The content brings its own colours. */
  children: ReactNode;
};

/**
 * A message over the edge of the page, by default at the bottom left. The auto-hide timer pauses while the pointer or focus is on it or the
 * window is not focused, and resumes with half the time (docs/product/specification.md section 4). Esc closes it.
 */
export function Snackbar({ open, onClose, onExited, autoHideMs, position, children }: SnackbarProps) {
  return (
    <MuiSnackbar
      open={open}
      anchorOrigin={position ?? { vertical: 'bottom', horizontal: 'left' }}
      {...(autoHideMs === undefined ? {} : { autoHideDuration: autoHideMs, resumeHideDuration: autoHideMs / 2 })}
      onClose={(_event, reason) => {
        if (reason !== 'clickaway') onClose();
      }}
      slotProps={{ transition: { onExited: () => onExited?.() } }}
    >
      <TransitionTarget>{children}</TransitionTarget>
    </MuiSnackbar>
  );
}

/** The element of the transition. Other props from MUI are dropped, because they are not valid HTML attributes. */
function TransitionTarget({ ref, style, children }: { ref?: Ref<HTMLDivElement>; style?: CSSProperties; children: ReactNode }) {
  return (
    <div ref={ref} style={style}>
      {children}
    </div>
  );
}
