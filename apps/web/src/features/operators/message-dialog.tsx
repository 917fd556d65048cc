/** One message: its text, the replies and notes so far, and the actions on it. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorMessagesApi } from '@portal/contract/operator-messages.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextArea } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './message-dialog.module.css';
import { useOperators } from './use-desk.ts';
import { MissingLine } from '../../ui/missing-line.tsx';

type MessageData = EndpointOutput<typeof operatorMessagesApi.get>;

export function MessageDialog({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const query = useQuery(apiQuery(operatorMessagesApi.get, { message_id: messageId }));
  return (
    <ModalDialog open heading={query.data ? `${query.data.message.reference}: ${query.data.message.name}` : 'Message'} onClose={onClose}>
      <LoadState query={query}>{(data) => <MessageBody key={data.entries.length} data={data} />}</LoadState>
    </ModalDialog>
  );
}

function useMessageAction<Variables>(action: (variables: Variables) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [operatorMessagesApi.get.path] }),
        queryClient.invalidateQueries({ queryKey: [operatorMessagesApi.list.path] }),
      ]),
  });
}

function MessageBody({ data }: { data: MessageData }) {
  const { message, entries, companies } = data;
  const id = { message_id: message.message_id };
  const [replyText, setText] = useState('');
  // The ID stays the same while the user writes, so that a repeated request sends the text only once.
  const [entryId] = useState(() => crypto.randomUUID());
  const write = useMessageAction((kind: 'reply' | 'note') =>
    apiRequest(kind === 'reply' ? operatorMessagesApi.reply : operatorMessagesApi.note, { ...id, entry_id: entryId, text: replyText }),
  );
  const setState = useMessageAction((state: 'open' | 'closed') => apiRequest(operatorMessagesApi.setState, { ...id, state }));
  const error = write.error ?? setState.error;
  const isEmpty = replyText.trim().length < 3;
  const missingId = useId();
  return (
    <Stack>
      <Row justify="between" align="end">
        <Text size="small" tone="quiet">
          {message.email} ({message.is_known ? 'signed in' : 'not signed in, address not verified'}) ·{' '}
          <InstantText at={message.received_at} />
        </Text>
        <OwnerField data={data} />
      </Row>
      {companies.length > 0 && (
        <Text size="small">
          Companies:{' '}
          {companies.map(({ company_id, name }) => (
            <TextLink key={company_id} to={getPageLink('adminCompany', { company_id })} className={styles.company}>
              {name}
            </TextLink>
          ))}
        </Text>
      )}
      <div className={styles.text}>{message.message}</div>
      {entries.map((entry) => (
        <div key={entry.entry_id} className={styles.entry}>
          <Text size="small" weight="medium">
            {entry.kind === 'reply' ? 'Reply' : 'Note'} by {entry.by}, <InstantText at={entry.at} />
          </Text>
          <div className={styles.text}>{entry.text}</div>
        </div>
      ))}
      <FieldFrame id="message-text" label="Reply or note" hint="A reply is emailed to the sender. A note stays here.">
        <TextArea id="message-text" rows={4} maxLength={5000} value={replyText} onChange={(event) => setText(event.target.value)} />
      </FieldFrame>
      {error && (
        <Text role="alert" tone="error">
          {getErrorText(error)}
        </Text>
      )}
      <ButtonRow>
        <Button
          aria-describedby={missingId}
          disabled={isEmpty || write.isPending}
          isBusy={write.isPending && write.variables === 'reply'}
          onClick={() => write.mutate('reply')}
        >
          Send reply
        </Button>
        <Button
          variant="outlined"
          aria-describedby={missingId}
          disabled={isEmpty || write.isPending}
          isBusy={write.isPending && write.variables === 'note'}
          onClick={() => write.mutate('note')}
        >
          Add note
        </Button>
        <Button
          variant="text"
          disabled={setState.isPending}
          onClick={() => setState.mutate(message.state === 'closed' ? 'open' : 'closed')}
        >
          {message.state === 'closed' ? 'Reopen' : 'Close message'}
        </Button>
        <MissingLine id={missingId}>{isEmpty && 'Write a reply or note first.'}</MissingLine>
      </ButtonRow>
    </Stack>
  );
}

function OwnerField({ data: { message } }: { data: MessageData }) {
  const operators = useOperators();
  const assign = useMessageAction((operator_id: string | null) =>
    apiRequest(operatorMessagesApi.assign, { message_id: message.message_id, operator_id }),
  );
  return (
    <div className={styles.owner}>
      <label htmlFor="message-owner">Owner</label>
      <Select
        id="message-owner"
        small
        value={message.assigned_to?.user_id ?? ''}
        disabled={assign.isPending}
        onChange={({ target }) => assign.mutate(target.value === '' ? null : target.value)}
      >
        <option value="">Unassigned</option>
        {operators.map(({ user_id, name, is_you }) => (
          <option key={user_id} value={user_id}>
            {is_you ? `${name} (you)` : name}
          </option>
        ))}
      </Select>
    </div>
  );
}
