/** The job that runs an import. Each step is one transaction, so an interrupted import resumes with the next row. */
import type { Tx } from '@portal/db/database.ts';
import { clientImportRows, clientImports } from '@portal/db/schema/schema.ts';
import { createMatcher } from '@portal/domain/practice/client-import/match-clients.ts';
import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueEnrichment } from './enrich-clients.ts';
import { countRows } from './import-queries.ts';
import { loadKnownClients, ReferenceHolders } from './known-clients.ts';
import type { Ground } from './plan-rows.ts';
import { takeInRows, type ImportKey } from './take-in-rows.ts';
import { enqueueWorkOut } from './work-out-days.ts';

/** Limits the work that a crash loses and the time that a cancellation waits. */
export const ROWS_A_STEP = 500;

/** Tests pass `maxSteps` and `rowsPerStep` to interrupt an import. */
export async function runImport(
  deps: AppDeps,
  key: ImportKey,
  { signal }: Pick<JobRun, 'signal'>,
  { steps = Number.POSITIVE_INFINITY, rowsAStep = ROWS_A_STEP }: { readonly steps?: number; readonly rowsAStep?: number } = {},
): Promise<void> {
  const ground = await loadGround(deps.database.db, key.companyId);
  for (let step = 0; step < steps && !signal.aborted; step += 1) {
    const goesOn = await deps.database.db.transaction((tx) => takeStep(deps, tx, key, { ground, rowsAStep }));
    if (!goesOn) return;
  }
}

export async function loadGround(db: Parameters<typeof loadKnownClients>[0], companyId: string): Promise<Ground> {
  const known = await loadKnownClients(db, companyId);
  return { match: createMatcher(known), holders: new ReferenceHolders(known) };
}

/** Returns whether there may be more rows. The lock on the import makes a cancellation wait for the end of the step. */
async function takeStep(
  deps: AppDeps,
  tx: Tx,
  key: ImportKey,
  { ground, rowsAStep }: { readonly ground: Ground; readonly rowsAStep: number },
): Promise<boolean> {
  const { companyId, importId } = key;
  const ofImport = and(eq(clientImports.companyId, companyId), eq(clientImports.id, importId));
  const [current] = await tx.select().from(clientImports).where(ofImport).for('update');
  if (current?.state !== 'importing') return false;
  const rows = await nextRows(tx, key, rowsAStep);
  const moment = { now: deps.clock.now(), today: deps.clock.today() };
  if (rows.length > 0) await takeInRows(tx, key, rows, ground, moment);
  const last = rows.at(-1);
  if (last !== undefined && rows.length === rowsAStep) {
    await tx
      .update(clientImports)
      .set({ rowsDone: await countUpTo(tx, key, last.row) })
      .where(ofImport);
    return true;
  }
  await tx.update(clientImports).set({ state: 'completed', rowsDone: current.rowsTotal, endedAt: moment.now }).where(ofImport);
  const after = await countRows(tx, key);
  await recordAudit(tx, { companyId, at: moment.now, actor: current.startedBy, action: 'clients.imported', subject: importId, after });
  await enqueueWorkOut(deps, tx, key);
  await enqueueEnrichment(deps, tx, companyId);
  return false;
}

function nextRows(tx: Tx, { companyId, importId }: ImportKey, most: number) {
  const { row, said, choice, clientId, outcome, appliedAt } = clientImportRows;
  return tx
    .select({ row, said, choice, clientId })
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
    .limit(most);
}

async function countUpTo(tx: Tx, { companyId, importId }: ImportKey, row: number): Promise<number> {
  const [counted] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(clientImportRows)
    .where(and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId), lte(clientImportRows.row, row)));
  return counted?.count ?? 0;
}

/** The last attempt failed. The practice sees the reason and can start the import again. */
export async function failImport({ database, clock }: AppDeps, { companyId, importId }: ImportKey): Promise<void> {
  await database.db
    .update(clientImports)
    .set({
      state: 'failed',
      endedAt: clock.now(),
      reason:
        'The import stopped because of a fault on our side. The clients taken in so far are kept. Start it again to go on, or undo it.',
    })
    .where(and(eq(clientImports.companyId, companyId), eq(clientImports.id, importId), eq(clientImports.state, 'importing')));
}
