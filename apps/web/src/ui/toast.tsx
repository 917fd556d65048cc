/** Toasts: that something small was done or failed, at the top centre, 3000 ms each unless told otherwise (specification 4). */
import Box from '@mui/material/Box';
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { Icon } from './icons.tsx';
import { Snackbar } from './snackbar.tsx';

type ToastSeverity = 'success' | 'error';
type Toast = { readonly id: number; readonly severity: ToastSeverity; readonly text: string; readonly autoHideMs: number };
type ShowToast = (severity: ToastSeverity, text: string, autoHideMs?: number) => void;

const AUTO_HIDE_MS = 3000;
const ToastContext = createContext<ShowToast>(() => undefined);

/** Says that something small was done; never the only place where the outcome of money or a filing is told. */
export const useToast = (): ShowToast => useContext(ToastContext);

/** Shows toasts one after another. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<readonly Toast[]>([]);
  const [isOpen, setIsOpen] = useState(true);
  const show = useCallback<ShowToast>((severity, text, autoHideMs = AUTO_HIDE_MS) => {
    setQueue((waiting) => [...waiting, { id: (waiting.at(-1)?.id ?? 0) + 1, severity, text, autoHideMs }]);
  }, []);
  const next = useCallback(() => {
    setQueue((waiting) => waiting.slice(1));
    setIsOpen(true);
  }, []);
  const shown = queue[0];
  const bar = shown && (
    <Snackbar
      key={shown.id}
      open={isOpen}
      autoHideMs={shown.autoHideMs}
      position={{ vertical: 'top', horizontal: 'center' }}
      onClose={() => setIsOpen(false)}
      onGone={next}
    >
      <ToastBar severity={shown.severity} text={shown.text} />
    </Snackbar>
  );
  return (
    <ToastContext value={show}>
      {children}
      {/* The live regions are there before their words, else some screen readers say nothing. */}
      <div role="alert">{shown?.severity === 'error' && bar}</div>
      <div role="status">{shown?.severity === 'success' && bar}</div>
    </ToastContext>
  );
}

/** Teal for success, pink-red for an error (specification 9), in the tones that white words can be read on. */
export function ToastBar({ severity, text }: { severity: ToastSeverity; text: string }) {
  return (
    <Box
      sx={{
        display: 'flex',
        gap: 1,
        alignItems: 'center',
        px: 2,
        py: 1.5,
        maxWidth: 560,
        borderRadius: 1,
        fontWeight: 500,
        bgcolor: `${severity}.fill`,
        color: `${severity}.onFill`,
      }}
    >
      <Icon name={severity === 'error' ? 'errorCircle' : 'checkCircle'} />
      {text}
    </Box>
  );
}
