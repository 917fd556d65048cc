import Box from '@mui/material/Box';
import Snackbar from '@mui/material/Snackbar';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { Icon } from './icons.tsx';

type Toast = { readonly id: number; readonly severity: 'success' | 'error'; readonly text: string };
type ShowToast = (severity: Toast['severity'], text: string) => void;

const AUTO_HIDE_MS = 3000;
const ToastContext = createContext<ShowToast>(() => undefined);

/** Says that something small was done; never the only place where the outcome of money or a filing is told. */
export const useToast = (): ShowToast => useContext(ToastContext);

/** Shows toasts one after another at the top centre, 3000 ms each (specification 4). */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<readonly Toast[]>([]);
  const show = useCallback<ShowToast>((severity, text) => {
    setQueue((waiting) => [...waiting, { id: (waiting.at(-1)?.id ?? 0) + 1, severity, text }]);
  }, []);
  const current = queue[0];
  const hide = useCallback(() => setQueue((waiting) => waiting.slice(1)), []);
  const shown = useMemo(() => current, [current]);
  return (
    <ToastContext value={show}>
      {children}
      <Snackbar
        key={shown?.id}
        open={shown !== undefined}
        autoHideDuration={AUTO_HIDE_MS}
        anchorOrigin={{ vertical: 'top', horizontal: 'center' }}
        onClose={(_event, reason) => {
          if (reason !== 'clickaway') hide();
        }}
      >
        <Box
          role={shown?.severity === 'error' ? 'alert' : 'status'}
          sx={{
            display: 'flex',
            gap: 1,
            alignItems: 'center',
            px: 2,
            py: 1.5,
            borderRadius: 1,
            fontWeight: 500,
            bgcolor: shown?.severity === 'error' ? 'error.fill' : 'success.fill',
            color: shown?.severity === 'error' ? 'error.onFill' : 'success.onFill',
          }}
        >
          <Icon name={shown?.severity === 'error' ? 'errorCircle' : 'checkCircle'} />
          {shown?.text}
        </Box>
      </Snackbar>
    </ToastContext>
  );
}
