/** A dialog any part of the app can show and hide: what went wrong, or that something is under way (specification 4). */
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { ModalDialog } from './modal-dialog.tsx';
import { StatusPanel } from './status-panel.tsx';

export type Notification = {
  /** `error` when not given. */
  readonly status?: 'error' | 'loading';
  readonly heading: string;
  readonly content?: ReactNode;
  /** It stays until it is hidden by whoever showed it, as it does while it loads. */
  readonly blocksClosing?: boolean;
};

type NotificationControl = {
  /** Shows it, in place of one that is shown. */
  readonly show: (notification: Notification) => void;
  readonly hide: () => void;
};

const NotificationContext = createContext<NotificationControl>({ show: () => undefined, hide: () => undefined });

export const useNotificationDialog = (): NotificationControl => useContext(NotificationContext);

export function NotificationDialogProvider({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  // Kept while the dialog leaves, so that its words do not vanish before it does.
  const [notification, setNotification] = useState<Notification>();
  const show = useCallback((next: Notification) => {
    setNotification(next);
    setIsOpen(true);
  }, []);
  const hide = useCallback(() => setIsOpen(false), []);
  const control = useMemo(() => ({ show, hide }), [show, hide]);
  return (
    <NotificationContext value={control}>
      {children}
      {notification !== undefined && <NotificationDialog open={isOpen} onClose={hide} notification={notification} />}
    </NotificationContext>
  );
}

type NotificationDialogProps = { open: boolean; onClose: () => void; notification: Notification };

/** While it loads, and where it blocks closing, neither Esc, nor a click beside it, nor a swipe, nor a button closes it. */
export function NotificationDialog({ open, onClose, notification }: NotificationDialogProps) {
  const { status = 'error', heading, content, blocksClosing = false } = notification;
  const canClose = status !== 'loading' && !blocksClosing;
  return (
    <ModalDialog small open={open} heading={heading} closable={canClose} onClose={onClose}>
      <StatusPanel state={status} {...(canClose ? { onContinue: onClose, continueLabel: 'Close' } : {})}>
        {content}
      </StatusPanel>
    </ModalDialog>
  );
}
