/** The job that runs an import. Each step is one transaction, so an interrupted import resumes with the next row. */
import type { Tx } from '@portal/db/database.ts';
import { clientImportRows, clientImports } from '@portal/db/schema/schema.ts';
import type { StatusChoices } from '@portal/domain/client-imports/client-status-text.ts';
import { createMatcher } from '@portal/domain/client-imports/match-clients.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { createGroupReader } from '@portal/domain/client-imports/stated-groups.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, asc, eq, inArray, isNull, lte, sql } from '@portal/db/sql.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notify } from '../staff-notifications/notify.ts';
import { startFirstRefresh } from './start-first-refresh.ts';
import { enqueueEnrichment } from './enrich-clients.ts';
import { countRows } from './import-queries.ts';
import { loadKnownClients, ReferenceHolders } from './known-clients.ts';
import type { ImportContext } from './plan-rows.ts';
import { applyRows, type ImportKey } from './apply-rows.ts';
import { enqueueImportedPositions } from './rebuild-imported-positions.ts';

/** Limits how much work a crash loses and how long a cancellation waits. */
export const ROWS_PER_STEP = 500;

/** Tests pass `maxSteps` and `rowsPerStep` to interrupt an import. */
export async function runImport(
  deps: AppDeps,
  key: ImportKey,
  { signal }: Pick<JobRun, 'signal'>,
  { maxSteps = Number.POSITIVE_INFINITY, rowsPerStep = ROWS_PER_STEP }: { readonly maxSteps?: number; readonly rowsPerStep?: number } = {},
): Promise<void> {
  const { companyId, importId } = key;
  const [foundImport] = await deps.database.db
    .select({ statusChoices: clientImports.statusChoices })
    .from(clientImports)
    .where(and(eq(clientImports.companyId, companyId), eq(clientImports.id, importId)));
  if (!foundImport) return;
  const context = await loadImportContext(deps.database.db, key, deps.clock.today(), foundImport.statusChoices);
  for (let step = 0; step < maxSteps && !signal.aborted; step += 1) {
    const hasMore = await deps.database.db.transaction((tx) => runStep(deps, tx, key, { context, rowsPerStep }));
    if (!hasMore) return;
  }
}

export async function loadImportContext(
  db: Parameters<typeof loadKnownClients>[0],
  { companyId, importId }: ImportKey,
  today: PlainDate,
  statusChoices: StatusChoices,
): Promise<ImportContext> {
  const knownClients = await loadKnownClients(db, companyId, importId);
  const readGroup = createGroupReader(await listStatedRows(db, { companyId, importId }), knownClients);
  return { match: createMatcher(knownClients), holders: new ReferenceHolders(knownClients), readGroup, today, statusChoices };
}

/** Reads the import's rows that say something about a VAT group. */
export async function listStatedRows(db: Parameters<typeof loadKnownClients>[0], { companyId, importId }: ImportKey) {
  const { row, rawValues } = clientImportRows;
  const isStated = sql`${rawValues} ->> 'vat_group' is not null`;
  const rows = await db
    .select({ row, rawValues })
    .from(clientImportRows)
    .where(and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId), isStated))
    .orderBy(asc(row));
  return rows.map((stated) => ({ row: stated.row, client: validateImportRow(stated.rawValues).client }));
}

/** Returns true if there may be more rows. The lock on the import makes a cancellation wait for the end of the step. */
async function runStep(
  deps: AppDeps,
  tx: Tx,
  key: ImportKey,
  { context, rowsPerStep }: { readonly context: ImportContext; readonly rowsPerStep: number },
): Promise<boolean> {
  const { companyId, importId } = key;
  const isThisImport = and(eq(clientImports.companyId, companyId), eq(clientImports.id, importId));
  const [current] = await tx.select().from(clientImports).where(isThisImport).for('update');
  if (current?.state !== 'importing') return false;
  const rows = await listPendingRows(tx, key, rowsPerStep);
  const moment = { now: deps.clock.now(), today: deps.clock.today() };
  if (rows.length > 0) await applyRows(tx, key, rows, context, { ...moment, actor: current.startedBy });
  const last = rows.at(-1);
  if (last !== undefined && rows.length === rowsPerStep) {
    await tx
      .update(clientImports)
      .set({ rowsDone: await countRowsUpTo(tx, key, last.row) })
      .where(isThisImport);
    return true;
  }
  await tx.update(clientImports).set({ state: 'completed', rowsDone: current.rowsTotal, endedAt: moment.now }).where(isThisImport);
  const after = await countRows(tx, key);
  await recordAudit(tx, { companyId, at: moment.now, actor: current.startedBy, action: 'clients.imported', subject: importId, after });
  await notify(deps, tx, companyId, [
    {
      kind: 'import_finished',
      key: `${importId} ${moment.now}`,
      title: `The import of ${current.fileName} has finished`,
      path: `${PAGES.clientImport.path}?company_id=${companyId}`,
      userIds: [current.startedBy],
    },
  ]);
  await enqueueImportedPositions(deps, tx, key);
  await enqueueEnrichment(deps, tx, companyId);
  await startFirstRefresh(deps, tx, current);
  return false;
}

function listPendingRows(tx: Tx, { companyId, importId }: ImportKey, limit: number) {
  const { row, rawValues, choice, clientId, outcome, appliedAt } = clientImportRows;
  return tx
    .select({ row, rawValues, choice, clientId })
    .from(clientImportRows)
    .where(
      and(
        eq(clientImportRows.companyId, companyId),
        eq(clientImportRows.importId, importId),
        inArray(outcome, ['new', 'matched']),
        isNull(appliedAt),
      ),
    )
    .orderBy(asc(row))
    .limit(limit);
}

async function countRowsUpTo(tx: Tx, { companyId, importId }: ImportKey, row: number): Promise<number> {
  const [countRow] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(clientImportRows)
    .where(and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId), lte(clientImportRows.row, row)));
  return countRow?.count ?? 0;
}

/** Records that the last attempt failed. The practice sees the reason and can start the import again. */
export async function failImport(deps: AppDeps, { companyId, importId }: ImportKey): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const failedImports = await tx
      .update(clientImports)
      .set({
        state: 'failed',
        fraudHeaders: null,
        endedAt: at,
        reason:
          'The import stopped because of a problem on our side. The clients imported so far are saved. Start the import again to continue, or undo it.',
      })
      .where(and(eq(clientImports.companyId, companyId), eq(clientImports.id, importId), eq(clientImports.state, 'importing')))
      .returning({ fileName: clientImports.fileName, startedBy: clientImports.startedBy });
    const events = failedImports.map(({ fileName, startedBy }) => ({
      kind: 'import_finished' as const,
      key: `${importId} ${at}`,
      title: `The import of ${fileName} stopped because of a problem on our side`,
      path: `${PAGES.clientImport.path}?company_id=${companyId}`,
      userIds: [startedBy],
    }));
    await notify(deps, tx, companyId, events);
  });
}
