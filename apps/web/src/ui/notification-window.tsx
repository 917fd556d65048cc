import { ModalDialog } from './modal-dialog.tsx';
import type { Notification } from './notification-dialog.tsx';
import { StatusPanel } from './status-panel.tsx';

type NotificationWindowProps = { open: boolean; onClose: () => void; notification: Notification };

/** While loading, or if closing is blocked, the window can't be closed with Esc, a click outside, a swipe or a button. */
export function NotificationWindow({ open, onClose, notification }: NotificationWindowProps) {
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
