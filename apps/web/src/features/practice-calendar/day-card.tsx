/** Everything due on one day: counts by tax and kind, and client names in the open group. */
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { getClientLink } from '../../lib/client-labels.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { formatDayGroup, type CalendarMonth } from './month-views.tsx';

type Day = EndpointOutput<typeof practiceDashboardApi.calendarDay>;
type Item = Day['items'][number];

type DayCardProps = {
  companyId: string;
  day: PlainDate;
  filters: { readonly tax?: Tax; readonly member?: string };
  month: CalendarMonth;
  closeLink: string;
};

/** With more lines than this, the groups start closed. */
const MAX_LINES_SHOWN_OPEN = 8;
const PAGE_LINES = 20;

export function DayCard({ companyId, day, filters, month, closeLink }: DayCardProps) {
  const groups = month.days.filter((group) => group.due_on === day);
  const all = groups.reduce((sum, { items }) => sum + items, 0);
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
      {groups.length === 0 ? (
        <Typography>Nothing is due on this day.</Typography>
      ) : (
        <Box component="ul" aria-label={`Due on ${formatDate(day)}`} sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {groups.map((group) => (
            <Group
              key={`${day} ${group.tax} ${group.what}`}
              group={group}
              startsOpen={all <= MAX_LINES_SHOWN_OPEN}
              companyId={companyId}
              member={filters.member}
            />
          ))}
        </Box>
      )}
    </SectionCard>
  );
}

type GroupProps = {
  group: CalendarMonth['days'][number];
  startsOpen: boolean;
  companyId: string;
  member: string | undefined;
};

/** The items of one tax and kind on the day: the count, and the clients once opened. */
function Group({ group, startsOpen, companyId, member }: GroupProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const id = useId();
  const amount = group.amount_pence;
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}>
      <Box
        component="button"
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 1,
          alignItems: 'center',
          width: '100%',
          minHeight: 44,
          px: 0,
          py: 1,
          border: 0,
          bgcolor: 'transparent',
          color: 'text.primary',
          font: 'inherit',
          fontWeight: 600,
          textAlign: 'left',
          cursor: 'pointer',
        }}
      >
        <Box component="span" aria-hidden sx={{ width: 16, color: 'primary.tone' }}>
          {isOpen ? '\u25be' : '\u25b8'}
        </Box>
        <span>{formatDayGroup(group)}</span>
        {amount !== null && amount !== 0 && (
          <Box component="span" sx={{ ml: 'auto', fontWeight: 400, fontVariantNumeric: 'tabular-nums' }}>
            {formatPounds(pence(Math.abs(amount)))} {amount < 0 ? 'from HMRC' : 'to HMRC'}
          </Box>
        )}
      </Box>
      <Box id={id} hidden={!isOpen} sx={{ pb: isOpen ? 2 : 0 }}>
        {isOpen && <Lines group={group} companyId={companyId} member={member} />}
      </Box>
    </Box>
  );
}

function Lines({ group: { due_on: day, tax, what, items: count }, companyId, member }: Omit<GroupProps, 'startsOpen'>) {
  const input = { company_id: companyId, day, tax, what, limit: PAGE_LINES, ...(member === undefined ? {} : { member }) };
  const query = useInfiniteQuery<Day, ApiError, Item[], readonly unknown[], string | undefined>({
    queryKey: [practiceDashboardApi.calendarDay.path, input],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(practiceDashboardApi.calendarDay, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });
  return (
    <LoadState query={query} skeleton={<TableSkeleton rows={Math.min(count, 4)} />}>
      {(items) => (
        <>
          <Box component="ul" aria-label={formatDayGroup({ tax, what, items: count })} sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {items.map((item) => (
              <DueLine key={`${item.client_id} ${item.key}`} item={item} companyId={companyId} />
            ))}
          </Box>
          {query.hasNextPage && (
            <Button
              variant="outlined"
              size="small"
              sx={{ mt: 1 }}
              onClick={() => void query.fetchNextPage()}
              loading={query.isFetchingNextPage}
            >
              Show more: {(count - items.length).toLocaleString('en-GB')} are left
            </Button>
          )}
        </>
      )}
    </LoadState>
  );
}

const SOURCES = { hmrc: 'HMRC', statement: 'your statement', companies_house: 'Companies House', rule: 'the rule' } as const;

function DueLine({ item, companyId }: { item: Item; companyId: string }) {
  const to = getClientLink(companyId, item.client_id);
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
        <Box>{item.title}</Box>
      </Box>
      <Box sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
        {amount === null ? (item.what === 'return' ? '' : 'Amount not known') : formatPounds(pence(Math.abs(amount)))}
        {amount !== null && <Box sx={{ color: 'text.secondary' }}>{amount < 0 ? 'from HMRC' : 'to HMRC'}</Box>}
      </Box>
      <Box sx={{ gridColumn: '1 / -1', color: 'text.secondary' }}>
        By {SOURCES[item.source]}
        {item.source === 'rule' ? '' : `, ${formatInstant(item.as_of)}`}
      </Box>
    </Box>
  );
}
