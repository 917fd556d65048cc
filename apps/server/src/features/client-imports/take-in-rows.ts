/**
 * Applies rows with a fixed number of statements for any number of rows. It runs in the caller's transaction, so a row is marked as applied
 * only together with its client.
 */
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';

import { rebuildTaxes } from '../positions/rebuild-position.ts';
import { keepClientRow } from '../clients/keep-client-row.ts';
import {
  columnsOf,
  decideRow,
  fillClient,
  FILLED,
  type Before,
  type Decided,
  type FillableClient,
  type Ground,
  type RowInHand,
} from './plan-rows.ts';

export type ImportKey = { readonly companyId: string; readonly importId: string };
export type Moment = { readonly now: Instant; readonly today: PlainDate };

/** Positions of new clients are built afterwards by rebuild-imported-positions.ts. */
export async function takeInRows(tx: Tx, key: ImportKey, rows: readonly RowInHand[], ground: Ground, moment: Moment): Promise<void> {
  const decided = rows.map((row) => decideRow(row, ground));
  const makes = decided.filter((one) => one.does === 'make');
  const fills = decided.filter((one) => one.does === 'fill');
  await insertClients(tx, key, makes, moment.now);
  const { befores, changed, gone } = await fillClients(tx, key, fills, ground, moment.now);
  await writeRows(
    tx,
    key,
    decided.map((one) => outcomeOf(one, befores, gone)),
    moment.now,
  );
  await keepClientRow(tx, key.companyId, [...makes.map(({ id }) => id), ...changed.map(({ id }) => id)]);
  await workOutFilled(tx, key.companyId, changed, moment);
}

type Make = Extract<Decided, { does: 'make' }>;
type Fill = Extract<Decided, { does: 'fill' }>;

async function insertClients(tx: Tx, { companyId, importId }: ImportKey, makes: readonly Make[], now: Instant): Promise<void> {
  if (makes.length === 0) return;
  const list = makes.map(({ id, client }) => ({ id, name: client.name, kind: client.kind, ...columnsOf(client) }));
  await tx.execute(sql`
    insert into clients (company_id, id, name, kind, status, has_vat, has_paye, has_ct, has_sa, vrn, utr, nino, company_number, paye_reference,
      accounts_office_reference, postcode, vat_registered_on, year_end_on, year_end_source, email, phone, import_id, created_at, updated_at)
    select ${companyId}::uuid, n.id, n.name, n.kind, 'active', n."hasVat", n."hasPaye", n."hasCt", n."hasSa", n.vrn, n.utr, n.nino,
      n."companyNumber", n."payeReference", n."accountsOfficeReference", n.postcode, n."vatRegisteredOn", n."yearEndOn", n."yearEndSource",
      n.email, n.phone, ${importId}::uuid, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as n(id uuid, name text, kind text, ${FILLABLE})`);
}

/** The fillable columns with their SQL types, for jsonb_to_recordset. */
export const FILLABLE = sql.raw(
  FILLED.map((column) => `"${column}" ${column.startsWith('has') ? 'boolean' : column.endsWith('On') ? 'date' : 'text'}`).join(', '),
);

type Changed = { readonly id: string; readonly taxes: readonly (typeof TAXES)[number][] };

async function fillClients(
  tx: Tx,
  { companyId }: ImportKey,
  fills: readonly Fill[],
  { holders }: Ground,
  now: Instant,
): Promise<{ befores: ReadonlyMap<number, Before>; changed: readonly Changed[]; gone: ReadonlySet<number> }> {
  const befores = new Map<number, Before>();
  const gone = new Set<number>();
  if (fills.length === 0) return { befores, changed: [], gone };
  const current = await loadFillable(
    tx,
    companyId,
    fills.map(({ id }) => id),
  );
  const changed = new Set<string>();
  for (const { row, id, client } of fills) {
    const here = current.get(id);
    if (here === undefined) {
      gone.add(row);
      continue;
    }
    const { filled, before } = fillClient(here, client, holders);
    befores.set(row, before);
    if (Object.keys(before).length === 0) continue;
    current.set(id, filled);
    changed.add(id);
  }
  const list = [...changed].flatMap((id) => current.get(id) ?? []);
  if (list.length > 0) await writeFillable(tx, companyId, list, now);
  return { befores, gone, changed: list.map((one) => ({ id: one.id, taxes: taxesOf(one) })) };
}

