/** Lists one page of the desk. PostgreSQL filters, sorts, determines each row's step and writes the JSON (decision 29). */
import type { DeskRow, deskApi } from '@portal/contract/desk.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import { DESK_SORTS, type DeskSort } from '@portal/domain/operators/desk-steps.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { JsonText } from '../../http/json-text.ts';
import { createCursorError, formatCursor, parseCursor } from '../../http/page-cursor.ts';
import { toConditions, type DeskScope } from './desk-filters.ts';
import { DUE_AT, EXPECTED_ON, FROM_ADVANCES, getStepSql, IS_NEW_TRADER, PAY_BY, RECEIVED, RELEASES, RELEASES_NEEDED } from './desk-sql.ts';

type ListInput = ParsedEndpointInput<typeof deskApi.list>;

/** Sort values with their types. By due date, advances without a payment deadline follow those with one, the longest waiting first. */
export const SORTS: Readonly<Record<DeskSort, { readonly value: SQL; readonly type: string }>> = {
  due: { value: sql`coalesce(${DUE_AT}, a.updated_at + interval '1000 years')`, type: 'timestamptz' },
  refund: { value: sql`a.refund_pence`, type: 'bigint' },
  since: { value: sql`a.updated_at`, type: 'timestamptz' },
  company: { value: sql`lower(c.name)`, type: 'text' },
};

const cursorSchema = z.object({ sort: z.enum(DESK_SORTS), direction: z.enum(['asc', 'desc']), value: z.string().max(200), id: z.uuid() });

const formatInstantSql = (value: SQL): SQL => sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Returns the SQL for each field of the contract's row. A missing or extra field is a compile error. */
function getFields({ now }: DeskScope): Readonly<Record<keyof DeskRow, SQL>> {
  return {
    company_id: sql`a.company_id`,
    advance_id: sql`a.id`,
    company_name: sql`c.name`,
    vrn: sql`c.vrn`,
    state: sql`a.state`,
    step: getStepSql(now, sql`x.releases < x.releases_needed`),
    period_start: sql`a.period_start`,
    period_end: sql`a.period_end`,
    refund_pence: sql`a.refund_pence`,
    net_pence: sql`a.net_pence`,
    outstanding_pence: sql`case when a.state in ('awaiting_hmrc', 'shortfall', 'collecting') then greatest(a.refund_pence - ${RECEIVED}, 0)::bigint else 0 end`,
    since: formatInstantSql(sql`a.updated_at`),
    accepted_at: formatInstantSql(sql`a.accepted_at`),
    pay_by: formatInstantSql(PAY_BY),
    paid_at: formatInstantSql(sql`a.paid_at`),
    repayment_expected_on: EXPECTED_ON,
    releases: sql`x.releases`,
    releases_needed: sql`x.releases_needed`,
    is_new_trader: IS_NEW_TRADER,
    assigned_to: sql`(select json_build_object('user_id', u.id, 'name', u.full_name) from users u where u.id = asg.operator_id)`,
    notes: sql`(select count(*) from reconciliation_notes n where n.company_id = a.company_id and n.subject_id = a.id)`,
  };
}

export async function listDesk(
  { database: { db } }: AppDeps,
  scope: DeskScope,
  input: ListInput,
): Promise<JsonText<EndpointOutput<typeof deskApi.list>>> {
  const { sort, direction, limit } = input;
  const { value, type } = SORTS[sort];
  const cursorPosition = input.cursor === undefined ? undefined : parseDeskCursor(input.cursor, input);
  const afterCursor = cursorPosition
    ? sql`and (${value}, a.id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${cursorPosition.value}::${sql.raw(type)}, ${cursorPosition.id}::uuid)`
    : sql``;
  const order = sql.raw(direction);
  const fields = sql.join(
    Object.entries(getFields(scope)).map(([field, fieldValue]) => sql`${fieldValue} as ${sql.identifier(field)}`),
    sql`, `,
  );
  // The inner statement finds the page's IDs, and only its rows get the other fields.
  const { rows } = await db.execute<{ advances: string; found: number; last_value: string | null; last_id: string | null }>(sql`
    with page as materialized (
      select a.company_id, a.id, ${value} as sort_value, row_number() over (order by ${value} ${order}, a.id ${order}) as place
      from ${FROM_ADVANCES}
      where ${toConditions(input, scope)} ${afterCursor}
      order by ${value} ${order}, a.id ${order}
      limit ${limit + 1}
    )
    select coalesce(json_agg(to_json(listed) order by page.place) filter (where page.place <= ${limit}), '[]')::text as advances,
      count(*)::int as found,
      max(page.sort_value::text) filter (where page.place = ${limit}) as last_value,
      max(page.id::text) filter (where page.place = ${limit}) as last_id
    from page cross join lateral (
      select ${fields} from ${FROM_ADVANCES} cross join lateral (select ${RELEASES} as releases, ${RELEASES_NEEDED} as releases_needed) as x
      where a.company_id = page.company_id and a.id = page.id
    ) as listed`);
  const [page] = rows;
  if (!page) throw new Error('an aggregate answers one row');
  const hasNext = page.found > limit && page.last_value !== null && page.last_id !== null;
  const next = hasNext ? JSON.stringify(formatCursor({ sort, direction, value: page.last_value ?? '', id: page.last_id ?? '' })) : 'null';
  return new JsonText(`{"advances":${page.advances},"next_cursor":${next}}`);
}

/** A cursor belongs to one order. */
function parseDeskCursor(text: string, { sort, direction }: Pick<ListInput, 'sort' | 'direction'>): { value: string; id: string } {
  const cursor = parseCursor(text, cursorSchema);
  if (cursor.sort !== sort || cursor.direction !== direction || !isValidFor(sort, cursor.value)) throw createCursorError();
  return cursor;
}

function isValidFor(sort: DeskSort, value: string): boolean {
  if (sort === 'refund') return /^\d{1,15}$/u.test(value);
  if (sort === 'company') return !value.includes('\0');
  // PostgreSQL writes the time as "2026-11-23 09:14:00.123+00". Advances without a promised time sort last, by a time 1,000 years later.
  const [, date = '', time = ''] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)[+-](?:0\d|1[0-4])$/u.exec(value) ?? [];
  const isInCalendar = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true;
  return isInCalendar && !Number.isNaN(Date.parse(`${date}T${time}Z`));
}
