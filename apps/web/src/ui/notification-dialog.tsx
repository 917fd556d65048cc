/**
 * A dialog that any part of the app can show and hide, for an error or an operation in progress (docs/product/specification.md section 4).
 */
import { createContext, lazy, Suspense, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';

/** Loaded when it is first shown, because most pages never show it. */
const NotificationWindow = lazy(() => import('./notification-window.tsx').then((file) => ({ default: file.NotificationWindow })));

export type Notification = {
  /** Default: `error`. */
  readonly status?: 'error' | 'loading';
  readonly heading: string;
  readonly content?: ReactNode;
  /** If true, only the code that showed the notification can hide it. Always the case while loading. */
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
  // Kept during the exit transition, so that the text doesn't disappear before the dialog does.
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
      {notification !== undefined && (
        <Suspense>
          <NotificationWindow open={isOpen} onClose={hide} notification={notification} />
        </Suspense>
      )}
    </NotificationContext>
  );
}
