import type { ReactNode } from 'react';
import { getErrorText } from '../lib/error-text.ts';
import { Button } from './button.tsx';
import { Stack } from './layout.tsx';
import { ModalDialog } from './modal-dialog.tsx';
import { Notice } from './notice.tsx';
import { SubmitButton } from './submit-button.tsx';

type ConfirmDialogProps = {
  heading: string;
  /** The request that the main button sends. The dialog can't be closed while it is being sent, and shows its error. */
  mutation: { readonly isPending: boolean; readonly error: Error | null };
  onConfirm: () => void;
  onClose: () => void;
  confirmLabel: string;
  /** `error` for what can't be undone. */
  tone?: 'error' | undefined;
  /** What the request still needs, such as "Enter a reason.", or undefined. Left out where it never needs anything. */
  missing?: string | undefined;
  /** What an error means for the user. */
  errorTitle?: string;
  /** Up to 852 px wide instead of 500 px. */
  wide?: boolean;
  children: ReactNode;
};

/** A dialog that asks before it sends a request. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { heading, mutation, onConfirm, onClose, confirmLabel, tone, errorTitle = 'Nothing has changed' } = props;
  const { isPending, error } = mutation;
  const button = { tone, isBusy: isPending, onClick: onConfirm, children: confirmLabel };
  return (
    <ModalDialog
      open
      small={props.wide !== true}
      heading={heading}
      onClose={onClose}
      loading={isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={isPending}>
            Cancel
          </Button>
          {'missing' in props ? <SubmitButton missing={props.missing} {...button} /> : <Button {...button} />}
        </>
      }
    >
      <Stack gap={16}>
        {props.children}
        {error !== null && (
          <div ref={scrollIntoView}>
            <Notice tone="error" title={errorTitle} role="alert">
              {getErrorText(error)}
            </Notice>
          </div>
        )}
      </Stack>
    </ModalDialog>
  );
}

/** The error is below the content, which may be longer than the dialog. */
function scrollIntoView(error: HTMLElement | null): void {
  error?.scrollIntoView({ block: 'nearest' });
}
