/** Writes a message to one client, a selection, or all that match a filter: first the text, then a preview for each client. */
import type { ClientSelection } from '@portal/contract/clients.ts';
import { messagesApi } from '@portal/contract/messages.ts';
import { MESSAGE_TEMPLATES } from '@portal/domain/messages/message-templates.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MessageCheck } from './message-check.tsx';
import { getDraftProblem, MessageFields, type MessageDraft } from './message-fields.tsx';

type MessageDialogProps = {
  companyId: string;
  selection: ClientSelection;
  count: number;
  onClose: () => void;
};

const [FIRST_TEMPLATE] = MESSAGE_TEMPLATES;

export function MessageDialog({ companyId, selection, count, onClose }: MessageDialogProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<MessageDraft>({
    subject: FIRST_TEMPLATE?.subject ?? '',
    body: FIRST_TEMPLATE?.body ?? '',
    sendAt: '',
  });
  // Stays the same for every click, so that a second click doesn't send it again.
  const [messageId] = useState(() => crypto.randomUUID());
  const content = { company_id: companyId, ...selection, subject: draft.subject, body: draft.body };
  const preview = useMutation({ mutationFn: () => apiRequest(messagesApi.preview, content) });
  const send = useMutation({
    mutationFn: (recipients: number) =>
      apiRequest(messagesApi.send, {
        ...content,
        message_id: messageId,
        recipients,
        ...(draft.sendAt === '' ? {} : { send_at: new Date(draft.sendAt).toISOString() }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [messagesApi.list.path] }),
  });
  const isBusy = preview.isPending || send.isPending;
  const problem = getDraftProblem(draft);
  const previewData = preview.data;
  const number = previewData?.recipients ?? 0;
  const verb = draft.sendAt === '' ? 'Send to' : 'Schedule for';
  return (
    <ModalDialog
      open
      heading={send.data ? 'Message created' : previewData ? 'Check the message' : `Email ${formatClientCount(count)}`}
      onClose={onClose}
      loading={isBusy}
      actions={
        send.data ? (
          <Button onClick={onClose}>Done</Button>
        ) : previewData ? (
          <>
            <Button variant="outlined" onClick={() => preview.reset()} disabled={isBusy}>
              Back
            </Button>
            <SubmitButton
              missing={number === 0 ? 'This message can’t be sent to any of these clients.' : undefined}
              isBusy={isBusy}
              onClick={() => send.mutate(number)}
            >
              {verb} {formatClientCount(number)}
            </SubmitButton>
          </>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <SubmitButton missing={problem} isBusy={isBusy} onClick={() => preview.mutate()}>
              Preview
            </SubmitButton>
          </>
        )
      }
    >
      {send.data ? (
        <Notice
          tone="success"
          title={`${draft.sendAt === '' ? 'On its way to' : 'Scheduled for'} ${formatClientCount(number)}`}
          role="status"
        >
          You can close this window.{' '}
          <TextLink to={getPageLink('practiceMessages', { company_id: companyId, message_id: messageId })}>See its progress</TextLink>
        </Notice>
      ) : previewData ? (
        <MessageCheck companyId={companyId} preview={previewData} draft={draft} />
      ) : (
        <MessageFields companyId={companyId} draft={draft} onChange={setDraft} />
      )}
      {(preview.error ?? send.error) !== null && (
        <Notice tone="error" title="Nothing was sent" role="alert">
          {getErrorText(preview.error ?? send.error)}
        </Notice>
      )}
    </ModalDialog>
  );
}
