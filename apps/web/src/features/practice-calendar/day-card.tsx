/** Who has what due on one day, read page by page. */
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import type { OutputOf } from '@portal/contract/endpoint.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/references/hmrc-bank-account.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call, type ApiError } from '../../lib/api.ts';
import { clientLink } from '../../lib/client-words.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import type { CalendarMonth } from './practice-calendar-screen.tsx';

type Day = OutputOf<typeof practiceDashboardApi.calendarDay>;
type Item = Day['items'][number];

type DayCardProps = {
  companyId: string;
  day: PlainDate;
  narrowing: { readonly tax?: Tax; readonly member?: string };
  month: CalendarMonth;
  closeLink: string;
};

export function DayCard({ companyId, day, narrowing, month, closeLink }: DayCardProps) {
  const input = { company_id: companyId, day, ...narrowing };
  const query = useInfiniteQuery<Day, ApiError, Item[], readonly unknown[], string | undefined>({
    queryKey: [practiceDashboardApi.calendarDay.path, input],
    queryFn: ({ pageParam, signal }) =>
      call(practiceDashboardApi.calendarDay, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });
  const earlier = month.pay_before.find((one) => one.due_on === day);
  return (
    <SectionCard
      title={`Due on ${formatDate(day)}`}
      aside={
        <Button component={Link} to={closeLink} preventScrollReset variant="text" size="small">
          Close this day
        </Button>
      }
    >
      {earlier && (
        <Typography sx={{ mb: 1 }}>
          This is no working day: money by CHAPS or Bacs must be at HMRC by {formatDate(earlier.cleared_by)}.
        </Typography>
      )}
      <LoadState query={query} skeleton={<TableSkeleton rows={4} />}>
        {(items) =>
          items.length === 0 ? (
            <Typography>Nothing is due on this day.</Typography>
          ) : (
            <>
              <Box component="ul" aria-label={`Due on ${formatDate(day)}`} sx={{ listStyle: 'none', m: 0, p: 0 }}>
                {items.map((item) => (
                  <DueLine key={`${item.client_id} ${item.tax} ${item.key}`} item={item} companyId={companyId} />
                ))}
              </Box>
              {query.hasNextPage && (
                <Button
                  variant="outlined"
                  size="small"
                  sx={{ mt: 2 }}
                  onClick={() => void query.fetchNextPage()}
                  loading={query.isFetchingNextPage}
                >
                  Show more
                </Button>
              )}
            </>
          )
        }
      </LoadState>
    </SectionCard>
  );
}

const SOURCES = { hmrc: 'HMRC', statement: 'your statement', companies_house: 'Companies House', rule: 'the rule' } as const;

function DueLine({ item, companyId }: { item: Item; companyId: string }) {
  const to = clientLink(companyId, item.client_id);
  const amount = item.amount_pence;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: '1fr auto',
        columnGap: 2,
        py: 1,
        borderTop: 1,
        borderColor: 'divider',
        fontSize: '0.875rem',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        {to === undefined ? (
          <Box sx={{ fontWeight: 600 }}>{item.client_name}</Box>
        ) : (
          <MuiLink component={Link} to={to} sx={{ fontWeight: 600 }}>
            {item.client_name}
          </MuiLink>
        )}
        <Box>
          {TAX_NAMES[item.tax]}: {item.title}
        </Box>
        <Box sx={{ color: 'text.secondary' }}>
          By {SOURCES[item.source]}
          {item.source === 'rule' ? '' : `, ${formatInstant(item.as_of)}`}
        </Box>
      </Box>
      <Box sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
        {amount === null ? (item.what === 'return' ? '' : 'Amount not known') : formatPounds(pence(Math.abs(amount)))}
        {amount !== null && <Box sx={{ color: 'text.secondary' }}>{amount < 0 ? 'from HMRC' : 'to HMRC'}</Box>}
      </Box>
    </Box>
  );
}
