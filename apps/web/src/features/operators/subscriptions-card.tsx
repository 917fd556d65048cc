/** Practices' subscriptions, unpaid ones first. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Grid, Row, Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
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
                <SubscriptionTable subscriptions={subscriptions} />
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
    <RecordTable
      label="Subscriptions"
      rows={subscriptions}
      getKey={(row) => `${row.company_id} ${row.subscribed_on} ${row.ended_on ?? ''}`}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Practice', cell: ({ practice }) => practice },
        { title: 'Status', cell: (row) => <State subscription={row} /> },
        { title: 'Tier', cell: (row) => row.tier_name },
        { title: 'Connections', layout: 'numeric', cell: (row) => row.no_connections.toLocaleString('en-GB') },
        { title: 'A month', layout: 'numeric', cell: (row) => formatPounds(row.monthly_net_pence) },
        { title: 'Prices', layout: 'nowrap', cell: (row) => `Version ${row.price_list_version}` },
        { title: 'Promotion code', cell: (row) => row.promotion_code },
        { title: 'Since', layout: 'nowrap', cell: (row) => formatDate(row.subscribed_on, 'short') },
        { title: 'Renews or ends', layout: 'nowrap', cell: describeEnd },
      ]}
    />
  );
}

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

function describeEnd({ renews_on: renewsOn, ends_at_renewal: endsAtRenewal, ended_on: endedOn }: Subscription): string | null {
  if (endedOn !== null) return `Ended ${formatDate(endedOn, 'short')}`;
  if (renewsOn === null) return null;
  return `${endsAtRenewal ? 'Ends' : 'Renews'} ${formatDate(renewsOn, 'short')}`;
}
