/**
 * One page of the client list. PostgreSQL walks the index of the sort order from the end of the previous page and writes the JSON (decision
 * 29).
 */
import { createHash } from 'node:crypto';
import type { ClientRow, ClientSort, clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, desc, sql, type SQL } from 'drizzle-orm';
import { JsonText } from '../../http/json-text.ts';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
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
    const {
      conditions,
      values,
      shape,
      hasSearch: isSearched,
    } = buildClientFilter(practiceId, input, { assignedTo: getAssigneeLimit(actor), today });
    const after = input.cursor === undefined ? undefined : parseCursor(input.cursor, order);
    const key = `${order.sort} ${order.direction} ${after ? 'on' : 'first'} ${shape}`;
    const existing = prepared.get(key);
    const statement =
      existing ??
      preparePage(db, conditions(), order, { hasCursor: after !== undefined, name: isSearched ? UNNAMED : toStatementName(key) });
    if (!existing && prepared.size < MAX_PREPARED_STATEMENTS) prepared.set(key, statement);
    const [page] = await statement.execute({
      ...values,
      limit: input.limit,
      // One extra row shows whether there is a next page.
      limitAndOne: input.limit + 1,
      ...(after ? { afterValue: after.value, afterId: after.client_id } : {}),
    });
    if (!page) throw new Error('an aggregate answers one row');
    const { clients, found, lastValue, lastId } = page;
    const next = found > input.limit && lastValue !== null && lastId !== null ? { value: lastValue, client_id: lastId } : undefined;
    return new JsonText(`{"clients":${clients},"next_cursor":${next ? `"${formatCursor({ ...order, ...next })}"` : 'null'}}`);
  };
}

/** Each connection keeps its prepared statements in memory. Users need only a few shapes. */
const MAX_PREPARED_STATEMENTS = 200;

/** The driver plans an unnamed statement for the values of each call. */
const UNNAMED = '';

/** PostgreSQL truncates statement names to 63 bytes, and two statements with one name are an error. */
function toStatementName(shape: string): string {
  return `client_list_${createHash('sha256').update(shape).digest('base64url').slice(0, 22)}`;
}

const SORT_COLUMNS = {
  next_due: clientRows.nextDueOn,
  name: clientRows.sortName,
  overdue: clientRows.overduePence,
  owed: clientRows.owedPence,
  refund: clientRows.refundPence,
} as const;

const SORT_CASTS = {
  next_due: sql`::date`,
  name: sql`::text`,
  overdue: sql`::bigint`,
  owed: sql`::bigint`,
  refund: sql`::bigint`,
} as const;

/** The SQL for each field of the contract's row. A missing or unlisted field does not compile. */
const LISTED: Readonly<Record<keyof ClientRow, SQL>> = {
  client_id: sql`page.client_id`,
  name: sql`page.name`,
  kind: sql`page.kind`,
  status: sql`page.status`,
  vrn: sql`page.vrn`,
  utr: sql`page.utr`,
  company_number: sql`page.company_number`,
  client_code: sql`page.client_code`,
  // The same order as in listTaxes.
  taxes: sql`array_remove(array[case when page.has_vat then 'vat' end, case when page.has_paye then 'paye' end,
    case when page.has_ct then 'ct' end, case when page.has_sa then 'sa' end], null)`,
  next_due_on: sql`nullif(page.next_due_on, ${sql.raw(`'${NEVER_DUE}'`)})`,
  next_due_tax: sql`page.next_due_tax`,
  next_due_what: sql`page.next_due_what`,
  next_due_pence: sql`page.next_due_pence`,
  owed_pence: sql`page.owed_pence`,
  overdue_pence: sql`page.overdue_pence`,
  refund_pence: sql`page.refund_pence`,
  attention: sql`page.attention`,
  // Only upsert-client-rows.ts writes these members, with exactly the contract's three fields.
  members: sql`page.members`,
  as_of: sql`to_char(page.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/**
 * Prepares one page as PostgreSQL writes it: its JSON, the number of rows found (at most one more than requested) and the position of the
 * page's end.
 */
function preparePage(
  db: Db,
  conditions: readonly SQL[],
  { sort, direction }: ClientOrder,
  { hasCursor, name }: { readonly hasCursor: boolean; readonly name: string },
) {
  const sortColumn = SORT_COLUMNS[sort];
  const inDirection = direction === 'asc' ? asc : desc;
  const afterCursor = sql`(${sortColumn}, ${clientRows.clientId}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.placeholder('afterValue')}${SORT_CASTS[sort]}, ${sql.placeholder('afterId')}::uuid)`;
  const rows = db
    .select()
    .from(clientRows)
    .where(and(...conditions, hasCursor ? afterCursor : undefined))
    .orderBy(inDirection(sortColumn), inDirection(clientRows.clientId))
    .limit(sql.placeholder('limitAndOne'));
  const fields = sql.join(
    Object.entries(LISTED).map(([field, value]) => sql`${value} as ${sql.identifier(field)}`),
    sql`, `,
  );
  const limit = sql`${sql.placeholder('limit')}::int`;
  const query = db
    .select({
      clients: sql<string>`coalesce(json_agg(listed) filter (where page.place <= ${limit}), '[]')::text`,
      found: sql<number>`count(*)::int`,
      lastValue: sql<string | number | null>`max(page.${sql.identifier(sortColumn.name)}) filter (where page.place = ${limit})`,
      lastId: sql<string | null>`max(page.client_id::text) filter (where page.place = ${limit})`,
    })
    .from(
      sql`(select *, row_number() over () as place from (${rows.getSQL()}) as rows) as page cross join lateral (select ${fields}) as listed`,
    );
  return query.prepare(name);
}

/** IDs of all matching clients in order, for exports and bulk actions. */
export async function listClientIds(
  db: Db | Tx,
  { conditions, values }: ClientFilterSql,
  { sort, direction }: ClientOrder,
): Promise<string[]> {
  const inDirection = direction === 'asc' ? asc : desc;
  const rows = await db
    .select({ id: clientRows.clientId })
    .from(clientRows)
    .where(and(...conditions()))
    .orderBy(inDirection(SORT_COLUMNS[sort]), inDirection(clientRows.clientId))
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
