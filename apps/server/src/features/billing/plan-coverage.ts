/** Limits refreshes to the connections in a practice's plan once its trial has ended (docs/decisions/0131-trials-and-plans.md). */
import type { Db, Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clientRows, practices, selectedConnections, subscriptions } from '@portal/db/schema/schema.ts';
import { eq, sql, type SQL } from '@portal/db/sql.ts';
import { countCovered, type PlanFacts } from '@portal/domain/pricing/plan-coverage.ts';
import { findPriceList } from '@portal/domain/pricing/price-list.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listPriceLists } from '../pricing/practice-prices.ts';
import { isLive } from './billing-records.ts';

/** Returns the facts that decide what is covered. Where payments aren't set up, a practice couldn't subscribe, so nothing is limited. */
export async function readPlanFacts(
  { billing, clock, database }: AppDeps,
  companyId: string,
  db: Db | Tx = database.db,
): Promise<PlanFacts> {
  const [row] = await db
    .select({ trialEndsOn: practices.trialEndsOn, status: subscriptions.status, connections: subscriptions.connections })
    .from(practices)
    .leftJoin(subscriptions, isLive(companyId))
    .where(eq(practices.companyId, companyId));
  const subscription = row && row.status !== null && row.connections !== null ? { status: row.status, connections: row.connections } : null;
  const trialEndsOn = billing && row ? row.trialEndsOn : null;
  const list = trialEndsOn === null ? null : (findPriceList(await listPriceLists(db), clock.today(), null) ?? null);
  return { trialEndsOn, subscription, list };
}

/** Returns how many of the selected connections are refreshed today, or null if all connections are. */
export async function readCoveredCount(deps: AppDeps, companyId: string, db: Db | Tx = deps.database.db): Promise<number | null> {
  return countCovered(await readPlanFacts(deps, companyId, db), deps.clock.today());
}

const isLinked = sql`${clientAuthorisations.status} in ('authorised', 'expiring')`;

/**
 * Returns the connections that a plan is filled with: `client_id`, `tax`, and `selected_at`, which is null for those that the practice hasn't
 * selected. Of these, only VAT and Self Assessment count, because nothing else is read from HMRC.
 */
function getPlanConnectionsSql(companyId: string): SQL {
  return sql`select s.client_id, s.tax, s.selected_at from ${selectedConnections} s where s.company_id = ${companyId}::uuid and s.linked
    union all
    select r.client_id, ${clientAuthorisations.tax}, null from ${clientAuthorisations}
    join ${clientRows} r on r.company_id = ${clientAuthorisations.companyId} and r.client_id = ${clientAuthorisations.clientId}
    where r.company_id = ${companyId}::uuid and ${isLinked} and r.status = 'active'
      and (${clientAuthorisations.tax} = 'vat' and r.has_vat or ${clientAuthorisations.tax} = 'sa' and r.has_sa)
      and not exists (select from ${selectedConnections} s
        where s.company_id = r.company_id and s.client_id = r.client_id and s.tax = ${clientAuthorisations.tax} and s.linked)`;
}

/**
 * Returns a condition for clients whose figures of a tax may be refreshed: the connections selected first, then others until the plan is
 * full. A connection that isn't linked yet may be read, because the first reading shows whether HMRC has authorised the practice.
 */
export function getRefreshableCondition(companyId: string, covered: number | null, clientId: SQL, tax: Tax): SQL | undefined {
  if (covered === null) return undefined;
  return sql`(${clientId} in (select c.client_id from (select p.* from (${getPlanConnectionsSql(companyId)}) p
      order by p.selected_at nulls last, p.client_id, p.tax limit ${covered}) c where c.tax = ${tax})
    or not exists (select from ${clientAuthorisations} where ${clientAuthorisations.companyId} = ${companyId}::uuid
      and ${clientAuthorisations.clientId} = ${clientId} and ${clientAuthorisations.tax} = ${tax} and ${isLinked}))`;
}

/** Counts the connections for which a plan has no room. */
export async function countUncovered(db: Db | Tx, companyId: string, covered: number): Promise<number> {
  const { rows } = (await db.execute(sql`select count(*)::int as total from (${getPlanConnectionsSql(companyId)}) p`)) as unknown as {
    rows: { total: number }[];
  };
  return Math.max(0, (rows[0]?.total ?? 0) - covered);
}
