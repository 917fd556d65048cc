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
import { RecordCards } from '../../ui/record-cards.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { Pager } from '../../ui/pager.tsx';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';
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
  const showsCards = useMediaQuery(TOO_NARROW_FOR_ACTIONS);
  const renderName = (message: Message) => <TextLink onClick={() => change({ message: message.message_id })}>{message.name}</TextLink>;
  if (messages.length === 0) return <Text>No messages here. New ones appear automatically.</Text>;
  if (showsCards) {
    return (
      <RecordCards
        label="Messages"
        cards={messages.map((message) => ({
          key: message.message_id,
          title: renderName(message),
          facts: [
            { label: 'About', value: <StateChip {...TOPIC_CHIPS[message.topic]} /> },
            { label: 'Message', value: shorten(message.message) },
            { label: 'Received', value: <InstantText at={message.received_at} /> },
            { label: 'Reply by', value: <ReplyDeadline message={message} /> },
            { label: 'Owner', value: message.assigned_to?.name ?? '–' },
          ],
        }))}
      />
    );
  }
  return (
    <Table label="Messages" dense flush>
      <TableHead columns={['About', 'From', 'Message', 'Received', 'Reply by', 'Owner']} />
      <tbody>
        {messages.map((message) => (
          <tr key={message.message_id}>
            <td>
              <StateChip {...TOPIC_CHIPS[message.topic]} />
            </td>
            <th scope="row">{renderName(message)}</th>
            <td>{shorten(message.message)}</td>
            <td data-nowrap>
              <InstantText at={message.received_at} />
            </td>
            <td data-nowrap>
              <ReplyDeadline message={message} />
            </td>
            <td>{message.assigned_to?.name ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
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
