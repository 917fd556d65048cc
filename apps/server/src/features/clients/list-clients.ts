/** One page of the client list: one walk along the index of its order, from where the page before ended. Nothing is counted here. */
import { createHash } from 'node:crypto';
import type { ClientRow, ClientSort, clientsApi } from '@portal/contract/clients.ts';
import type { OutputOf, ParsedInputOf } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/practice/positions/summarise-client.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, desc, sql, type SQL } from 'drizzle-orm';
import type { Actor } from '../../http/session.ts';
import { narrowedTo } from '../positions/seen-clients.ts';
import { narrowClients, type ClientNarrowing } from './client-filters.ts';
import { formatCursor, parseCursor, type ClientPageCursor } from './client-page-cursor.ts';

type ListInput = Omit<ParsedInputOf<typeof clientsApi.list>, 'company_id'>;
export type ClientOrder = { readonly sort: ClientSort; readonly direction: 'asc' | 'desc' };

export type ListClients = (
  practiceId: string,
  actor: Actor,
  input: ListInput,
  today: PlainDate,
) => Promise<OutputOf<typeof clientsApi.list>>;

/** Prepares the list of one database: what is asked again in the same shape is the same statement. */
export function prepareClientList(db: Db): ListClients {
  const pages = prepareClientPages(db);
  return async (practiceId, actor, input, today) => {
    const order = orderOf(input);
    const narrowing = narrowClients(practiceId, input, { assignedTo: narrowedTo(actor), today });
    const after = input.cursor === undefined ? undefined : parseCursor(input.cursor, order);
    // One more than asked for tells whether there is a next page.
    const rows = await pages(narrowing, order, { after, limit: input.limit + 1 });
    const shown = rows.length > input.limit ? rows.slice(0, input.limit) : rows;
    const last = rows.length > input.limit ? shown.at(-1) : undefined;
    return { clients: shown.map(describeRow), next_cursor: last ? formatCursor(cursorAt(last, order)) : null };
  };
}

export type ListedRow = Awaited<ReturnType<ReturnType<typeof selectPage>['execute']>>[number];
export type ReadClientPage = (
  narrowing: ClientNarrowing,
  order: ClientOrder,
  page: { readonly after: ClientPageCursor | undefined; readonly limit: number },
) => Promise<ListedRow[]>;

export function prepareClientPages(db: Db): ReadClientPage {
  const prepared = new Map<string, ReturnType<typeof selectPage>>();
  return async ({ conditions, values, shape }, order, { after, limit }) => {
    const placed = { ...values, limit, ...(after ? { afterValue: after.value, afterId: after.client_id } : {}) };
    const key = shape === undefined ? undefined : `${order.sort} ${order.direction} ${after ? 'on' : 'first'} ${shape}`;
    const known = key === undefined ? undefined : prepared.get(key);
    const statement = known ?? selectPage(db, conditions(), order, { hasCursor: after !== undefined, name: key && nameOf(key) });
    if (key !== undefined && !known && prepared.size < MOST_PREPARED) prepared.set(key, statement);
    return statement.execute(placed);
  };
}

/** Every shape is a statement that each connection keeps; people use a handful of them. */
const MOST_PREPARED = 200;

/** PostgreSQL cuts names at 63 bytes, and two statements of one name are an error. */
function nameOf(shape: string): string {
  return `client_list_${createHash('sha256').update(shape).digest('base64url').slice(0, 22)}`;
}

const SORTED = {
  next_due: clientRows.nextDueOn,
  name: clientRows.sortName,
  overdue: clientRows.overduePence,
  owed: clientRows.owedPence,
  refund: clientRows.refundPence,
} as const;

const CASTS = { next_due: sql`::date`, name: sql`::text`, overdue: sql`::bigint`, owed: sql`::bigint`, refund: sql`::bigint` } as const;

