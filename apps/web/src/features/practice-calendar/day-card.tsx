/** Everything due on one day: counts by tax and kind, and the client names in each expanded group. */
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { getClientLink } from '../../lib/client-labels.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './day-card.module.css';
import { formatDayAmount, formatDayGroup, type CalendarMonth } from './month-views.tsx';

type CalendarDay = EndpointOutput<typeof practiceDashboardApi.calendarDay>;
type Item = CalendarDay['items'][number];

type DayCardProps = {
  companyId: string;
  day: PlainDate;
  filters: { readonly tax?: Tax; readonly member?: string };
  month: CalendarMonth;
  closeLink: string;
};

/** If the day has more lines than this, its groups start collapsed. */
const MAX_LINES_SHOWN_OPEN = 8;
const PAGE_LINES = 20;

export function DayCard({ companyId, day, filters, month, closeLink }: DayCardProps) {
  const groups = month.days.filter((group) => group.due_on === day);
  const totalCount = groups.reduce((sum, { items }) => sum + items, 0);
  const earlierItem = month.pay_before.find((item) => item.due_on === day);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The chosen day may be far from the panel. Focusing the panel also scrolls it into view.
    panel.current?.focus();
  }, [day]);
  return (
    <div ref={panel} tabIndex={-1} className={styles.panel}>
      <SectionCard
        title={`Due on ${formatDate(day)}`}
        aside={
          <Button to={closeLink} preventScrollReset variant="text" size="small">
            Close this day
          </Button>
        }
      >
        {earlierItem && (
          <Text className={styles.payBefore}>
            This isn’t a working day. CHAPS and Bacs payments must reach HMRC by {formatDate(earlierItem.cleared_by)}.
          </Text>
        )}
        {groups.length === 0 ? (
          <Text>Nothing is due on this day.</Text>
        ) : (
          <Stack as="ul" gap={0} aria-label={`Due on ${formatDate(day)}`}>
            {groups.map((group) => (
              <Group
                key={`${day} ${group.tax} ${group.kind}`}
                group={group}
                startsOpen={totalCount <= MAX_LINES_SHOWN_OPEN}
                companyId={companyId}
                member={filters.member}
              />
            ))}
          </Stack>
        )}
      </SectionCard>
    </div>
  );
}

type GroupProps = {
  group: CalendarMonth['days'][number];
  startsOpen: boolean;
  companyId: string;
  member: string | undefined;
};

/** The items of one tax and kind on the day: the count and, when expanded, the clients. */
function Group({ group, startsOpen, companyId, member }: GroupProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const id = useId();
  const amount = formatDayAmount(group);
  return (
    <li className={styles.group}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)} className={styles.toggle}>
        <span aria-hidden className={styles.arrow}>
          {isOpen ? '\u25be' : '\u25b8'}
        </span>
        <span>{formatDayGroup(group)}</span>
        {amount !== undefined && (
          <span className={styles.amount}>
            {amount} {group.what === 'refund' ? 'from HMRC' : 'to HMRC'}
          </span>
        )}
      </button>
      <div id={id} hidden={!isOpen} className={styles.lines}>
        {isOpen && <DueLines group={group} companyId={companyId} member={member} />}
      </div>
    </li>
  );
}

function DueLines({ group: { due_on: day, tax, kind, items: count }, companyId, member }: Omit<GroupProps, 'startsOpen'>) {
  const input = { company_id: companyId, day, tax, kind, limit: PAGE_LINES, ...(member === undefined ? {} : { member }) };
  const query = useInfiniteQuery<CalendarDay, ApiError, Item[], readonly unknown[], string | undefined>({
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
          <Stack as="ul" gap={0} aria-label={formatDayGroup({ tax, kind, items: count })}>
            {items.map((item) => (
              <DueLine key={`${item.client_id} ${item.key}`} item={item} companyId={companyId} />
            ))}
          </Stack>
          {query.hasNextPage && (
            <Button variant="outlined" size="small" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more ({(count - items.length).toLocaleString('en-GB')} left)
            </Button>
          )}
        </>
      )}
    </LoadState>
  );
}

const SOURCES = {
  hmrc: 'HMRC',
  statement: 'Imported statement',
  companies_house: 'Companies House',
  rule: 'Statutory deadline',
} as const;

function DueLine({ item, companyId }: { item: Item; companyId: string }) {
  const to = getClientLink(companyId, item.client_id);
  const amount = item.amount_pence;
  return (
    <li className={styles.line}>
      <div className={styles.client}>
        {to === undefined ? <strong>{item.client_name}</strong> : <TextLink to={to}>{item.client_name}</TextLink>}
        <div>{item.title}</div>
      </div>
      <div className={styles.lineAmount}>
        {amount === null ? (item.what === 'return' ? '' : 'Amount not known') : formatPounds(pence(Math.abs(amount)))}
        {amount !== null && <div className={styles.quiet}>{amount < 0 ? 'from HMRC' : 'to HMRC'}</div>}
      </div>
      <div className={styles.source}>
        {SOURCES[item.source]}
        {item.source === 'rule' ? '' : `, ${formatInstant(item.as_of)}`}
      </div>
    </li>
  );
}
