import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Slide from '@mui/material/Slide';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { Icon } from './icons.tsx';
import { Spinner } from './spinner.tsx';
import { useSwipeDown } from './use-swipe-down.ts';

type ModalDialogProps = {
  open: boolean;
  heading: string;
  onClose: () => void;
  children: ReactNode;
  /** 500 px wide instead of 852 px at most (docs/product/specification.md section 2.6). */
  small?: boolean;
  onHelp?: () => void;
  /** Shows a spinner beside the heading. The dialog cannot be closed while loading. */
  loading?: boolean;
  /** If false, only the code that opened the dialog can close it, and there is no close icon. */
  closable?: boolean;
  /** The buttons. The last one is the main action. */
  actions?: ReactNode;
};

/** The exit is the "dialog close animation delay" of docs/product/specification.md section 9. */
const TRANSITION_MS = { enter: 300, exit: 200 };

function SlideUp(props: ComponentProps<typeof Slide>) {
  return <Slide {...props} direction="up" timeout={TRANSITION_MS} />;
}

/** A dialog. Below the md breakpoint it is a sheet at the bottom that closes with a swipe down. */
export function ModalDialog(props: ModalDialogProps) {
  const { open, heading, onClose, children, small = false, onHelp, loading = false, closable = true, actions } = props;
  const id = useId();
  const isSheet = useMediaQuery(useTheme().breakpoints.down('md'));
  const reducesMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const canClose = closable && !loading;
  const close = () => {
    if (canClose) onClose();
  };
  const swipe = useSwipeDown(close, { enabled: canClose, reducesMotion });
  return (
    <Dialog
      open={open}
      onClose={close}
      aria-labelledby={id}
      aria-busy={loading}
      fullWidth
      maxWidth={false}
      transitionDuration={reducesMotion ? 0 : TRANSITION_MS}
      {...(isSheet && !reducesMotion ? { slots: { transition: SlideUp } } : {})}
      slotProps={{
        transition: { onExited: swipe.reset },
        container: { sx: isSheet ? { alignItems: 'flex-end' } : {} },
        paper: isSheet
          ? { style: swipe.style, sx: { m: 0, width: '100%', maxWidth: '100%', maxHeight: '92dvh', borderRadius: '16px 16px 0 0' } }
          : { sx: { maxWidth: small ? 500 : 852 } },
      }}
    >
      {isSheet && closable && (
        <Box {...swipe.handlers} sx={{ display: 'grid', placeItems: 'center', height: 24, touchAction: 'none', flexShrink: 0 }}>
          <Box sx={{ width: 40, height: 4, borderRadius: 2, bgcolor: 'control' }} />
        </Box>
      )}
      <Box
        {...(isSheet ? swipe.handlers : {})}
        sx={{ display: 'flex', gap: 1, alignItems: 'flex-start', px: { xs: 2, sm: 3 }, pt: isSheet && closable ? 0 : 3, pb: 1 }}
      >
        <Typography id={id} component="h2" sx={{ flex: 1, fontSize: '1.25rem', fontWeight: 600, lineHeight: 1.3, pt: 0.5 }}>
          {heading}
        </Typography>
        {loading && <Spinner />}
        {onHelp !== undefined && (
          <IconButton aria-label="Help" onClick={onHelp}>
            <Icon name="help" />
          </IconButton>
        )}
        {closable && (
          <IconButton aria-label="Close" onClick={close} disabled={loading}>
            <Icon name="close" />
          </IconButton>
        )}
      </Box>
      <Box sx={{ px: { xs: 2, sm: 3 }, pb: 3, overflowY: 'auto' }}>{children}</Box>
      {actions !== undefined && (
        <Box
          sx={{
            display: 'flex',
            flexDirection: { xs: 'column-reverse', sm: 'row' },
            justifyContent: 'flex-end',
            alignItems: { xs: 'stretch', sm: 'center' },
            gap: 1.5,
            px: { xs: 2, sm: 3 },
            py: 2,
            borderTop: 1,
            borderColor: 'divider',
            '& .MuiButton-root': { maxWidth: { xs: 'none', sm: 300 } },
          }}
        >
          {actions}
        </Box>
      )}
    </Dialog>
  );
}
