/** Complaints and messages from the contact page, earliest due first. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorMessagesApi } from '@portal/contract/operator-messages.ts';
import { systemClock, toLondonDate } from '@portal/domain/clock.ts';
import type { ContactTopic } from '@portal/domain/operators/contact-messages.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { Pager } from '../../ui/pager.tsx';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';

const REFRESH_MS = 30_000;

type Messages = EndpointOutput<typeof operatorMessagesApi.list>;
type Message = Messages['messages'][number];

export const TOPIC_CHIPS: Readonly<Record<ContactTopic, ComponentProps<typeof StateChip>>> = {
  complaint: { label: 'Complaint', icon: 'warning', tone: 'error' },
  privacy: { label: 'Privacy', icon: 'lock', tone: 'warning' },
  refund: { label: 'Refund', icon: 'bank', tone: 'primary' },
  return: { label: 'VAT return', icon: 'file', tone: 'info' },
  account: { label: 'Account', icon: 'person', tone: 'info' },
  other: { label: 'Other', icon: 'mail', tone: 'info' },
};

const TABS = [
  { key: 'complaints', label: 'Complaints', query: { state: 'open', kind: 'complaint' } },
  { key: 'open', label: 'Open', query: { state: 'open' } },
  { key: 'answered', label: 'Answered', query: { state: 'answered' } },
  { key: 'closed', label: 'Closed', query: { state: 'closed' } },
] as const;

const PEOPLE = [
  { value: 'me', label: 'Me' },
  { value: 'nobody', label: 'Unassigned' },
];

export function MessagesScreen() {
  const { filters, change, page } = useUrlFilters(['state', 'kind', 'assigned', 'message']);
  const tab =
    TABS.find(({ query }) => query.state === (filters.state ?? 'open') && ('kind' in query ? query.kind : undefined) === filters.kind) ??
    TABS[1];
  const assignedTo = (['me', 'nobody'] as const).find((value) => value === filters.assigned);
  const input = { ...tab.query, page, ...(assignedTo === undefined ? {} : { assigned: assignedTo }) };
  const query = useQuery({ ...apiQuery(operatorMessagesApi.list, input), placeholderData: keepPreviousData, refetchInterval: REFRESH_MS });
  const counts = query.data?.counts;
  const countByState = { complaints: counts?.open_complaints, open: counts?.open, answered: counts?.answered, closed: counts?.closed };
  return (
    <Page
      title="Messages"
      maxWidth="full"
      actions={<FilterPill label="Owner" value={assignedTo} options={PEOPLE} onSelect={(value) => change({ assigned: value })} />}
    >
      <Stack>
        <Row justify="between">
          <PillTabs
            label="Messages"
            current={tab.key}
            tabs={TABS.map(({ key, label, query: to }) => ({
              key,
              label: countByState[key] === undefined ? label : `${label} (${countByState[key]})`,
              to: getPageLink('adminMessages', to),
            }))}
          />
          {counts && counts.overdue > 0 && (
            <Text size="small" tone="error" role="status">
              {counts.overdue} past the promised date
            </Text>
          )}
        </Row>
        <LoadState query={query}>
          {(data) => (
            <SectionCard>
              <Stack>
                <MessageTable messages={data.messages} />
                {data.count > 0 && (
                  <Pager
                    page={page}
                    pages={data.pages}
                    count={data.count}
                    noun={data.count === 1 ? 'message' : 'messages'}
                    onPage={(next) => change({ page: String(next) })}
                  />
                )}
              </Stack>
            </SectionCard>
          )}
        </LoadState>
      </Stack>
      {filters.message !== undefined && <MessageDialog messageId={filters.message} onClose={() => change({ message: undefined })} />}
    </Page>
  );
}

function MessageTable({ messages }: { messages: readonly Message[] }) {
  const { change } = useUrlFilters(['message']);
  if (messages.length === 0) return <Text>No messages here. New ones appear automatically.</Text>;
  return (
    <RecordTable
      label="Messages"
      rows={messages}
      getKey={({ message_id }) => message_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        {
          title: 'From',
          cell: ({ message_id, name }) => <TextLink onClick={() => change({ message: message_id })}>{name}</TextLink>,
        },
        { title: 'About', cell: ({ topic }) => <StateChip {...TOPIC_CHIPS[topic]} /> },
        { title: 'Message', cell: ({ message }) => shorten(message) },
        { title: 'Received', layout: 'nowrap', cell: ({ received_at }) => <InstantText at={received_at} /> },
        { title: 'Reply by', layout: 'nowrap', cell: (message) => <ReplyDeadline message={message} /> },
        { title: 'Owner', cell: ({ assigned_to }) => assigned_to?.name ?? null },
      ]}
    />
  );
}

const shorten = (text: string): string => (text.length > 90 ? `${text.slice(0, 90)}…` : text);

function ReplyDeadline({ message }: { message: Message }) {
  const isLate = message.state === 'open' && message.reply_by < toLondonDate(systemClock.now());
  return (
    <>
      <Text as="span" size="small" tone={isLate ? 'error' : undefined}>
        {formatDate(message.reply_by, 'short')}
        {isLate && ' (late)'}
      </Text>
      {message.final_answer_by && (
        <Text size="small" tone="quiet">
          full reply by {formatDate(message.final_answer_by, 'short')}
        </Text>
      )}
    </>
  );
}
