/** Dialogs for sending figures to the client, and for an admin to record that the client approved them elsewhere. */
import { returnApprovalsApi, type ApprovalOutput } from '@portal/contract/return-approvals.ts';
import { PERMISSION_NAMES } from '@portal/domain/team/permissions.ts';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import type { ClientReturnTarget } from './client-return-target.ts';

type DialogProps = { input: ClientReturnTarget; version: string; onClose: () => void; onSent: (output: ApprovalOutput) => void };

const MAX_TEXT_LENGTH = 2000;
const MIN_REASON_LENGTH = 10;

type SendDialogProps = DialogProps & { people: number; mayMessage: boolean };

export function SendForApprovalDialog({ input, version, people, mayMessage, onClose, onSent }: SendDialogProps) {
  const id = useId();
  const [messageText, setText] = useState('');
  const send = useMutation({
    mutationFn: () => apiRequest(returnApprovalsApi.send, { ...input, figures_version: version, text: messageText }),
    onSuccess: (output) => {
      onSent(output);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      heading="Send for approval"
      mutation={send}
      onConfirm={() => send.mutate()}
      onClose={onClose}
      confirmLabel="Send"
      errorTitle="We couldn’t send the figures"
    >
      <Text>
        {people === 1 ? 'The person who has access will get' : `Everyone at the client who has access (${people} people) will get`} an email
        with box 5 and a link to the nine boxes, and one reminder after three days. One approval is enough.
      </Text>
      {mayMessage ? (
        <FieldFrame id={`${id}-text`} label="Message (optional)" hint="Shown in the email and next to the figures.">
          <TextArea
            id={`${id}-text`}
            rows={3}
            value={messageText}
            maxLength={MAX_TEXT_LENGTH}
            onChange={({ target }) => setText(target.value)}
          />
        </FieldFrame>
      ) : (
        <Text size="small" tone="quiet">
          You can send the figures without a message. To add one, you need the “{PERMISSION_NAMES.message_clients}” permission. Ask an admin
          of your practice.
        </Text>
      )}
    </ConfirmDialog>
  );
}

export function ApprovedOutsideDialog({ input, version, onClose, onSent }: DialogProps) {
  const id = useId();
  const [reason, setReason] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const state = useMutation({
    mutationFn: () => apiRequest(returnApprovalsApi.stateOutside, { ...input, figures_version: version, reason, confirm: true }),
    onSuccess: (output) => {
      onSent(output);
      onClose();
    },
  });
  const missing = getMissingText([
    reason.trim().length < MIN_REASON_LENGTH ? 'Enter who approved the figures, when and how.' : undefined,
    isConfirmed ? undefined : 'Tick the box to confirm.',
  ]);
  return (
    <ModalDialog
      small
      open
      heading="Client approved elsewhere"
      onClose={onClose}
      loading={state.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={state.isPending}>
            Cancel
          </Button>
          <SubmitButton form={`${id}-form`} missing={missing} isBusy={state.isPending}>
            Record approval
          </SubmitButton>
        </>
      }
    >
      <form
        id={`${id}-form`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined) state.mutate();
        }}
      >
        <Stack gap={16}>
          {state.error && (
            <Notice tone="error" title="We couldn’t record the approval" role="alert">
              {getErrorText(state.error)}
            </Notice>
          )}
          <Text>This is recorded with your name and applies only to the figures on this page.</Text>
          <FieldFrame id={`${id}-reason`} label="Who approved, when and how" hint="For example: Ann Harlow, by phone on 12 May at 10:15">
            <TextArea
              id={`${id}-reason`}
              rows={3}
              value={reason}
              maxLength={MAX_TEXT_LENGTH}
              onChange={({ target }) => setReason(target.value)}
            />
          </FieldFrame>
          <Checkbox
            label="The client has approved these figures"
            checked={isConfirmed}
            onChange={({ target }) => setConfirmed(target.checked)}
          />
        </Stack>
      </form>
    </ModalDialog>
  );
}
