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
import { formatCursor } from '../../http/page-cursor.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { getFigureColumns, matchesTaxPosition } from './client-figures.ts';
import { buildRowJson } from './client-row-json.ts';
import { buildClientFilter, type ClientFilterSql } from './client-filters.ts';
import { parseClientCursor } from './client-page-cursor.ts';

type ListInput = Omit<ParsedEndpointInput<typeof clientsApi.list>, 'company_id'>;
type ClientPage = EndpointOutput<typeof clientsApi.list>;
export type ClientOrder = { readonly sort: ClientSort; readonly direction: 'asc' | 'desc' };

export type ListClients = (practiceId: string, actor: Actor, input: ListInput, today: PlainDate) => Promise<JsonText<ClientPage>>;

/** Prepares the list for one database. Requests of the same shape reuse a prepared statement. */
export function prepareClientList(db: Db): ListClients {
  const preparedPages = new PreparedStatements<ReturnType<typeof preparePage>>();
  const preparedIds = new PreparedStatements<ReturnType<typeof preparePageIds>>();
  const preparedRows = new PreparedStatements<ReturnType<typeof prepareRows>>();
  return async (practiceId, actor, input, today) => {
    const order = toClientOrder(input);
    const filter = buildClientFilter(practiceId, input, { assignedTo: getAssigneeLimit(actor), today });
    const cursorPosition = input.cursor === undefined ? undefined : parseClientCursor(input.cursor, order);
    const hasCursor = cursorPosition !== undefined;
    const values = { ...filter.values, ...(hasCursor ? { afterValue: cursorPosition.value, afterId: cursorPosition.client_id } : {}) };
    // The number of rows is part of the statement, so that PostgreSQL can plan it once. The screens all use the same number.
    const isUsualSize = input.limit === DEFAULT_PAGE_SIZE;
    const key = `${order.sort} ${order.direction} ${hasCursor ? 'on' : 'first'} ${filter.shape}`;
    if (filter.isPlannedEachTime) {
      const prepareIds = () => preparePageIds(db, filter, order, { hasCursor, rows: input.limit + 1 });
      const foundRows = await (isUsualSize ? preparedIds.get(key, prepareIds) : prepareIds()).execute(values);
      const ids = foundRows.slice(0, input.limit).map(({ id }) => id);
      const rows = preparedRows.get(`rows ${filter.shape}`, (name) => prepareRows(db, filter, name));
      const [page] = ids.length === 0 ? [] : await rows.execute({ ...values, ids: ids.join(',') });
      return toPage(order, {
        clients: page?.clients ?? '[]',
        found: foundRows.length,
        limit: input.limit,
        last: foundRows[input.limit - 1],
      });
    }
    const prepare = (name: string) => preparePage(db, filter, order, { hasCursor, limit: input.limit, name });
    const statement = isUsualSize ? preparedPages.get(key, prepare) : prepare(EMPTY_NAME);
    const [page] = await statement.execute(values);
    if (!page) throw new Error('an aggregate answers one row');
    const { clients, found, lastValue, lastId } = page;
    return toPage(order, { clients, found, limit: input.limit, last: lastId === null ? undefined : { id: lastId, value: lastValue } });
  };
}

type FoundPage = {
  readonly clients: string;
  readonly found: number;
  readonly limit: number;
  readonly last: { readonly id: string; readonly value: string | number | null } | undefined;
};

function toPage(order: ClientOrder, { clients, found, limit, last }: FoundPage): JsonText<ClientPage> {
  const next = found > limit && last !== undefined && last.value !== null ? { value: last.value, client_id: last.id } : undefined;
  return new JsonText(`{"clients":${clients},"next_cursor":${next ? `"${formatCursor({ ...order, ...next })}"` : 'null'}}`);
}

class PreparedStatements<Statement> {
  readonly #statements = new Map<string, Statement>();

  get(key: string, prepare: (name: string) => Statement): Statement {
    const existing = this.#statements.get(key);
    if (existing !== undefined) return existing;
    const statement = prepare(toStatementName(key));
    if (this.#statements.size < MAX_PREPARED_STATEMENTS) this.#statements.set(key, statement);
    return statement;
  }
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
  const rows = selectPage(db, filter, { sort, direction }, { hasCursor, rows: limit + 1, isIds: false });
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

/**
 * Prepares the IDs of a page and the next client's, with the values that order them. It has no name, so PostgreSQL plans it for each call's
 * values. Without the JSON, that takes a third of the time.
 */
function preparePageIds(db: Db, filter: ClientFilterSql, order: ClientOrder, range: Omit<PageRange, 'isIds'>) {
  const { name } = getSortColumn(order.sort, filter);
  return db
    .select({ id: sql<string>`page.client_id`, value: sql<string | number | null>`page.${sql.identifier(name)}` })
    .from(sql`(${selectPage(db, filter, order, { ...range, isIds: true })}) as page`)
    .prepare(EMPTY_NAME);
}

/** Prepares the JSON of the clients in the placeholder `ids`, in their order. Its plan is the same for all IDs, so it is planned once. */
function prepareRows(db: Db, filter: ClientFilterSql, name: string) {
  const listedIds = sql`unnest(string_to_array(${sql.placeholder('ids')}, ',')::uuid[]) with ordinality as listed(id, place)`;
  const rows = selectRows(db, filter.tax, clientRows, { value: sql`listed.place`, name: 'place' })
    .innerJoin(listedIds, sql`listed.id = ${clientRows.clientId}`)
    .where(sql`${clientRows.companyId} = ${sql.placeholder('companyId')}`);
  return db
    .select({ clients: sql<string>`'[' || coalesce(string_agg(${buildRowJson(filter)}, ',' order by page.place), '') || ']'` })
    .from(sql`(${rows.getSQL()}) as page`)
    .prepare(name);
}

/** `isIds` selects only the IDs and the values to sort by. */
type PageRange = { readonly hasCursor: boolean; readonly rows: number; readonly isIds: boolean };

/** Selects the first rows in order, or those after the cursor. */
function selectPage(db: Db, filter: ClientFilterSql, { sort, direction }: ClientOrder, { hasCursor, rows, isIds }: PageRange): SQL {
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
    const selected = isIds
      ? selectSortedIds(db, tax, from, { value: sortValue, name })
      : selectRows(db, tax, from, isByFirstDate ? FIRST_DATE : undefined);
    const orderedClients = joinFirstDate(selected, sort, filter)
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

/** Selects the same rows, but only their IDs and the values to sort by. */
function selectSortedIds(
  db: Db,
  tax: Tax | undefined,
  from: typeof clientRows,
  { value, name }: { readonly value: SQL; readonly name: string },
) {
  const query = db
    .select({ id: clientRows.clientId, value: sql`${value}`.as(name) })
    .from(from)
    .$dynamic();
  return tax === undefined ? query : query.leftJoin(taxPositions, matchesTaxPosition(tax));
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
