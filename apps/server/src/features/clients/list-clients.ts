/**
 * Lists one page of clients. PostgreSQL scans the sort order's index from the end of the previous page and writes the JSON (decision 29).
 */
import { createHash } from 'node:crypto';
import { DEFAULT_PAGE_SIZE, type ClientSort, type clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientRows, taxPositions } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, desc, getTableColumns, sql, type SQL } from '@portal/db/sql.ts';
import { JsonText } from '../../http/json-text.ts';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { getFigureColumns, matchesTaxPosition } from './client-figures.ts';
import { buildRowJson } from './client-row-json.ts';
import { buildClientFilter, type ClientFilterSql } from './client-filters.ts';
import { formatCursor, parseCursor } from './client-page-cursor.ts';

type ListInput = Omit<ParsedEndpointInput<typeof clientsApi.list>, 'company_id'>;
type ClientPage = EndpointOutput<typeof clientsApi.list>;
export type ClientOrder = { readonly sort: ClientSort; readonly direction: 'asc' | 'desc' };

export type ListClients = (practiceId: string, actor: Actor, input: ListInput, today: PlainDate) => Promise<JsonText<ClientPage>>;

/** Prepares the list for one database. Requests of the same shape reuse a prepared statement. */
export function prepareClientList(db: Db): ListClients {
  const prepared = new Map<string, ReturnType<typeof preparePage>>();
  return async (practiceId, actor, input, today) => {
    const order = toClientOrder(input);
    const filter = buildClientFilter(practiceId, input, { assignedTo: getAssigneeLimit(actor), today });
    const { values, shape, isPlannedEachTime } = filter;
    const cursorPosition = input.cursor === undefined ? undefined : parseCursor(input.cursor, order);
    const key = `${order.sort} ${order.direction} ${cursorPosition ? 'on' : 'first'} ${shape}`;
    // The number of rows is part of the statement, so that PostgreSQL can plan it once. The screens all use the same number.
    const isUsualSize = input.limit === DEFAULT_PAGE_SIZE;
    const existing = isUsualSize ? prepared.get(key) : undefined;
    const statement =
      existing ??
      preparePage(db, filter, order, {
        hasCursor: cursorPosition !== undefined,
        limit: input.limit,
        name: isPlannedEachTime || !isUsualSize ? EMPTY_NAME : toStatementName(key),
      });
    if (!existing && isUsualSize && prepared.size < MAX_PREPARED_STATEMENTS) prepared.set(key, statement);
    const [page] = await statement.execute({
      ...values,
      ...(cursorPosition ? { afterValue: cursorPosition.value, afterId: cursorPosition.client_id } : {}),
    });
    if (!page) throw new Error('an aggregate answers one row');
    const { clients, found, lastValue, lastId } = page;
    const next = found > input.limit && lastValue !== null && lastId !== null ? { value: lastValue, client_id: lastId } : undefined;
    return new JsonText(`{"clients":${clients},"next_cursor":${next ? `"${formatCursor({ ...order, ...next })}"` : 'null'}}`);
  };
}

/** Each connection keeps its prepared statements in memory. Users need only a few shapes. */
const MAX_PREPARED_STATEMENTS = 200;

/** The driver plans an unnamed statement for each call's values. */
const EMPTY_NAME = '';

/** PostgreSQL truncates statement names to 63 bytes, and two statements with the same name cause an error. */
function toStatementName(shape: string): string {
  return `client_list_${createHash('sha256').update(shape).digest('base64url').slice(0, 22)}`;
}

/** The first date that a date filter found, as joined by `joinFirstDate`. */
const FIRST_DATE = { value: sql`first_date.due_on`, name: 'first_date_on' };

