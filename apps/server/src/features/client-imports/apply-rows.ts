/**
 * Applies rows with a fixed number of statements for any number of rows. It runs in the caller's transaction, so a row is marked as applied
 * only together with its client.
 */
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, inArray, sql } from '@portal/db/sql.ts';

import { assignByRules, lockAssignmentRules } from '../assignment/assign-by-rules.ts';
import { rebuildTaxes } from '../positions/rebuild-position.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import type { RowProblem } from '@portal/domain/client-imports/imported-client.ts';
import { importTurnovers } from './import-turnovers.ts';
import {
  checkVatGroup,
  toClientColumns,
  planRow,
  fillClient,
  FILLABLE_COLUMNS,
  type FilledValues,
  type RowAction,
  type FillableClient,
  type ImportContext,
  type PendingRow,
} from './plan-rows.ts';

export type ImportKey = { readonly companyId: string; readonly importId: string };
export type ApplyTime = { readonly now: Instant; readonly today: PlainDate };
/** `actor` is the user who imports, for the audit trail. */
export type Application = ApplyTime & { readonly actor: string };

/** Positions of new clients are built afterwards by rebuild-imported-positions.ts. */
export async function applyRows(
  tx: Tx,
  key: ImportKey,
  rows: readonly PendingRow[],
  context: ImportContext,
  moment: Application,
): Promise<void> {
  const rules = await lockAssignmentRules(tx, key.companyId);
  const actions = rows.map((row) => planRow(row, context));
  const createActions = actions.filter((item) => item.action === 'create');
  const fillActions = actions.filter((item) => item.action === 'fill');
  // Before an assignment is recorded: the audit trail is locked after the clients, as in every other change.
  const current = await loadFillableClients(
    tx,
    key.companyId,
    fillActions.map(({ id }) => id),
  );
  await insertClients(tx, key, createActions, moment.now);
  const createdClients = createActions.map(({ id, client }) => ({ ...client, id }));
  await assignByRules(tx, rules, { companyId: key.companyId, at: moment.now, actor: moment.actor, clients: createdClients });
  const { filledValues, changed, missingRows, checks } = await fillClients(tx, key, fillActions, current, context, moment.now);
  const appliedActions = [...createActions, ...fillActions.filter(({ row }) => !missingRows.has(row))];
  const turnoverProblems = await importTurnovers(tx, key, appliedActions, moment);
  const listChecks = (row: number): readonly RowProblem[] => [checks.get(row) ?? [], turnoverProblems.get(row) ?? []].flat();
  await writeRows(
    tx,
    key,
    actions.map((item) => toRowOutcome(addChecks(item, listChecks(item.row)), filledValues, missingRows)),
    moment.now,
  );
  await upsertClientRows(tx, key.companyId, [...createActions.map(({ id }) => id), ...changed.map(({ id }) => id)]);
  await rebuildChangedPositions(tx, key.companyId, changed, moment);
}

type CreateAction = Extract<RowAction, { action: 'create' }>;
type FillAction = Extract<RowAction, { action: 'fill' }>;

async function insertClients(
  tx: Tx,
  { companyId, importId }: ImportKey,
  createActions: readonly CreateAction[],
  now: Instant,
): Promise<void> {
  if (createActions.length === 0) return;
  const list = createActions.map(({ id, client }) => ({ id, name: client.name, kind: client.kind, ...toClientColumns(client) }));
  await tx.execute(sql`
    insert into clients (company_id, id, name, kind, status, has_vat, has_paye, has_ct, has_sa, vrn, vat_group_role, vat_group_vrn, utr, nino, company_number, paye_reference,
      accounts_office_reference, postcode, vat_registered_on, year_end_on, year_end_source, email, phone, client_code, import_id, created_at, updated_at)
    select ${companyId}::uuid, n.id, n.name, n.kind, n.status, n."hasVat", n."hasPaye", n."hasCt", n."hasSa", n.vrn, n."vatGroupRole", n."vatGroupVrn", n.utr, n.nino,
      n."companyNumber", n."payeReference", n."accountsOfficeReference", n.postcode, n."vatRegisteredOn", n."yearEndOn", n."yearEndSource",
      n.email, n.phone, n."clientCode", ${importId}::uuid, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as n(id uuid, name text, kind text, ${FILLABLE_COLUMNS_SQL})`);
}

/** The fillable columns with their SQL types, for jsonb_to_recordset. */
export const FILLABLE_COLUMNS_SQL = sql.raw(
  FILLABLE_COLUMNS.map((column) => `"${column}" ${column.startsWith('has') ? 'boolean' : column.endsWith('On') ? 'date' : 'text'}`).join(
    ', ',
  ),
);

type ChangedClient = { readonly id: string; readonly taxes: readonly (typeof TAXES)[number][] };

/** `checks`: what a row's VAT group can't change of its client. */
type FilledClients = {
  readonly filledValues: ReadonlyMap<number, FilledValues>;
  readonly changed: readonly ChangedClient[];
  readonly missingRows: ReadonlySet<number>;
  readonly checks: ReadonlyMap<number, readonly RowProblem[]>;
};

const addChecks = (item: RowAction, checks: readonly RowProblem[]): RowAction => ({ ...item, problems: [...item.problems, ...checks] });