/** Locks the clients in order of ID, so that two writers cannot deadlock. */
export async function loadFillable(tx: Tx, companyId: string, ids: readonly string[]): Promise<Map<string, FillableClient>> {
  const columns = Object.fromEntries(FILLED.map((column) => [column, clients[column]])) as unknown as Pick<
    typeof clients,
    (typeof FILLED)[number]
  >;
  const rows = await tx
    .select({ id: clients.id, ...columns })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, [...new Set(ids)])))
    .orderBy(clients.id)
    .for('update');
  return new Map(rows.map((row) => [row.id, row as FillableClient]));
}

export async function writeFillable(tx: Tx, companyId: string, list: readonly FillableClient[], now: Instant): Promise<void> {
  await tx.execute(sql`
    update clients c set vrn = n.vrn, utr = n.utr, nino = n.nino, company_number = n."companyNumber", paye_reference = n."payeReference",
      accounts_office_reference = n."accountsOfficeReference", postcode = n.postcode, vat_registered_on = n."vatRegisteredOn",
      year_end_on = n."yearEndOn", year_end_source = n."yearEndSource", email = n.email, phone = n.phone, has_vat = n."hasVat",
      has_paye = n."hasPaye", has_ct = n."hasCt", has_sa = n."hasSa", updated_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as n(id uuid, ${FILLABLE})
    where c.company_id = ${companyId}::uuid and c.id = n.id`);
}

function taxesOf({ hasVat, hasPaye, hasCt, hasSa }: FillableClient): Changed['taxes'] {
  const has = { vat: hasVat, paye: hasPaye, ct: hasCt, sa: hasSa };
  return TAXES.filter((tax) => has[tax]);
}

/** A filled field may move the due dates of taxes that already have a position. */
async function workOutFilled(tx: Tx, companyId: string, changed: readonly Changed[], { now, today }: Moment): Promise<void> {
  const having = (tax: (typeof TAXES)[number]) => changed.flatMap(({ id, taxes }) => (taxes.includes(tax) ? [id] : []));
  await rebuildTaxes(tx, { companyId, today, now }, Object.fromEntries(TAXES.map((tax) => [tax, having(tax)])));
}

type RowOutcome = {
  readonly row: number;
  readonly outcome: string;
  readonly client_id: string | null;
  readonly before: Before | null;
  readonly is_applied: boolean;
  readonly problems: unknown;
  readonly candidates: unknown;
};

function outcomeOf(one: Decided, befores: ReadonlyMap<number, Before>, gone: ReadonlySet<number>): RowOutcome {
  const { row } = one;
  const nothing = { row, client_id: null, before: null, is_applied: false };
  if (one.does === 'nothing') return { ...nothing, outcome: one.outcome, problems: one.problems, candidates: one.candidates };
  if (gone.has(row)) {
    const problems = [{ field: 'name', problem: 'The client it meant is no longer there. Choose whether to make it anew.' }];
    return { ...nothing, outcome: 'ambiguous', problems, candidates: [] };
  }
  const applied = { row, client_id: one.id, is_applied: true, problems: [], candidates: [] };
  return one.does === 'make'
    ? { ...applied, outcome: 'new', before: null }
    : { ...applied, outcome: 'matched', before: befores.get(row) ?? {} };
}

async function writeRows(tx: Tx, { companyId, importId }: ImportKey, rows: readonly RowOutcome[], now: Instant): Promise<void> {
  await tx.execute(sql`
    update client_import_rows r set outcome = n.outcome, client_id = n.client_id, before = n.before, problems = n.problems,
      candidates = n.candidates, applied_at = case when n.is_applied then ${now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(
      "row" int, outcome text, client_id uuid, before jsonb, is_applied boolean, problems jsonb, candidates jsonb)
    where r.company_id = ${companyId}::uuid and r.import_id = ${importId}::uuid and r."row" = n."row"`);
}
