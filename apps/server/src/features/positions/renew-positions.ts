/** Rebuilds positions that an older rules version computed, practice by practice, after a release. */
import { taxPositions } from '@portal/db/schema/schema.ts';
import { RULES_VERSION } from '@portal/domain/practice/positions/rules-version.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, lt } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';

import { enqueueTotals } from './keep-totals.ts';
import { rebuildTaxes } from './rebuild-position.ts';

const POSITIONS_A_STEP = 400;
/** Short, so that other jobs can run in between. */
const SLICE_MS = 30_000;

/** Only older versions: while two releases run side by side, the newer one's results stay. */
const isOlder = lt(taxPositions.rulesVersion, RULES_VERSION);

/** Queues one job for each practice with outdated positions. */
export async function enqueueRenewals(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const practices = await db.selectDistinct({ companyId: taxPositions.companyId }).from(taxPositions).where(isOlder);
  for (const { companyId } of practices) await enqueueRenewal(deps, companyId);
}

function enqueueRenewal(deps: AppDeps, companyId: string): Promise<void> {
  const options = { singletonKey: `positions.renew:${companyId}` };
  return deps.enqueue(deps.database.db, 'positions.renew', { company_id: companyId }, options);
}

/** Each run continues with the positions that are still outdated. */
export async function renewPositions(deps: AppDeps, companyId: string, signal: AbortSignal): Promise<void> {
  const stop = performance.now() + SLICE_MS;
  while (!signal.aborted && performance.now() < stop) if (!(await renewSome(deps, companyId))) return;
  await enqueueRenewal(deps, companyId);
}

/** Returns whether there may be more. */
async function renewSome(deps: AppDeps, companyId: string): Promise<boolean> {
  const { database, clock } = deps;
  const older = await database.db
    .select({ clientId: taxPositions.clientId, tax: taxPositions.tax })
    .from(taxPositions)
    .where(and(eq(taxPositions.companyId, companyId), isOlder))
    .limit(POSITIONS_A_STEP);
  if (older.length === 0) return false;
  const having = (tax: Tax) => older.flatMap((one) => (one.tax === tax ? [one.clientId] : []));
  await database.db.transaction(async (tx) => {
    const of = { companyId, today: clock.today(), now: clock.now() };
    await rebuildTaxes(tx, of, Object.fromEntries(TAXES.map((tax) => [tax, having(tax)])));
    await enqueueTotals(deps, tx, companyId);
  });
  return older.length === POSITIONS_A_STEP;
}