/** Returns the column to sort by. If the list is filtered to one tax, it is that tax's column; if it is filtered by date, the date found. */
function getSortColumn(sort: ClientSort, { tax, getFirstDate }: ClientFilterSql): { readonly value: SQL; readonly name: string } {
  if (sort === 'next_due' && getFirstDate() !== undefined) return FIRST_DATE;
  const { nextDueOn, overduePence, owedPence, refundPence } = getFigureColumns(tax);
  switch (sort) {
    case 'next_due':
      return { value: nextDueOn, name: 'next_due_on' };
    case 'name':
      return { value: sql`${clientRows.sortName}`, name: 'sort_name' };
    case 'overdue':
      return { value: overduePence, name: 'overdue_pence' };
    case 'owed':
      return { value: owedPence, name: 'owed_pence' };
    case 'refund':
      return { value: refundPence, name: 'refund_pence' };
  }
}

const SORT_CASTS = {
  next_due: sql`::date`,
  name: sql`::text`,
  overdue: sql`::bigint`,
  owed: sql`::bigint`,
  refund: sql`::bigint`,
} as const;

/**
 * Prepares one page as PostgreSQL returns it: its JSON, the number of rows found (at most one more than requested) and the position of the
 * page's end.
 */
function preparePage(
  db: Db,
  filter: ClientFilterSql,
  { sort, direction }: ClientOrder,
  { hasCursor, limit, name }: { readonly hasCursor: boolean; readonly limit: number; readonly name: string },
) {
  const { name: sortName } = getSortColumn(sort, filter);
  // One extra row shows whether there is a next page.
  const rows = selectPage(db, filter, { sort, direction }, { hasCursor, rows: limit + 1 });
  const size = sql.raw(String(limit));
  const query = db
    .select({
      clients: sql<string>`'[' || coalesce(string_agg(${buildRowJson(filter)}, ',') filter (where page.place <= ${size}), '') || ']'`,
      found: sql<number>`count(*)::int`,
      lastValue: sql<string | number | null>`max(page.${sql.identifier(sortName)}) filter (where page.place = ${size})`,
      lastId: sql<string | null>`max(page.client_id::text) filter (where page.place = ${size})`,
    })
    .from(sql`(select *, row_number() over () as place from (${rows}) as rows) as page`);
  return query.prepare(name);
}

/** Selects the first rows in order, or those after the cursor. */
function selectPage(
  db: Db,
  filter: ClientFilterSql,
  { sort, direction }: ClientOrder,
  { hasCursor, rows }: { readonly hasCursor: boolean; readonly rows: number },
): SQL {
  const { tax, conditions, rows: from } = filter;
  const { value: sortValue, name } = getSortColumn(sort, filter);
  const orderByDirection = (value: SQL) => (direction === 'asc' ? asc(value) : desc(value));
  const id = sql`${clientRows.clientId}`;
  const limit = sql.raw(String(rows));
  const isByFirstDate = name === FIRST_DATE.name;
  // The condition on the date alone is redundant, but lets PostgreSQL start its index scan there.
  const fromCursor = isByFirstDate
    ? sql`${sortValue} ${sql.raw(direction === 'asc' ? '>=' : '<=')} ${sql.placeholder('afterValue')}::date`
    : undefined;
  const afterCursor = sql`(${sortValue}, ${clientRows.clientId}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.placeholder('afterValue')}${SORT_CASTS[sort]}, ${sql.placeholder('afterId')}::uuid)`;
  const select = (orderBy: readonly SQL[], part?: SQL): SQL => {
    const orderedClients = joinFirstDate(selectRows(db, tax, from, isByFirstDate ? FIRST_DATE : undefined), sort, filter)
      .where(and(...conditions(isByFirstDate ? 'without_dates' : undefined), ...(hasCursor ? [fromCursor, afterCursor] : []), part))
      .orderBy(...orderBy.map(orderByDirection));
    return sql`${orderedClients.getSQL()} limit ${limit}`;
  };
  if (tax === undefined || sort === 'next_due' || sort === 'name') return select([sortValue, id]);
  // Amounts for one tax aren't indexed. Few clients have one, and those also have an amount over all taxes, which is indexed. All others
  // have zero, so they are ordered by ID alone. A single query would read and sort every position of the tax.
  const [overall, amount] = SORT_AMOUNTS[sort];
  const parts = [
    select([sortValue, id], sql`${overall} > 0 and ${amount} > 0`),
    select([id], sql`(${overall} <= 0 or ${amount} <= 0 or ${amount} is null)`),
  ];
  return sql`select * from (${sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )}) as parts order by ${orderByDirection(sql`${sql.identifier(name)}`)}, ${orderByDirection(sql`client_id`)} limit ${limit}`;
}

