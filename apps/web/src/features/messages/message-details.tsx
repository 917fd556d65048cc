/** One message: its progress, the outcome for each client, and the available actions. */
import { messagesApi, type MessageRecipient, type MessageSummary } from '@portal/contract/messages.ts';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { canResend } from '@portal/domain/messages/message-status.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './message-details.module.css';
import { formatOutcomes, getMessageChip, isInProgress, POLL_MS, RECIPIENT_CHIPS } from './message-labels.ts';

type MessageDetailsProps = { companyId: string; messageId: string };

export function MessageDetails({ companyId, messageId }: MessageDetailsProps) {
  const query = useQuery({
    ...apiQuery(messagesApi.details, { company_id: companyId, message_id: messageId }),
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data.message) ? POLL_MS : false),
  });
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
      {({ message, recipients }) => (
        <Stack gap={24}>
          <Summary companyId={companyId} message={message} />
          <SectionCard title="Outcome">
            <Stack as="ul" gap={0} aria-label="Outcome for each client">
              {recipients.map((recipient) => (
                <Recipient key={recipient.client_id} companyId={companyId} message={message} recipient={recipient} />
              ))}
            </Stack>
            {message.recipients > recipients.length && (
              <Text tone="quiet">
                {formatClientCount(recipients.length)} of {message.recipients.toLocaleString('en-GB')} are shown, starting with those
                needing attention.
              </Text>
            )}
          </SectionCard>
          <SectionCard title="Text" source="As written. Each client’s timeline shows the version that was sent.">
            <Stack gap={8}>
              <Text weight="bold">{message.subject}</Text>
              <Text className={styles.text}>{message.body}</Text>
            </Stack>
          </SectionCard>
        </Stack>
      )}
    </LoadState>
  );
}

function useInvalidateMessages() {
  const queryClient = useQueryClient();
  const paths = [messagesApi.list, messagesApi.details, clientDashboardApi.timeline].map(({ path }) => path);
  return () => Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}

function Summary({ companyId, message }: { companyId: string; message: MessageSummary }) {
  const invalidate = useInvalidateMessages();
  const cancel = useMutation({
    mutationFn: () => apiRequest(messagesApi.cancel, { company_id: companyId, message_id: message.message_id }),
    onSuccess: invalidate,
  });
  const { counts, recipients, status } = message;
  const endedCount = recipients - counts.queued - counts.sending;
  return (
    <SectionCard title={message.subject} aside={<StateChip {...getMessageChip(message)} />}>
      <Stack gap={12}>
        <Text role="status">{formatOutcomes(message)}.</Text>
        {status === 'sending' && recipients > 1 && (
          <Progress
            label={`${endedCount.toLocaleString('en-GB')} of ${formatClientCount(recipients)}`}
            percent={(endedCount / recipients) * 100}
          />
        )}
        <Text size="small" tone="quiet">
          Written by {message.author} on <InstantText at={message.created_at} />
          {status === 'scheduled' && (
            <>
              , to be sent on <InstantText at={message.send_at} />
            </>
          )}
          .{message.left_out > 0 && ` ${formatClientCount(message.left_out)} in the selection were left out.`}
        </Text>
        {status === 'waiting' && (
          <Notice tone="warning" title="Waiting for your mailbox">
            The connection to your mailbox has ended. The remaining messages will be sent once someone reconnects or disconnects it in
            Settings, Connections.
          </Notice>
        )}
        {counts.queued > 0 && (
          <Row>
            <Button variant="outlined" size="small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
              {endedCount > 0 ? 'Cancel the rest' : 'Cancel message'}
            </Button>
          </Row>
        )}
        {cancel.error !== null && (
          <Text role="alert" tone="error">
            {getErrorText(cancel.error)}
          </Text>
        )}
      </Stack>
    </SectionCard>
  );
}

type RecipientProps = { companyId: string; message: MessageSummary; recipient: MessageRecipient };

function Recipient({ companyId, message, recipient }: RecipientProps) {
  const { client_id: clientId, name, email, status, sent_from: sentFrom, ended_at: endedAt, reason } = recipient;
  const [isRepeating, setIsRepeating] = useState(false);
  return (
    <li className={styles.recipient}>
      <div className={styles.who}>
        <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: clientId })}>{name}</TextLink>
        <Text size="small" tone="quiet">
          {email}
          {status === 'sent' && sentFrom !== null && `, from ${sentFrom}`}
          {endedAt !== null && (
            <>
              , <InstantText at={endedAt} />
            </>
          )}
        </Text>
        {reason !== null && <Text size="small">{reason}</Text>}
      </div>
      <StateChip {...RECIPIENT_CHIPS[status]} />
      {canResend(status) && (
        <Button size="small" variant="outlined" onClick={() => setIsRepeating(true)}>
          Send again<HiddenText> to {name}</HiddenText>
        </Button>
      )}
      {isRepeating && <RepeatDialog companyId={companyId} message={message} recipient={recipient} onClose={() => setIsRepeating(false)} />}
    </li>
  );
}

/** A client is never sent a message twice automatically: the user must decide. */
function RepeatDialog({ companyId, message, recipient, onClose }: RecipientProps & { onClose: () => void }) {
  const invalidate = useInvalidateMessages();
  const repeat = useMutation({
    mutationFn: () =>
      apiRequest(messagesApi.repeat, { company_id: companyId, message_id: message.message_id, client_id: recipient.client_id }),
    onSuccess: async () => {
      await invalidate();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      heading={`Send to ${recipient.name} again?`}
      mutation={repeat}
      onConfirm={() => repeat.mutate()}
      onClose={onClose}
      confirmLabel="Send again"
      errorTitle="Nothing was sent"
    >
      <Text>
        {recipient.status === 'unknown'
          ? `We don’t know whether this message reached ${recipient.email}. Check the mailbox’s sent items first: if the message is there, the client would get it twice.`
          : recipient.status === 'bounced'
            ? `The message to ${recipient.email} bounced. If the address is wrong, correct it on the client’s page and write a new message. If it’s right, choose “Try this address again” there first.`
            : `The message wasn’t sent to ${recipient.email}. If the address is wrong, correct it on the client’s page and write a new message.`}
      </Text>
    </ConfirmDialog>
  );
}
