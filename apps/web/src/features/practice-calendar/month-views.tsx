import { formatPounds, pence, sumPence, type Pence } from '@portal/domain/money.ts';
import clsx from 'clsx';
import { addDays, formatDate, getDayOfWeek, type PlainDate } from '@portal/domain/plain-date.ts';
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
  getDayLink: (day: PlainDate) => string;
  /** Returns the link to a day's tasks. */
  getTaskLink: (day: PlainDate) => string;
  chosenDay: PlainDate | undefined;
};
type DayGroup = CalendarMonth['days'][number];

/** Formats a group, for example "VAT: 3 returns". */
export function formatDayGroup({ tax, kind, items }: Pick<DayGroup, 'tax' | 'kind' | 'items'>): string {
  const name = tax === 'ct' ? 'CT' : tax === 'sa' ? 'SA' : TAX_NAMES[tax];
  return `${name}: ${items.toLocaleString('en-GB')} ${getItemName(kind, items)}`;
}

/** Formats the known amount of a group, with "at least" while some amounts are unknown. Returns undefined if no amount is known. */
export function formatDayAmount({ amount_pence: amount, unknown_amounts: unknownCount }: DayGroup): string | undefined {
  if (amount === null || amount === 0) return undefined;
  return `${unknownCount > 0 ? 'At least ' : ''}${formatPounds(pence(Math.abs(amount)))}`;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The month as weeks from Monday to Sunday, for wide screens. */
export function MonthGrid({ data, getDayLink, getTaskLink, chosenDay }: ViewProps) {
  const groupsByDay = Map.groupBy(data.days, (day) => day.due_on);
  const ownDaysByDate = Map.groupBy(data.own_days, (day) => day.on);
  const start = addDays(data.first, 1 - getDayOfWeek(data.first));
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
                items={groupsByDay.get(day) ?? []}
                ownDays={ownDaysByDate.get(day) ?? []}
                data={data}
                getDayLink={getDayLink}
                getTaskLink={getTaskLink}
                isChosen={day === chosenDay}
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
  ownDays: readonly OwnDay[];
  data: CalendarMonth;
  getDayLink: (day: PlainDate) => string;
  getTaskLink: (day: PlainDate) => string;
  isChosen: boolean;
  isOutside: boolean;
};

function DayCell({ day, items, ownDays, data, getDayLink, getTaskLink, isChosen, isOutside }: DayCellProps) {
  if (isOutside) return <td aria-label="Another month" className={styles.free} />;
  const isHoliday = data.bank_holidays.includes(day);
  const isNonWorkingDay = isHoliday || getDayOfWeek(day) > 5;
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
        <Link to={getDayLink(day)} preventScrollReset className={styles.due}>
          <HiddenText>{formatDate(day)}:</HiddenText>
          {items.map((item) => (
            <span key={`${item.tax}-${item.kind}`}>{formatDayGroup(item)}</span>
          ))}
          <DayAmounts items={items} />
        </Link>
      )}
      {ownDays.map((item) => (
        <div key={`${item.tax}-${item.kind}-${item.due_on}`} className={styles.own}>
          <OwnDate item={item} to={getDayLink(item.due_on)} />
        </div>
      ))}
      {data.task_days.some(({ due_on: due }) => due === day) && (
        <div className={styles.own}>
          <DayTasks data={data} day={day} to={getTaskLink(day)} />
        </div>
      )}
    </td>
  );
}

/** The known amounts that are due to HMRC, and expected from it, on the day. */
function DayAmounts({ items }: { items: readonly DayGroup[] }) {
  const sum = (isRefund: boolean) => {
    const monthItems = items.filter(({ what }) => (what === 'refund') === isRefund);
    const amount: Pence = sumPence(monthItems.map(({ amount_pence: one }) => pence(Math.abs(one ?? 0))));
    return { amount, atLeast: monthItems.some(({ unknown_amounts: unknownCount }) => unknownCount > 0) ? ' at least' : '' };
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
function DayTasks({ data, day, to }: { data: CalendarMonth; day: PlainDate; to: string }) {
  const tasks = data.task_days.find(({ due_on: due }) => due === day)?.tasks ?? 0;
  return (
    <Link to={to} className={styles.ownLink}>
      {tasks.toLocaleString('en-GB')} {tasks === 1 ? 'task' : 'tasks'}
      <HiddenText> due on {formatDate(day)}</HiddenText>
    </Link>
  );
}

/** The days of the month that have deadlines, as a list for phones. */
export function MonthAgenda({ data, getDayLink, getTaskLink, chosenDay }: ViewProps) {
  const groupsByDay = Map.groupBy(data.days, (day) => day.due_on);
  const ownDaysByDate = Map.groupBy(data.own_days, (day) => day.on);
  const taskDays = data.task_days.map(({ due_on: due }) => due);
  const days = [...new Set([...groupsByDay.keys(), ...ownDaysByDate.keys(), ...taskDays])].toSorted();
  return (
    <SectionCard>
      {days.length === 0 ? (
        <Text>Nothing is due this month.</Text>
      ) : (
        <Stack as="ol" gap={0} aria-label="Deadlines this month">
          {days.map((day) => (
            <li key={day} className={styles.day}>
              <TextLink
                to={getDayLink(day)}
                preventScrollReset
                aria-current={day === chosenDay ? 'true' : undefined}
                className={styles.dayLink}
              >
                {WEEKDAYS[getDayOfWeek(day) - 1]}, {formatDate(day)}
              </TextLink>
              {data.bank_holidays.includes(day) && <div>Bank holiday</div>}
              {(groupsByDay.get(day) ?? []).map((item) => (
                <div key={`${item.tax}-${item.kind}`} className={styles.line}>
                  <TextLink to={getDayLink(day)} preventScrollReset inheritsColour>
                    {formatDayGroup(item)}
                  </TextLink>
                  <span>{formatDayAmount(item)}</span>
                </div>
              ))}
              {(ownDaysByDate.get(day) ?? []).map((item) => (
                <div key={`${item.tax}-${item.kind}-${item.due_on}`} className={styles.line}>
                  <OwnDate item={item} to={getDayLink(item.due_on)} />
                </div>
              ))}
              {taskDays.includes(day) && (
                <div className={styles.line}>
                  <DayTasks data={data} day={day} to={getTaskLink(day)} />
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
