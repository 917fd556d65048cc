/** Messages to clients: the list, or one with the outcome for each client. */
import { messagesApi, type MessageSummary } from '@portal/contract/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { MessageRouteText } from '../../components/practice/message-route-text.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { UndeliverableCard } from '../../components/practice/undeliverable-addresses.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useIsAdmin, usePracticeProfile } from '../../lib/practice-profile.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MessageDetails } from './message-details.tsx';
import { formatOutcomes, getMessageChip, isInProgress, POLL_MS } from './message-labels.ts';

export function PracticeMessagesScreen() {
  const { companyId } = useCompanyId();
  const messageId = useSearchParams()[0].get('message_id');
  const profile = usePracticeProfile(companyId);
  if (messageId !== null) {
    const backLink = <TextLink to={getPageLink('practiceMessages', { company_id: companyId })}>All messages</TextLink>;
    return (
      <PracticePage title="Message" lead={backLink}>
        <MessageDetails companyId={companyId} messageId={messageId} />
      </PracticePage>
    );
  }
  return (
    <PracticePage title="Messages" lead="Messages your practice has sent to its clients.">
      <LoadState query={profile} skeleton={<TableSkeleton />}>
        {({ permissions }) =>
          permissions.includes('message_clients') ? (
            <MessageList companyId={companyId} />
          ) : (
            <Notice tone="info" title="You can’t message clients">
              You need the “Message clients” permission for this. Ask an admin of your practice.
            </Notice>
          )
        }
      </LoadState>
    </PracticePage>
  );
}

function MessageList({ companyId }: { companyId: string }) {
  const query = useQuery({
    ...apiQuery(messagesApi.list, { company_id: companyId }),
    refetchInterval: ({ state }) => (state.data?.messages.some(isInProgress) ? POLL_MS : false),
  });
  const isAdmin = useIsAdmin(companyId);
  const clientsPath = getPageLink('practiceClients', { company_id: companyId });
  return (
    <LoadState query={query} skeleton={<TableSkeleton />}>
      {({ messages, route }) => (
        <Stack>
          <MessageRouteText route={route} />
          <Row gap={24}>
            {isAdmin && <TextLink to={getPageLink('reminderRules', { company_id: companyId })}>Reminder rules</TextLink>}
            <TextLink to={getPageLink('practiceRequests', { company_id: companyId })}>Client requests</TextLink>
            <TextLink to={getPageLink('messageTemplates', { company_id: companyId })}>Message templates</TextLink>
          </Row>
          <UndeliverableCard companyId={companyId} />
          <SectionCard>
            {messages.length === 0 ? (
              <EmptyState
                illustration={<NothingToReviewIllustration />}
                title="No messages yet"
                text="Select clients in the list, or open one, and choose “Send message”."
              >
                <Button to={clientsPath}>Go to clients</Button>
              </EmptyState>
            ) : (
              <MessageTable companyId={companyId} messages={messages} />
            )}
          </SectionCard>
        </Stack>
      )}
    </LoadState>
  );
}

function MessageTable({ companyId, messages }: { companyId: string; messages: readonly MessageSummary[] }) {
  return (
    <RecordTable
      label="Messages"
      rows={messages}
      getKey={({ message_id }) => message_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        {
          title: 'Subject',
          cell: ({ message_id, subject }) => (
            <TextLink to={getPageLink('practiceMessages', { company_id: companyId, message_id })}>{subject}</TextLink>
          ),
        },
        { title: 'Status', cell: (message) => <StateChip {...getMessageChip(message)} /> },
        { title: 'Outcome', cell: formatOutcomes },
        { title: 'Date', cell: ({ send_at }) => <InstantText at={send_at} /> },
        { title: 'Written by', cell: ({ author }) => author },
      ]}
    />
  );
}
