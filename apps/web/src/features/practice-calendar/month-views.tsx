import { formatPounds, pence, sumPence, type Pence } from '@portal/domain/money.ts';
import clsx from 'clsx';
import { addDays, dayOfWeek, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { Link } from '../../ui/link.tsx';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { PoundsText } from '../../components/formats/pounds-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import styles from './month-views.module.css';

export type CalendarMonth = EndpointOutput<typeof practiceDashboardApi.calendar>;

type ViewProps = {
  data: CalendarMonth;
  dayLink: (day: PlainDate) => string;
  /** Returns the link to a day's tasks. */
  taskLink: (day: PlainDate) => string;
  chosen: PlainDate | undefined;
};
type DayGroup = CalendarMonth['days'][number];

/** Formats a group, for example "VAT: 3 returns". */
export function formatDayGroup({ tax, kind, items }: Pick<DayGroup, 'tax' | 'kind' | 'items'>): string {
  const name = tax === 'ct' ? 'CT' : tax === 'sa' ? 'SA' : TAX_NAMES[tax];
  return `${name}: ${items.toLocaleString('en-GB')} ${getItemName(kind, items)}`;
}

/** Formats the known amount of a group, with "at least" while some amounts are unknown. Returns undefined if no amount is known. */
export function formatDayAmount({ amount_pence: amount, unknown_amounts: unknown }: DayGroup): string | undefined {
  if (amount === null || amount === 0) return undefined;
  return `${unknown > 0 ? 'At least ' : ''}${formatPounds(pence(Math.abs(amount)))}`;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The month as weeks from Monday to Sunday, for wide screens. */
export function MonthGrid({ data, dayLink, taskLink, chosen }: ViewProps) {
  const byDay = Map.groupBy(data.days, (day) => day.due_on);
  const ownByDay = Map.groupBy(data.own_days, (day) => day.on);
  const start = addDays(data.first, 1 - dayOfWeek(data.first));
  const weeks: PlainDate[][] = [];
  for (let monday = start; monday <= data.last; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, place) => addDays(monday, place)));
  }
  return (
    <table aria-label="Deadlines this month" className={styles.month}>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                day={day}
                items={byDay.get(day) ?? []}
                own={ownByDay.get(day) ?? []}
                data={data}
                dayLink={dayLink}
                taskLink={taskLink}
                isChosen={day === chosen}
                isOutside={day < data.first || day > data.last}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type OwnDay = CalendarMonth['own_days'][number];
type DayCellProps = {
  day: PlainDate;
  items: readonly DayGroup[];
  own: readonly OwnDay[];
  data: CalendarMonth;
  dayLink: (day: PlainDate) => string;
  taskLink: (day: PlainDate) => string;
  isChosen: boolean;
  isOutside: boolean;
};

function DayCell({ day, items, own, data, dayLink, taskLink, isChosen, isOutside }: DayCellProps) {
  if (isOutside) return <td aria-label="Another month" className={styles.free} />;
  const isHoliday = data.bank_holidays.includes(day);
  const isNonWorkingDay = isHoliday || dayOfWeek(day) > 5;
  const isToday = day === data.today;
  return (
    <td className={clsx(isNonWorkingDay && styles.free, isChosen && styles.chosen)}>
      <div className={styles.date}>
        <span className={isToday ? styles.today : undefined} {...(isToday ? { 'aria-current': 'date' as const } : {})}>
          {Number(day.slice(8))}
        </span>
        {isHoliday && <span className={styles.quiet}>Bank holiday</span>}
      </div>
      {items.length > 0 && (
        <Link to={dayLink(day)} preventScrollReset className={styles.due}>
          <HiddenText>{formatDate(day)}:</HiddenText>
          {items.map((item) => (
            <span key={`${item.tax}-${item.kind}`}>{formatDayGroup(item)}</span>
          ))}
          <DayAmounts items={items} />
        </Link>
      )}
      {own.map((item) => (
        <div key={`${item.tax}-${item.kind}-${item.due_on}`} className={styles.own}>
          <OwnDate item={item} to={dayLink(item.due_on)} />
        </div>
      ))}
      {data.task_days.some(({ due_on: due }) => due === day) && (
        <div className={styles.own}>
          <Tasks data={data} day={day} to={taskLink(day)} />
        </div>
      )}
    </td>
  );
}

/** The known amounts that are due to HMRC, and expected from it, on the day. */
function DayAmounts({ items }: { items: readonly DayGroup[] }) {
  const sum = (isRefund: boolean) => {
    const own = items.filter(({ what }) => (what === 'refund') === isRefund);
    const amount: Pence = sumPence(own.map(({ amount_pence: one }) => pence(Math.abs(one ?? 0))));
    return { amount, atLeast: own.some(({ unknown_amounts: unknown }) => unknown > 0) ? ' at least' : '' };
  };
  const [toPay, refunds] = [sum(false), sum(true)];
  return (
    <>
      {toPay.amount > 0 && (
        <strong className={styles.dayAmount}>
          To pay{toPay.atLeast} <PoundsText amount={toPay.amount} />
        </strong>
      )}
      {refunds.amount > 0 && (
        <strong className={styles.dayAmount}>
          Refunds{refunds.atLeast} <PoundsText amount={refunds.amount} />
        </strong>
      )}
    </>
  );
}

/** The practice's own date. Also shows HMRC's date, so that the two can't be confused. */
function OwnDate({ item, to }: { item: OwnDay; to: string }) {
  return (
    <Link to={to} preventScrollReset className={styles.ownLink}>
      Internal deadline for {formatDayGroup(item)} (HMRC: {formatDate(item.due_on, 'short')})
    </Link>
  );
}

/** The open tasks of the day. */
function Tasks({ data, day, to }: { data: CalendarMonth; day: PlainDate; to: string }) {
  const tasks = data.task_days.find(({ due_on: due }) => due === day)?.tasks ?? 0;
  return (
    <Link to={to} className={styles.ownLink}>
      {tasks.toLocaleString('en-GB')} {tasks === 1 ? 'task' : 'tasks'}
      <HiddenText> due on {formatDate(day)}</HiddenText>
    </Link>
  );
}

/** The days of the month that have deadlines, as a list for phones. */
export function MonthAgenda({ data, dayLink, taskLink, chosen }: ViewProps) {
  const byDay = Map.groupBy(data.days, (day) => day.due_on);
  const ownByDay = Map.groupBy(data.own_days, (day) => day.on);
  const taskDays = data.task_days.map(({ due_on: due }) => due);
  const days = [...new Set([...byDay.keys(), ...ownByDay.keys(), ...taskDays])].toSorted();
  return (
    <SectionCard>
      {days.length === 0 ? (
        <Text>Nothing is due this month.</Text>
      ) : (
        <Stack as="ol" gap={0} aria-label="Deadlines this month">
          {days.map((day) => (
            <li key={day} className={styles.day}>
              <TextLink to={dayLink(day)} preventScrollReset aria-current={day === chosen ? 'true' : undefined} className={styles.dayLink}>
                {WEEKDAYS[dayOfWeek(day) - 1]}, {formatDate(day)}
              </TextLink>
              {data.bank_holidays.includes(day) && <div>Bank holiday</div>}
              {(byDay.get(day) ?? []).map((item) => (
                <div key={`${item.tax}-${item.kind}`} className={styles.line}>
                  <TextLink to={dayLink(day)} preventScrollReset inheritsColour>
                    {formatDayGroup(item)}
                  </TextLink>
                  <span>{formatDayAmount(item)}</span>
                </div>
              ))}
              {(ownByDay.get(day) ?? []).map((item) => (
                <div key={`${item.tax}-${item.kind}-${item.due_on}`} className={styles.line}>
                  <OwnDate item={item} to={dayLink(item.due_on)} />
                </div>
              ))}
              {taskDays.includes(day) && (
                <div className={styles.line}>
                  <Tasks data={data} day={day} to={taskLink(day)} />
                </div>
              )}
            </li>
          ))}
        </Stack>
      )}
    </SectionCard>
  );
}

/** Placeholder while a month loads. */
export function MonthSkeleton() {
  return <div className={styles.place} />;
}