async function fillClients(
  tx: Tx,
  { companyId }: ImportKey,
  fillActions: readonly FillAction[],
  current: Map<string, FillableClient>,
  context: ImportContext,
  now: Instant,
): Promise<FilledClients> {
  const filledValues = new Map<number, FilledValues>();
  const missingRows = new Set<number>();
  const checks = new Map<number, readonly RowProblem[]>();
  if (fillActions.length === 0) return { filledValues, changed: [], missingRows, checks };
  const changedClients = new Set<string>();
  for (const { row, id, client } of fillActions) {
    const existing = current.get(id);
    if (existing === undefined) {
      missingRows.add(row);
      continue;
    }
    checks.set(row, checkVatGroup(existing, client));
    const { filled: filledClient, before } = fillClient(existing, client, context);
    filledValues.set(row, before);
    if (Object.keys(before).length === 0) continue;
    current.set(id, filledClient);
    changedClients.add(id);
  }
  const list = [...changedClients].flatMap((id) => current.get(id) ?? []);
  if (list.length > 0) await writeFillableClients(tx, companyId, list, now);
  return { filledValues, missingRows, checks, changed: list.map((item) => ({ id: item.id, taxes: listTaxes(item) })) };
}

/** Locks the clients in order of ID, to prevent deadlocks between two writers. */
export async function loadFillableClients(tx: Tx, companyId: string, ids: readonly string[]): Promise<Map<string, FillableClient>> {
  const columns = Object.fromEntries(FILLABLE_COLUMNS.map((column) => [column, clients[column]])) as unknown as Pick<
    typeof clients,
    (typeof FILLABLE_COLUMNS)[number]
  >;
  const rows = await tx
    .select({ id: clients.id, ...columns })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, [...new Set(ids)])))
    .orderBy(clients.id)
    .for('update');
  return new Map(rows.map((row) => [row.id, row as FillableClient]));
}

export async function writeFillableClients(tx: Tx, companyId: string, list: readonly FillableClient[], now: Instant): Promise<void> {
  await tx.execute(sql`
    update clients c set status = n.status, vrn = n.vrn, vat_group_role = n."vatGroupRole", vat_group_vrn = n."vatGroupVrn", utr = n.utr, nino = n.nino, company_number = n."companyNumber", paye_reference = n."payeReference",
      accounts_office_reference = n."accountsOfficeReference", postcode = n.postcode, vat_registered_on = n."vatRegisteredOn",
      year_end_on = n."yearEndOn", year_end_source = n."yearEndSource", email = n.email, phone = n.phone, client_code = n."clientCode", has_vat = n."hasVat",
      has_paye = n."hasPaye", has_ct = n."hasCt", has_sa = n."hasSa", updated_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as n(id uuid, ${FILLABLE_COLUMNS_SQL})
    where c.company_id = ${companyId}::uuid and c.id = n.id`);
}

function listTaxes({ hasVat, hasPaye, hasCt, hasSa }: FillableClient): ChangedClient['taxes'] {
  const hasTax = { vat: hasVat, paye: hasPaye, ct: hasCt, sa: hasSa };
  return TAXES.filter((tax) => hasTax[tax]);
}

/** A filled field may move the due dates of taxes that already have a position. */
async function rebuildChangedPositions(
  tx: Tx,
  companyId: string,
  changedClients: readonly ChangedClient[],
  { now, today }: ApplyTime,
): Promise<void> {
  const listIdsWithTax = (tax: (typeof TAXES)[number]) => changedClients.flatMap(({ id, taxes }) => (taxes.includes(tax) ? [id] : []));
  await rebuildTaxes(tx, { companyId, today, now }, Object.fromEntries(TAXES.map((tax) => [tax, listIdsWithTax(tax)])));
}

type RowOutcome = {
  readonly row: number;
  readonly outcome: string;
  readonly client_id: string | null;
  readonly before: FilledValues | null;
  readonly is_applied: boolean;
  readonly problems: unknown;
  readonly candidates: unknown;
  readonly matched_by: unknown;
};

function toRowOutcome(item: RowAction, filledValues: ReadonlyMap<number, FilledValues>, missingRows: ReadonlySet<number>): RowOutcome {
  const { row } = item;
  const unchangedResult = { row, client_id: null, before: null, is_applied: false, matched_by: null };
  if (item.action === 'none') return { ...unchangedResult, outcome: item.outcome, problems: item.problems, candidates: item.candidates };
  if (missingRows.has(row)) {
    const problems = [{ field: 'name', problem: 'The client you chose was removed. Choose whether to add this as a new client.' }];
    return { ...unchangedResult, outcome: 'ambiguous', problems, candidates: [] };
  }
  const appliedRow = { row, client_id: item.id, is_applied: true, problems: item.problems, candidates: [] };
  return item.action === 'create'
    ? { ...appliedRow, outcome: 'new', before: null, matched_by: null }
    : { ...appliedRow, outcome: 'matched', before: filledValues.get(row) ?? {}, matched_by: item.matchedBy };
}

async function writeRows(tx: Tx, { companyId, importId }: ImportKey, rows: readonly RowOutcome[], now: Instant): Promise<void> {
  await tx.execute(sql`
    update client_import_rows r set outcome = n.outcome, client_id = n.client_id, before = n.before, problems = n.problems,
      candidates = n.candidates, matched_by = n.matched_by, applied_at = case when n.is_applied then ${now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(
      "row" int, outcome text, client_id uuid, before jsonb, is_applied boolean, problems jsonb, candidates jsonb, matched_by jsonb)
    where r.company_id = ${companyId}::uuid and r.import_id = ${importId}::uuid and r."row" = n."row"`);
}
