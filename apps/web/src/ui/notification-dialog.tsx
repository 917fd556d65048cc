/**
 * A dialog that any part of the app can show and hide, for an error or an operation in progress (docs/product/specification.md section 4).
 */
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { ModalDialog } from './modal-dialog.tsx';
import { StatusPanel } from './status-panel.tsx';

export type Notification = {
  /** Default: `error`. */
  readonly status?: 'error' | 'loading';
  readonly heading: string;
  readonly content?: ReactNode;
  /** The user can't close it; the code that showed it must hide it. Always so while loading. */
  readonly blocksClosing?: boolean;
};

type NotificationControl = {
  /** Replaces a notification that is already shown. */
  readonly show: (notification: Notification) => void;
  readonly hide: () => void;
};

const NotificationContext = createContext<NotificationControl>({ show: () => undefined, hide: () => undefined });

export const useNotificationDialog = (): NotificationControl => useContext(NotificationContext);

export function NotificationDialogProvider({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  // Kept during the exit transition, so that the text doesn't disappear before the dialog.
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

/** It can't be closed with Esc, a click outside, a swipe or a button while loading or if it blocks closing. */
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
