/** Practices' subscriptions, unpaid ones first. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Grid, Row, Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';

type Subscriptions = EndpointOutput<typeof operatorBillingApi.subscriptions>;
type Subscription = Subscriptions['subscriptions'][number];

const STATUSES = [
  { value: 'past_due', label: 'Payment overdue' },
  { value: 'ended', label: 'Ended' },
];

const CHIPS: Readonly<Record<Subscription['status'], ComponentProps<typeof StateChip>>> = {
  starting: { label: 'Being set up', icon: 'clock', tone: 'info' },
  incomplete: { label: 'First payment not received', icon: 'clock', tone: 'warning' },
  active: { label: 'Active', icon: 'checkCircle', tone: 'success' },
  past_due: { label: 'Payment overdue', icon: 'errorCircle', tone: 'error' },
  ended: { label: 'Ended', icon: 'close', tone: 'info' },
};

export function SubscriptionsCard() {
  const { filters, change, page } = useUrlFilters(['view', 'q', 'status']);
  const status = filters.status === 'past_due' || filters.status === 'ended' ? filters.status : 'live';
  const input = { status, page, ...(filters.q === undefined ? {} : { q: filters.q }) } as const;
  const List = useMediaQuery(TOO_NARROW_FOR_ACTIONS) ? SubscriptionCards : SubscriptionTable;
  const query = useQuery({ ...apiQuery(operatorBillingApi.subscriptions, input), placeholderData: keepPreviousData });
  return (
    <LoadState query={query}>
      {({ subscriptions, totals, count, pages }) => (
        <Stack gap={24}>
          <SectionCard
            title="All subscriptions"
            source="Prices after discounts, excluding VAT, per month, for the current number of connections."
          >
            <Grid minColumn={200} gap={24}>
              <KeyFigure figure={totals.practices.toLocaleString('en-GB')} label="Paying practices" />
              <KeyFigure figure={formatPounds(totals.monthly_net_pence)} label="Per month, excluding VAT" />
              <KeyFigure
                figure={totals.past_due.toLocaleString('en-GB')}
                label="Payment overdue"
                tone={totals.past_due > 0 ? 'error' : undefined}
                details={totals.past_due > 0 ? `${formatPounds(totals.past_due_pence)} including VAT` : undefined}
              />
            </Grid>
          </SectionCard>
          <SectionCard title="Subscriptions">
            <Stack>
              <Row gap={8}>
                <ListSearch label="Search subscriptions" hint="By practice" text={filters.q ?? ''} onSearch={(q) => change({ q })} />
                <FilterPill
                  label="Status"
                  unsetLabel="Not ended"
                  value={filters.status}
                  options={STATUSES}
                  onSelect={(value) => change({ status: value })}
                />
              </Row>
              {subscriptions.length === 0 ? (
                <Text>
                  {filters.q === undefined && filters.status === undefined
                    ? 'No subscriptions yet. They appear here when a practice subscribes.'
                    : 'No subscriptions match. Change the search or the status to see more.'}
                </Text>
              ) : (
                <List subscriptions={subscriptions} />
              )}
              <Pager
                page={page}
                pages={pages}
                count={count}
                noun={count === 1 ? 'subscription' : 'subscriptions'}
                onPage={(next) => change({ page: String(next) })}
              />
            </Stack>
          </SectionCard>
        </Stack>
      )}
    </LoadState>
  );
}

function SubscriptionTable({ subscriptions }: Pick<Subscriptions, 'subscriptions'>) {
  return (
    <Table label="Subscriptions" dense flush>
      <TableHead
        columns={[
          'Practice',
          'Status',
          'Tier',
          { numeric: 'Connections' },
          { numeric: 'A month' },
          'Prices',
          'Promotion code',
          'Since',
          'Renews or ends',
        ]}
      />
      <tbody>
        {subscriptions.map((subscription) => (
          <tr key={getKey(subscription)}>
            <th scope="row">{subscription.practice}</th>
            <td>
              <State subscription={subscription} />
            </td>
            <td>{subscription.tier_name}</td>
            <td data-numeric>{subscription.no_connections.toLocaleString('en-GB')}</td>
            <td data-numeric>{formatPounds(subscription.monthly_net_pence)}</td>
            <td data-nowrap>Version {subscription.price_list_version}</td>
            <td>{subscription.promotion_code ?? '–'}</td>
            <td data-nowrap>{formatDate(subscription.subscribed_on, 'short')}</td>
            <td data-nowrap>{describeEnd(subscription)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function SubscriptionCards({ subscriptions }: Pick<Subscriptions, 'subscriptions'>) {
  return (
    <RecordCards
      label="Subscriptions"
      cards={subscriptions.map((subscription) => ({
        key: getKey(subscription),
        title: subscription.practice,
        facts: [
          { label: 'Status', value: <State subscription={subscription} /> },
          { label: 'Tier', value: `${subscription.tier_name}, version ${subscription.price_list_version}` },
          { label: 'Connections', value: subscription.no_connections.toLocaleString('en-GB') },
          { label: 'A month', value: formatPounds(subscription.monthly_net_pence) },
          ...(subscription.promotion_code === null ? [] : [{ label: 'Promotion code', value: subscription.promotion_code }]),
          { label: 'Since', value: formatDate(subscription.subscribed_on, 'short') },
          ...(describeEnd(subscription) === '–' ? [] : [{ label: 'Next', value: describeEnd(subscription) }]),
        ],
      }))}
    />
  );
}

const getKey = (item: Subscription): string => `${item.company_id} ${item.subscribed_on} ${item.ended_on ?? ''}`;

function State({ subscription: { status, amount_due_pence: due, unpaid_since: since } }: { subscription: Subscription }) {
  return (
    <>
      <StateChip {...CHIPS[status]} />
      {since !== null && (
        <Text size="small" tone="quiet">
          {formatPounds(due)} since {formatDate(since, 'short')}
        </Text>
      )}
    </>
  );
}

function describeEnd({ renews_on: renewsOn, ends_at_renewal: endsAtRenewal, ended_on: endedOn }: Subscription): string {
  if (endedOn !== null) return `Ended ${formatDate(endedOn, 'short')}`;
  if (renewsOn === null) return '–';
  return `${endsAtRenewal ? 'Ends' : 'Renews'} ${formatDate(renewsOn, 'short')}`;
}
