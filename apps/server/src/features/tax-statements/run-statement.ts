/** The job that imports a statement's figures. Each step is one transaction, so an interrupted import resumes with the next client. */
import type { Tx } from '@portal/db/database.ts';
import { clients, taxStatementClients, taxStatementRows, taxStatements, type StatementClientOutcome } from '@portal/db/schema/schema.ts';
import { combineClientRows, type ClientStatementRow, type RejectedRow } from '@portal/domain/tax-statements/combine-statements.ts';
import { and, asc, eq, inArray, sql } from '@portal/db/sql.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notify } from '../staff-notifications/notify.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { saveStatements } from './save-statements.ts';
import { matchesStatement, type StatementKey } from './statement-key.ts';
import { lockStatement } from './start-statement.ts';

/** Limits how much work a crash loses and how long a cancellation takes. */
export const CLIENTS_PER_STEP = 100;

/** Tests pass `maxSteps` to interrupt the import. */
export async function runStatement(
  deps: AppDeps,
  key: StatementKey,
  { signal }: Pick<JobRun, 'signal'>,
  { maxSteps = Number.POSITIVE_INFINITY }: { readonly maxSteps?: number } = {},
): Promise<void> {
  for (let step = 0; step < maxSteps && !signal.aborted; step += 1) {
    if (!(await deps.database.db.transaction((tx) => runStep(deps, tx, key)))) return;
  }
}

type Statement = typeof taxStatements.$inferSelect;

/** Returns whether more steps may be needed. */
async function runStep(deps: AppDeps, tx: Tx, key: StatementKey): Promise<boolean> {
  const statement = await lockStatement(tx, key);
  if (statement.state !== 'importing') return false;
  const ids = await listNextClients(tx, key);
  if (ids.length > 0) await applyClients(deps, tx, statement, ids);
  if (ids.length === CLIENTS_PER_STEP) return true;
  const { companyId, statementId } = key;
  const at = deps.clock.now();
  const [doneStatement] = await tx.update(taxStatements).set({ state: 'completed', endedAt: at }).where(matchesStatement(key)).returning();
  const { rowsRejected = 0, clientsImported = 0 } = doneStatement ?? {};
  const after = {
    tax: statement.tax,
    file_name: statement.fileName,
    rows: statement.rows,
    refused: rowsRejected,
    clients: clientsImported,
  };
  await recordAudit(tx, { companyId, at, actor: statement.importedBy, action: 'tax_statements.imported', subject: statementId, after });
  await notify(deps, tx, companyId, [
    {
      kind: 'import_finished',
      key: `${statementId} ${at}`,
      title: `The import of ${statement.fileName} has finished`,
      path: `${PAGES.taxStatements.path}?company_id=${companyId}`,
      userIds: [statement.importedBy],
    },
  ]);
  return false;
}

async function listNextClients(tx: Tx, { companyId, statementId }: StatementKey): Promise<string[]> {
  const { clientId, outcome } = taxStatementClients;
  const rows = await tx
    .select({ clientId })
    .from(taxStatementClients)
    .where(and(eq(taxStatementClients.companyId, companyId), eq(taxStatementClients.statementId, statementId), eq(outcome, 'waiting')))
    .orderBy(asc(clientId))
    .limit(CLIENTS_PER_STEP);
  return rows.map((row) => row.clientId);
}

type ClientOutcome = { readonly client_id: string; readonly outcome: Exclude<StatementClientOutcome, 'waiting'> };

async function applyClients(deps: AppDeps, tx: Tx, statement: Statement, ids: readonly string[]): Promise<void> {
  const { companyId, id: statementId, tax, importedAt } = statement;
  const presentClients = await lockClients(tx, statement, ids);
  const rows = await loadRows(tx, statement, ids);
  const combined = ids.map((clientId) => ({ clientId, ...combineClientRows(tax, clientId, rows.get(clientId) ?? []) }));
  const statements = combined.flatMap((item) => (item.isAccepted && presentClients.has(item.clientId) ? [item.statement] : []));
  const rejectedRows = combined.flatMap((item) =>
    item.isAccepted ? (presentClients.has(item.clientId) ? [] : toRemovedClientRows(rows.get(item.clientId))) : item.rejected,
  );
  await saveStatements(deps, tx, { companyId, tax, statementId, takenAt: importedAt }, statements);
  await rejectRows(tx, statement, rejectedRows);
  const outcomes = combined.map(({ clientId, isAccepted }): ClientOutcome => {
    return { client_id: clientId, outcome: isAccepted ? (presentClients.has(clientId) ? 'taken' : 'skipped') : 'refused' };
  });
  await saveOutcomes(tx, statement, outcomes, {
    rowsDone: ids.reduce((sum, clientId) => sum + (rows.get(clientId)?.length ?? 0), 0),
    rowsRejected: rejectedRows.length,
    clientsImported: statements.length,
  });
  if (statements.length > 0) await enqueueTotals(deps, tx, companyId);
}