/** The columns of each amount: over all taxes, and for one tax. */
const SORT_AMOUNTS = {
  overdue: [clientRows.overduePence, taxPositions.overduePence],
  owed: [clientRows.owedPence, taxPositions.owedPence],
  refund: [clientRows.refundPence, taxPositions.refundPence],
} as const;

/** Joins the dates that a date filter found, if the list is sorted by them. */
function joinFirstDate<Query extends { innerJoin: (table: SQL, joinCondition: SQL) => unknown }>(
  query: Query,
  sort: ClientSort,
  { getFirstDate }: ClientFilterSql,
): Query {
  const firstDate = sort === 'next_due' ? getFirstDate() : undefined;
  return firstDate === undefined
    ? query
    : (query.innerJoin(sql`(${firstDate}) first_date`, sql`first_date.client_id = ${clientRows.clientId}`) as Query);
}

/** Selects the list rows. If filtered to one tax, its figures replace the totals over all taxes. `extra` is one more column. */
export function selectRows(db: Db | Tx, tax: Tax | undefined, from = clientRows, extra?: { readonly value: SQL; readonly name: string }) {
  const columns = { ...getTableColumns(clientRows), ...(extra ? ({ extra: extra.value.as(extra.name) } as object) : {}) };
  if (tax === undefined) return db.select(columns).from(from).$dynamic();
  const figures = Object.fromEntries(
    Object.entries(getFigureColumns(tax)).map(([key, value]) => {
      const column = columns[key as keyof ReturnType<typeof getFigureColumns>];
      return [key, value.mapWith(column).as(column.name)];
    }),
  );
  // Each figure has the type of the column it replaces.
  return db
    .select({ ...columns, ...(figures as object) })
    .from(from)
    .leftJoin(taxPositions, matchesTaxPosition(tax))
    .$dynamic();
}

/** Returns the IDs of all matching clients in order, for exports and bulk actions. */
export async function listClientIds(db: Db | Tx, filter: ClientFilterSql, { sort, direction }: ClientOrder): Promise<string[]> {
  const { conditions, values, tax } = filter;
  const orderByDirection = direction === 'asc' ? asc : desc;
  const query = db.select({ id: clientRows.clientId }).from(clientRows).$dynamic();
  const rows = await joinFirstDate(tax === undefined ? query : query.leftJoin(taxPositions, matchesTaxPosition(tax)), sort, filter)
    .where(and(...conditions()))
    .orderBy(orderByDirection(getSortColumn(sort, filter).value), orderByDirection(clientRows.clientId))
    .prepare('')
    .execute(values);
  return rows.map(({ id }) => id);
}

export function toClientOrder({ sort, direction }: Pick<ListInput, 'sort' | 'direction'>): ClientOrder {
  return { sort, direction: direction ?? (sort === 'next_due' || sort === 'name' ? 'asc' : 'desc') };
}

export function listTaxes(row: { hasVat: boolean; hasPaye: boolean; hasCt: boolean; hasSa: boolean }): Tax[] {
  const taxes: Tax[] = [];
  if (row.hasVat) taxes.push('vat');
  if (row.hasPaye) taxes.push('paye');
  if (row.hasCt) taxes.push('ct');
  if (row.hasSa) taxes.push('sa');
  return taxes;
}
