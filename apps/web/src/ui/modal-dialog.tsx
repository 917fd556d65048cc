import { Dialog } from '@base-ui/react/dialog';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { MEDIA_BELOW, useMediaQuery } from '../lib/use-media-query.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './modal-dialog.module.css';
import { Spinner } from './spinner.tsx';
import { useSwipeDown } from './use-swipe-down.ts';

type ModalDialogProps = {
  open: boolean;
  heading: string;
  onClose: () => void;
  children: ReactNode;
  /** 500 px wide instead of up to 852 px (docs/product/specification.md section 2.6). */
  small?: boolean;
  onHelp?: () => void;
  /** Shows a spinner beside the heading. The dialog can't be closed while loading. */
  loading?: boolean;
  /** If false, the dialog doesn't have a close icon, and only the code that opened it can close it. */
  closable?: boolean;
  /** The buttons, with the main action last. */
  actions?: ReactNode;
};

/** A dialog. Below the md breakpoint, it is a bottom sheet that closes when swiped down. */
export function ModalDialog(props: ModalDialogProps) {
  const { open, heading, onClose, children, small = false, onHelp, loading = false, closable = true, actions } = props;
  const isSheet = useMediaQuery(MEDIA_BELOW.md);
  const reducesMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const canClose = closable && !loading;
  const close = () => {
    if (canClose) onClose();
  };
  const swipe = useSwipeDown(close, { enabled: canClose, reducesMotion });
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) swipe.reset();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup
            aria-busy={loading}
            className={clsx(styles.dialog, isSheet ? styles.sheet : small && styles.small)}
            {...(isSheet && swipe.style !== undefined ? { style: swipe.style } : {})}
          >
            {isSheet && closable && (
              <div {...swipe.handlers} className={styles.handle}>
                <span />
              </div>
            )}
            <div {...(isSheet ? swipe.handlers : {})} className={styles.head}>
              <Dialog.Title className={styles.heading}>{heading}</Dialog.Title>
              {loading && <Spinner />}
              {onHelp !== undefined && (
                <IconButton label="Help" onClick={onHelp}>
                  <Icon name="help" />
                </IconButton>
              )}
              {closable && (
                <IconButton label="Close" onClick={close} disabled={loading}>
                  <Icon name="close" />
                </IconButton>
              )}
            </div>
            <div className={styles.body}>{children}</div>
            {actions !== undefined && <div className={styles.actions}>{actions}</div>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
