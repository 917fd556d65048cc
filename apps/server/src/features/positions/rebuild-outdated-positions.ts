/** Rebuilds positions computed by an older rules version, practice by practice, after a release. */
import { taxPositions } from '@portal/db/schema/schema.ts';
import { RULES_VERSION } from '@portal/domain/positions/rules-version.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, lt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

import { enqueueTotals } from './refresh-totals.ts';
import { rebuildTaxes } from './rebuild-position.ts';

const POSITIONS_PER_STEP = 400;
/** Short, so that other jobs can run in between. */
const TIME_BUDGET_MS = 30_000;

/** Matches only older versions: while two releases run side by side, results of the newer one are kept. */
const isOutdated = lt(taxPositions.rulesVersion, RULES_VERSION);

/** Queues one job for each practice with outdated positions. */
export async function enqueueOutdatedRebuilds(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const practices = await db.selectDistinct({ companyId: taxPositions.companyId }).from(taxPositions).where(isOutdated);
  for (const { companyId } of practices) await enqueueOutdatedRebuild(deps, companyId);
}

function enqueueOutdatedRebuild(deps: AppDeps, companyId: string): Promise<void> {
  const options = { singletonKey: `positions.rebuild-outdated:${companyId}` };
  return deps.enqueue(deps.database.db, 'positions.rebuild-outdated', { company_id: companyId }, options);
}

/** Each run continues with the positions that are still outdated. */
export async function rebuildOutdatedPositions(deps: AppDeps, companyId: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + TIME_BUDGET_MS;
  while (!signal.aborted && performance.now() < deadline) if (!(await rebuildOutdatedBatch(deps, companyId))) return;
  await enqueueOutdatedRebuild(deps, companyId);
}

/** Returns whether more may be outdated. */
async function rebuildOutdatedBatch(deps: AppDeps, companyId: string): Promise<boolean> {
  const { database, clock } = deps;
  const outdatedPositions = await database.db
    .select({ clientId: taxPositions.clientId, tax: taxPositions.tax })
    .from(taxPositions)
    .where(and(eq(taxPositions.companyId, companyId), isOutdated))
    .limit(POSITIONS_PER_STEP);
  if (outdatedPositions.length === 0) return false;
  const listIdsWithTax = (tax: Tax) => outdatedPositions.flatMap((position) => (position.tax === tax ? [position.clientId] : []));
  await database.db.transaction(async (tx) => {
    const scope = { companyId, today: clock.today(), now: clock.now() };
    await rebuildTaxes(tx, scope, Object.fromEntries(TAXES.map((tax) => [tax, listIdsWithTax(tax)])));
    await enqueueTotals(deps, tx, companyId);
  });
  return outdatedPositions.length === POSITIONS_PER_STEP;
}
