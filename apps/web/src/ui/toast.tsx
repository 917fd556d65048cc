/**
 * Toasts confirm a small action or report its failure. They appear at the top centre, for 3000 ms by default (docs/product/specification.md
 * section 4).
 */
import clsx from 'clsx';
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Snackbar } from './snackbar.tsx';
import styles from './toast.module.css';

type ToastSeverity = 'success' | 'error';
type Toast = { readonly id: number; readonly severity: ToastSeverity; readonly text: string; readonly autoHideMs: number };
type ShowToast = (severity: ToastSeverity, text: string, autoHideMs?: number) => void;

const AUTO_HIDE_MS = 3000;
const ToastContext = createContext<ShowToast>(() => undefined);

/** Returns a function that shows a toast. Toasts disappear, so never report the outcome of a payment or filing in a toast alone. */
export const useToast = (): ShowToast => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<readonly Toast[]>([]);
  const show = useCallback<ShowToast>((severity, text, autoHideMs = AUTO_HIDE_MS) => {
    setQueue((toasts) => [...toasts, { id: (toasts.at(-1)?.id ?? 0) + 1, severity, text, autoHideMs }]);
  }, []);
  const next = useCallback(() => setQueue((toasts) => toasts.slice(1)), []);
  const shownToast = queue[0];
  const bar = shownToast && (
    <Snackbar key={shownToast.id} autoHideMs={shownToast.autoHideMs} position={{ vertical: 'top', horizontal: 'center' }} onClose={next}>
      <ToastBar severity={shownToast.severity} text={shownToast.text} />
    </Snackbar>
  );
  return (
    <ToastContext value={show}>
      {children}
      {/* The live regions must exist before their text. Otherwise some screen readers announce nothing. */}
      <div role="alert">{shownToast?.severity === 'error' && bar}</div>
      <div role="status">{shownToast?.severity === 'success' && bar}</div>
    </ToastContext>
  );
}

/** Teal for success, pink-red for errors (docs/product/specification.md section 9), in shades dark enough for white text. */
export function ToastBar({ severity, text }: { severity: ToastSeverity; text: string }) {
  return (
    <div className={clsx(styles.toast, styles[severity])}>
      <Icon name={severity === 'error' ? 'errorCircle' : 'checkCircle'} />
      {text}
    </div>
  );
}