/**
 * Locks in order of ID, so that others writing to the same clients wait instead of deadlocking. Returns only clients that exist and have
 * the tax.
 */
async function lockClients(tx: Tx, { companyId, tax }: Statement, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const hasTaxColumn = { paye: clients.hasPaye, ct: clients.hasCt }[tax];
  const rows = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, [...ids]), hasTaxColumn))
    .orderBy(clients.id)
    .for('no key update');
  return new Set(rows.map(({ id }) => id));
}

/** Returns rows by client, in the order of the file. */
export async function loadRows(
  tx: Tx,
  { companyId, id }: Pick<Statement, 'companyId' | 'id'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ClientStatementRow[]>> {
  const { row, clientId, parsedRow } = taxStatementRows;
  const rows = await tx
    .select({ row, clientId, parsedRow })
    .from(taxStatementRows)
    .where(and(eq(taxStatementRows.companyId, companyId), eq(taxStatementRows.statementId, id), inArray(clientId, [...ids])))
    .orderBy(asc(row));
  const list = rows.map((item) => ({
    clientId: item.clientId ?? '',
    row: { ...(item.parsedRow as Omit<ClientStatementRow, 'row'>), row: item.row },
  }));
  return new Map([...Map.groupBy(list, (item) => item.clientId)].map(([id_, clientRows]) => [id_, clientRows.map((item) => item.row)]));
}

function toRemovedClientRows(rows: readonly ClientStatementRow[] = []): readonly RejectedRow[] {
  const problem = 'The client was removed, or no longer has this tax, so its figures weren’t imported.';
  return rows.map(({ row }) => ({ row, field: 'reference', problem }));
}

export async function rejectRows(
  tx: Tx,
  { companyId, id }: Pick<Statement, 'companyId' | 'id'>,
  rejectedRows: readonly RejectedRow[],
): Promise<void> {
  if (rejectedRows.length === 0) return;
  await tx.execute(sql`
    update tax_statement_rows r set field = n.field, problem = n.problem
    from jsonb_to_recordset(${JSON.stringify(rejectedRows)}::jsonb) as n("row" int, field text, problem text)
    where r.company_id = ${companyId} and r.statement_id = ${id} and r."row" = n."row"`);
}

async function saveOutcomes(
  tx: Tx,
  { companyId, id }: Statement,
  outcomes: readonly ClientOutcome[],
  counts: { readonly rowsDone: number; readonly rowsRejected: number; readonly clientsImported: number },
): Promise<void> {
  await tx.execute(sql`
    update tax_statement_clients c set outcome = n.outcome
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as n(client_id uuid, outcome text)
    where c.company_id = ${companyId} and c.statement_id = ${id} and c.client_id = n.client_id`);
  await tx
    .update(taxStatements)
    .set({
      rowsDone: sql`${taxStatements.rowsDone} + ${counts.rowsDone}`,
      rowsRejected: sql`${taxStatements.rowsRejected} + ${counts.rowsRejected}`,
      clientsImported: sql`${taxStatements.clientsImported} + ${counts.clientsImported}`,
    })
    .where(matchesStatement({ companyId, statementId: id }));
}

/** The last attempt has failed. The practice sees the reason and can start the import again. */
export async function failStatement(deps: AppDeps, key: StatementKey): Promise<void> {
  const at = deps.clock.now();
  const reason =
    'The statement import stopped because of a problem on our side. The figures imported so far are saved. Start it again to continue.';
  await deps.database.db.transaction(async (tx) => {
    const failedStatements = await tx
      .update(taxStatements)
      .set({ state: 'failed', endedAt: at, reason })
      .where(and(matchesStatement(key), eq(taxStatements.state, 'importing')))
      .returning({ fileName: taxStatements.fileName, importedBy: taxStatements.importedBy });
    const events = failedStatements.map(({ fileName, importedBy }) => ({
      kind: 'import_finished' as const,
      key: `${key.statementId} ${at}`,
      title: `The import of ${fileName} stopped because of a problem on our side`,
      path: `${PAGES.taxStatements.path}?company_id=${key.companyId}`,
      userIds: [importedBy],
    }));
    await notify(deps, tx, key.companyId, events);
  });
}
