/** Messages to clients: the list, or one with the outcome for each client. */
import { messagesApi, type MessageSummary } from '@portal/contract/messages.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { useQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { MessageRouteText } from '../../components/practice/message-route-text.tsx';
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { UndeliverableCard } from '../../components/practice/undeliverable-addresses.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { useIsAdmin } from '../../lib/use-is-admin.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MessageDetails } from './message-details.tsx';
import { formatOutcomes, getMessageChip, isInProgress, POLL_MS } from './message-labels.ts';

export function PracticeMessagesScreen() {
  const { companyId, isSettled } = useCompanyId();
  const messageId = useSearchParams()[0].get('message_id');
  const profile = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  if ((isSettled && companyId === '') || profile.error?.status === 404) return <NoPracticeCard title="Messages" />;
  const navigation = <PracticeNav companyId={companyId} />;
  if (messageId !== null) {
    const backLink = <TextLink to={getPageLink('practiceMessages', { company_id: companyId })}>All messages</TextLink>;
    return (
      <Page title="Message" lead={backLink} before={navigation}>
        <MessageDetails companyId={companyId} messageId={messageId} />
      </Page>
    );
  }
  return (
    <Page title="Messages" lead="Messages your practice has sent to its clients." before={navigation}>
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
    </Page>
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
