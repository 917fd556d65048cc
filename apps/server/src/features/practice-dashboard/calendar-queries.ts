/** A month's due items, summed by day, tax and kind, and the items of one day, page by page. */
import type { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows, dueItems, practices } from '@portal/db/schema/schema.ts';
import type { Pence } from '@portal/domain/money.ts';
import { addDays, getEndOfMonth, toDateParts, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { getBankHolidays } from '@portal/domain/uk-tax/calendar/bank-holidays.ts';
import { getPaymentDays } from '@portal/domain/uk-tax/calendar/payment-days.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { and, asc, between, count, eq, notInArray, sql, type SQL } from '@portal/db/sql.ts';
import { z } from 'zod';
import { formatCursor, parseCursor, storableTextSchema } from '../../http/page-cursor.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { countWorkDays } from '../work-items/count-work-days.ts';
import { getInternalDeadline } from '@portal/domain/practice/internal-deadline.ts';
import { DUE_ITEM_COLUMNS } from '../positions/due-item-columns.ts';

type Calendar = EndpointOutput<typeof practiceDashboardApi.calendar>;
type CalendarFilter = { readonly tax?: Tax | undefined; readonly member?: string | undefined };
export type DueOnDay = Calendar['days'][number];

export async function getCalendar(
  db: Db,
  practiceId: string,
  actor: Actor,
  input: Omit<ParsedEndpointInput<typeof practiceDashboardApi.calendar>, 'company_id'>,
  today: PlainDate,
): Promise<Calendar> {
  const first = plainDate(`${input.month}-01`);
  const last = getEndOfMonth(first);
  const days = await sumDays(db, actor, practiceId, { first, last }, input);
  const holidays = getValueOrForecast(getBankHolidays(toDateParts(first).year)) ?? [];
  const payDays = [...new Set(days.filter(({ what }) => what === 'payment').map((day) => day.due_on))];
  return {
    today,
    first,
    last,
    days,
    own_days: await listOwnDays(db, actor, practiceId, { first, last }, input),
    task_days: await countWorkDays(db, actor, practiceId, { first, last, ownerId: input.member ?? actor.userId }),
    bank_holidays: holidays.filter((day) => day >= first && day <= last),
    pay_before: payDays.flatMap((due) => {
      const { chaps_by: chapsBy } = getPaymentDays(due);
      const day = getValueOrForecast(chapsBy);
      return day === undefined || day === due ? [] : [{ due_on: due, cleared_by: day, is_certain: chapsBy.known }];
    }),
  };
}

/** 60 working days, the longest lead time, in calendar days including bank holidays. */
const MAX_LEAD_DAYS = 100;

/** Lists the practice's own dates within a range, each with the HMRC date that it precedes. */
export async function listOwnDays(
  db: Db,
  actor: Actor,
  companyId: string,
  { first, last }: { readonly first: PlainDate; readonly last: PlainDate },
  filter: CalendarFilter = {},
): Promise<Calendar['own_days']> {
  const [practice] = await db.select({ leadDays: practices.leadDays }).from(practices).where(eq(practices.companyId, companyId));
  const leadDays = practice?.leadDays ?? {};
  if (Object.keys(leadDays).length === 0) return [];
  const days = await sumDays(db, actor, companyId, { first, last: addDays(last, MAX_LEAD_DAYS) }, filter);
  return days.flatMap((day) => {
    const ownDate = getInternalDeadline(leadDays, day.tax, day.what, day.due_on);
    return ownDate === undefined || ownDate < first || ownDate > last ? [] : [{ ...day, on: ownDate }];
  });
}

/** Returns due items within a range, summed by day, tax and kind. Quarterly updates don't count as returns. */
export async function sumDays(
  db: Db,
  actor: Actor,
  companyId: string,
  { first, last }: { readonly first: PlainDate; readonly last: PlainDate },
  filter: CalendarFilter = {},
): Promise<DueOnDay[]> {
  return db
    .select({
      due_on: dueItems.dueOn,
      tax: dueItems.tax,
      what: dueItems.what,
      kind: dueItems.kind,
      items: count(),
      amount_pence: sql`sum(${dueItems.amountPence})::bigint`.mapWith((sum: unknown) => Number(sum) as Pence | null),
      unknown_amounts: sql<number>`count(*) filter (where ${dueItems.what} <> 'return' and ${dueItems.amountPence} is null)::int`,
    })
    .from(dueItems)
    .innerJoin(clientRows, isClientOfItem())
    .where(and(eq(dueItems.companyId, companyId), between(dueItems.dueOn, first, last), isVisible(actor, filter)))
    .groupBy(dueItems.dueOn, dueItems.tax, dueItems.what, dueItems.kind)
    .orderBy(asc(dueItems.dueOn), asc(dueItems.tax), asc(dueItems.what), asc(dueItems.kind));
}

const cursorSchema = z.tuple([storableTextSchema, z.uuid(), z.enum(TAXES), storableTextSchema]);

/** An item that is due, with its client. */
export const CLIENT_ITEM_COLUMNS = {
  client_id: dueItems.clientId,
  client_name: clientRows.name,
  sortName: clientRows.sortName,
  tax: dueItems.tax,
  ...DUE_ITEM_COLUMNS,
};

export async function getCalendarDay(
  db: Db,
  practiceId: string,
  actor: Actor,
  input: Omit<ParsedEndpointInput<typeof practiceDashboardApi.calendarDay>, 'company_id'>,
): Promise<EndpointOutput<typeof practiceDashboardApi.calendarDay>> {
  const cursorPosition = input.cursor === undefined ? undefined : parseCursor(input.cursor, cursorSchema, 'Open the day again.');
  const afterCursor =
    cursorPosition &&
    sql`(${clientRows.sortName}, ${dueItems.clientId}, ${dueItems.tax}, ${dueItems.key}) > (${cursorPosition[0]}, ${cursorPosition[1]}::uuid, ${cursorPosition[2]}, ${cursorPosition[3]})`;
  const kindCondition = and(
    input.what === undefined ? undefined : eq(dueItems.what, input.what),
    input.kind === undefined ? undefined : eq(dueItems.kind, input.kind),
  );
  const rows = await db
    .select(CLIENT_ITEM_COLUMNS)
    .from(dueItems)
    .innerJoin(clientRows, isClientOfItem())
    .where(and(eq(dueItems.companyId, practiceId), eq(dueItems.dueOn, input.day), kindCondition, isVisible(actor, input), afterCursor))
    .orderBy(asc(clientRows.sortName), asc(dueItems.clientId), asc(dueItems.tax), asc(dueItems.key))
    .limit(input.limit + 1);
  const pageRows = rows.slice(0, input.limit);
  const last = rows.length > input.limit ? pageRows.at(-1) : undefined;
  const cursor = last && formatCursor([last.sortName, last.client_id, last.tax, last.key]);
  return { items: pageRows.map(({ sortName: _sortName, due_on: _dueOn, ...item }) => item), next_cursor: cursor ?? null };
}

export function isClientOfItem(): SQL | undefined {
  return and(eq(clientRows.companyId, dueItems.companyId), eq(clientRows.clientId, dueItems.clientId));
}

/** Matches active clients that the user can see, limited by the filter. */
export function isVisible(actor: Actor, { tax, member }: CalendarFilter): SQL | undefined {
  return and(
    notInArray(clientRows.status, ['inactive', 'closed']),
    isVisibleTo(actor, dueItems.companyId, dueItems.clientId),
    tax === undefined ? undefined : eq(dueItems.tax, tax),
    member === undefined
      ? undefined
      : sql`exists (select from client_members cm where cm.company_id = ${dueItems.companyId} and cm.client_id = ${dueItems.clientId} and cm.user_id = ${member})`,
  );
}