function selectPage(
  db: Db,
  conditions: readonly SQL[],
  { sort, direction }: ClientOrder,
  { hasCursor, name }: { readonly hasCursor: boolean; readonly name: string | undefined },
) {
  const sorted = SORTED[sort];
  const onwards = direction === 'asc' ? asc : desc;
  const afterCursor = sql`(${sorted}, ${clientRows.clientId}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.placeholder('afterValue')}${CASTS[sort]}, ${sql.placeholder('afterId')}::uuid)`;
  const query = db
    .select({
      clientId: clientRows.clientId,
      name: clientRows.name,
      sortName: clientRows.sortName,
      kind: clientRows.kind,
      status: clientRows.status,
      vrn: clientRows.vrn,
      utr: clientRows.utr,
      companyNumber: clientRows.companyNumber,
      hasVat: clientRows.hasVat,
      hasPaye: clientRows.hasPaye,
      hasCt: clientRows.hasCt,
      hasSa: clientRows.hasSa,
      nextDueOn: clientRows.nextDueOn,
      nextDueTax: clientRows.nextDueTax,
      nextDueWhat: clientRows.nextDueWhat,
      nextDuePence: clientRows.nextDuePence,
      owedPence: clientRows.owedPence,
      overduePence: clientRows.overduePence,
      refundPence: clientRows.refundPence,
      attention: clientRows.attention,
      members: clientRows.members,
      asOf: clientRows.asOf,
    })
    .from(clientRows)
    .where(and(...conditions, hasCursor ? afterCursor : undefined))
    .orderBy(onwards(sorted), onwards(clientRows.clientId))
    .limit(sql.placeholder('limit'));
  // Drizzle's own type wants a name; without one the driver plans the statement for its values.
  return query.prepare(name ?? '');
}

/** Every client of a narrowing, by id and in order: for what goes through all of them. */
export async function listClientIds(
  db: Db | Tx,
  { conditions, values }: ClientNarrowing,
  { sort, direction }: ClientOrder,
): Promise<string[]> {
  const onwards = direction === 'asc' ? asc : desc;
  const rows = await db
    .select({ id: clientRows.clientId })
    .from(clientRows)
    .where(and(...conditions()))
    .orderBy(onwards(SORTED[sort]), onwards(clientRows.clientId))
    .prepare('')
    .execute(values);
  return rows.map(({ id }) => id);
}

export function orderOf({ sort, direction }: Pick<ListInput, 'sort' | 'direction'>): ClientOrder {
  return { sort, direction: direction ?? (sort === 'next_due' || sort === 'name' ? 'asc' : 'desc') };
}

export function cursorAt(row: ListedRow, { sort, direction }: ClientOrder): ClientPageCursor {
  const value = { next_due: row.nextDueOn, name: row.sortName, overdue: row.overduePence, owed: row.owedPence, refund: row.refundPence }[
    sort
  ];
  return { sort, direction, value, client_id: row.clientId };
}

export function describeRow(row: ListedRow): ClientRow {
  return {
    client_id: row.clientId,
    name: row.name,
    kind: row.kind,
    status: row.status,
    vrn: row.vrn,
    utr: row.utr,
    company_number: row.companyNumber,
    taxes: taxesOf(row),
    next_due_on: row.nextDueOn === NEVER_DUE ? null : row.nextDueOn,
    next_due_tax: row.nextDueTax,
    next_due_what: row.nextDueWhat,
    next_due_pence: row.nextDuePence,
    owed_pence: row.owedPence,
    overdue_pence: row.overduePence,
    refund_pence: row.refundPence,
    attention: row.attention,
    members: [...row.members],
    as_of: row.asOf,
  };
}

export function taxesOf(row: { hasVat: boolean; hasPaye: boolean; hasCt: boolean; hasSa: boolean }): Tax[] {
  const taxes: Tax[] = [];
  if (row.hasVat) taxes.push('vat');
  if (row.hasPaye) taxes.push('paye');
  if (row.hasCt) taxes.push('ct');
  if (row.hasSa) taxes.push('sa');
  return taxes;
}
