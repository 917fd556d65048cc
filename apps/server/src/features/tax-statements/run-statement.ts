/** The job that imports a statement's figures. Each step is one transaction, so an interrupted import resumes with the next client. */
import type { Tx } from '@portal/db/database.ts';
import { clients, taxStatementClients, taxStatementRows, taxStatements, type StatementClientOutcome } from '@portal/db/schema/schema.ts';
import { gatherClient, type OwnRow, type RefusedRow } from '@portal/domain/practice/statements/gather-statements.ts';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueTotals } from '../positions/keep-totals.ts';
import { keepStatements } from './keep-statements.ts';
import { isStatement, type StatementKey } from './statement-key.ts';
import { lockStatement } from './statement-moves.ts';

/** Limits the work that a crash loses and the time that a cancellation waits. */
export const CLIENTS_A_STEP = 100;

/** Tests pass `maxSteps` to interrupt the import. */
export async function runStatement(
  deps: AppDeps,
  key: StatementKey,
  { signal }: Pick<JobRun, 'signal'>,
  { steps = Number.POSITIVE_INFINITY }: { readonly steps?: number } = {},
): Promise<void> {
  for (let step = 0; step < steps && !signal.aborted; step += 1) {
    if (!(await deps.database.db.transaction((tx) => takeStep(deps, tx, key)))) return;
  }
}

type Statement = typeof taxStatements.$inferSelect;

/** Returns whether there may be more. */
async function takeStep(deps: AppDeps, tx: Tx, key: StatementKey): Promise<boolean> {
  const statement = await lockStatement(tx, key);
  if (statement.state !== 'importing') return false;
  const ids = await nextClients(tx, key);
  if (ids.length > 0) await takeClients(deps, tx, statement, ids);
  if (ids.length === CLIENTS_A_STEP) return true;
  const { companyId, statementId } = key;
  const at = deps.clock.now();
  const [done] = await tx.update(taxStatements).set({ state: 'completed', endedAt: at }).where(isStatement(key)).returning();
  const { rowsRefused: refused = 0, clientsTaken = 0 } = done ?? {};
  const after = { tax: statement.tax, file_name: statement.fileName, rows: statement.rows, refused, clients: clientsTaken };
  await recordAudit(tx, { companyId, at, actor: statement.importedBy, action: 'tax_statements.imported', subject: statementId, after });
  return false;
}

async function nextClients(tx: Tx, { companyId, statementId }: StatementKey): Promise<string[]> {
  const { clientId, outcome } = taxStatementClients;
  const rows = await tx
    .select({ clientId })
    .from(taxStatementClients)
    .where(and(eq(taxStatementClients.companyId, companyId), eq(taxStatementClients.statementId, statementId), eq(outcome, 'waiting')))
    .orderBy(asc(clientId))
    .limit(CLIENTS_A_STEP);
  return rows.map((row) => row.clientId);
}

type Outcome = { readonly client_id: string; readonly outcome: Exclude<StatementClientOutcome, 'waiting'> };

async function takeClients(deps: AppDeps, tx: Tx, statement: Statement, ids: readonly string[]): Promise<void> {
  const { companyId, id: statementId, tax, importedAt } = statement;
  const present = await lockClients(tx, statement, ids);
  const rows = await loadRows(tx, statement, ids);
  const gathered = ids.map((clientId) => ({ clientId, ...gatherClient(tax, clientId, rows.get(clientId) ?? []) }));
  const own = gathered.flatMap((one) => (one.taken && present.has(one.clientId) ? [one.statement] : []));
  const refused = gathered.flatMap((one) => (one.taken ? (present.has(one.clientId) ? [] : gone(rows.get(one.clientId))) : one.refused));
  await keepStatements(deps, tx, { companyId, tax, statementId, takenAt: importedAt }, own);
  await refuseRows(tx, statement, refused);
  const outcomes = gathered.map(({ clientId, taken }): Outcome => {
    return { client_id: clientId, outcome: taken ? (present.has(clientId) ? 'taken' : 'passed_over') : 'refused' };
  });
  await settle(tx, statement, outcomes, {
    rowsDone: ids.reduce((sum, clientId) => sum + (rows.get(clientId)?.length ?? 0), 0),
    rowsRefused: refused.length,
    clientsTaken: own.length,
  });
  if (own.length > 0) await enqueueTotals(deps, tx, companyId);
}

/**
 * Locks in order of ID, so that other writers of the same clients wait instead of deadlocking. Returns only clients that exist and have the
 * tax.
 */
async function lockClients(tx: Tx, { companyId, tax }: Statement, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const has = { paye: clients.hasPaye, ct: clients.hasCt }[tax];
  const rows = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, [...ids]), has))
    .orderBy(clients.id)
    .for('no key update');
  return new Set(rows.map(({ id }) => id));
}

/** Rows by client, in the order of the file. */
export async function loadRows(
  tx: Tx,
  { companyId, id }: Pick<Statement, 'companyId' | 'id'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly OwnRow[]>> {
  const { row, clientId, said } = taxStatementRows;
  const rows = await tx
    .select({ row, clientId, said })
    .from(taxStatementRows)
    .where(and(eq(taxStatementRows.companyId, companyId), eq(taxStatementRows.statementId, id), inArray(clientId, [...ids])))
    .orderBy(asc(row));
  const list = rows.map((one) => ({ clientId: one.clientId ?? '', own: { ...(one.said as Omit<OwnRow, 'row'>), row: one.row } }));
  return new Map([...Map.groupBy(list, (one) => one.clientId)].map(([id_, own]) => [id_, own.map((one) => one.own)]));
}

function gone(rows: readonly OwnRow[] = []): readonly RefusedRow[] {
  const problem = 'The client was removed, or no longer has this tax, before its figures were taken in.';
  return rows.map(({ row }) => ({ row, field: 'reference', problem }));
}

export async function refuseRows(
  tx: Tx,
  { companyId, id }: Pick<Statement, 'companyId' | 'id'>,
  refused: readonly RefusedRow[],
): Promise<void> {
  if (refused.length === 0) return;
  await tx.execute(sql`
    update tax_statement_rows r set field = n.field, problem = n.problem
    from jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) as n("row" int, field text, problem text)
    where r.company_id = ${companyId} and r.statement_id = ${id} and r."row" = n."row"`);
}

async function settle(
  tx: Tx,
  { companyId, id }: Statement,
  outcomes: readonly Outcome[],
  more: { readonly rowsDone: number; readonly rowsRefused: number; readonly clientsTaken: number },
): Promise<void> {
  await tx.execute(sql`
    update tax_statement_clients c set outcome = n.outcome
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as n(client_id uuid, outcome text)
    where c.company_id = ${companyId} and c.statement_id = ${id} and c.client_id = n.client_id`);
  await tx
    .update(taxStatements)
    .set({
      rowsDone: sql`${taxStatements.rowsDone} + ${more.rowsDone}`,
      rowsRefused: sql`${taxStatements.rowsRefused} + ${more.rowsRefused}`,
      clientsTaken: sql`${taxStatements.clientsTaken} + ${more.clientsTaken}`,
    })
    .where(isStatement({ companyId, statementId: id }));
}

/** The last attempt failed. The practice sees the reason and can start the import again. */
export async function failStatement({ database, clock }: AppDeps, key: StatementKey): Promise<void> {
  const reason =
    'The statement stopped because of a fault on our side. The figures taken in so far are kept. Start it again to go on where it stood.';
  await database.db
    .update(taxStatements)
    .set({ state: 'failed', endedAt: clock.now(), reason })
    .where(and(isStatement(key), eq(taxStatements.state, 'importing')));
}
