/** Performance against the promise to pay within 24 hours of acceptance, in total and by day of acceptance. */
import { deskApi } from '@portal/contract/desk.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatShare } from './desk-figures.tsx';
import { useUrlFilters } from '../../lib/use-url-filters.ts';

const SPAN_OPTIONS = ['7', '90', '365'].map((days) => ({ value: days, label: `Last ${days} days` }));

export function PromiseScreen() {
  const { filters, change } = useUrlFilters(['days']);
  const days = SPAN_OPTIONS.some(({ value }) => value === filters.days) ? Number(filters.days) : 30;
  const query = useQuery(apiQuery(deskApi.promise, { days }));
  return (
    <Page
      title="Promise"
      maxWidth="full"
      lead={<TextLink to={getPageLink('adminQueues')}>Back to work queue</TextLink>}
      actions={
        <FilterPill
          label="Time"
          unsetLabel="Last 30 days"
          value={filters.days}
          options={SPAN_OPTIONS}
          onSelect={(value) => change({ days: value })}
        />
      }
    >
      <LoadState query={query}>
        {({ total, by_day }) => (
          <Stack gap={24}>
            <SectionCard
              title="Paid within 24 hours of acceptance"
              source={`Advances accepted in the last ${total.days} days, excluding those that ended unpaid`}
            >
              <Grid minColumn={200} gap={24}>
                <KeyFigure
                  figure={formatShare(total.paid_in_time, total.paid + total.overdue)}
                  label="Paid on time"
                  details={`${total.paid_in_time} of ${total.paid + total.overdue} paid or due`}
                />
                <KeyFigure figure={total.median_hours === null ? '–' : `${total.median_hours} h`} label="Median time to payout" />
                <KeyFigure figure={total.slowest_tenth_hours === null ? '–' : `${total.slowest_tenth_hours} h`} label="90th percentile" />
                <KeyFigure
                  figure={String(total.overdue)}
                  label="Overdue and unpaid"
                  tone={total.overdue > 0 ? 'error' : undefined}
                  details={<TextLink to={`${getPageLink('adminQueues')}?queue=all&promise=late`}>View refunds not paid on time</TextLink>}
                />
              </Grid>
            </SectionCard>
            <SectionCard title="By day of acceptance">
              {by_day.length === 0 ? (
                <Text>No advances were accepted in this period.</Text>
              ) : (
                <RecordTable
                  label="On-time payments by day"
                  rows={by_day}
                  getKey={({ on }) => on}
                  columns={[
                    { title: 'Day', cell: ({ on }) => formatDate(on, 'short') },
                    { title: 'Accepted', layout: 'numeric', cell: ({ accepted }) => accepted },
                    { title: 'Paid', layout: 'numeric', cell: ({ paid }) => paid },
                    { title: 'On time', layout: 'numeric', cell: (day) => day.paid_in_time },
                    { title: 'Share', layout: 'numeric', cell: (day) => (day.paid === 0 ? null : formatShare(day.paid_in_time, day.paid)) },
                    {
                      title: 'Median',
                      layout: 'numeric',
                      cell: ({ median_hours: hours }) => (hours === null ? null : `${hours} h`),
                    },
                  ]}
                />
              )}
            </SectionCard>
          </Stack>
        )}
      </LoadState>
    </Page>
  );
}
