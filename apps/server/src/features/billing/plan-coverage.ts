/** Limits refreshes to the connections in a practice's plan once its trial has ended (docs/decisions/0131-trials-and-plans.md). */
import type { Db, Tx } from '@portal/db/database.ts';
import { clientAuthorisations, practices, selectedConnections, subscriptions } from '@portal/db/schema/schema.ts';
import { eq, sql, type SQL } from '@portal/db/sql.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { countCovered, isTrialEnding, type PlanFacts } from '@portal/domain/pricing/plan-coverage.ts';
import { findPriceList } from '@portal/domain/pricing/price-list.ts';
import { AGENT_TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getConnectionsSql } from '../pricing/connections-sql.ts';
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

/** Returns how many connections are refreshed today, or null if all are. */
export async function readCoveredCount(deps: AppDeps, companyId: string, db: Db | Tx = deps.database.db): Promise<number | null> {
  return countCovered(await readPlanFacts(deps, companyId, db), deps.clock.today());
}

/**
 * Returns the connections that a plan is filled with: `client_id`, `tax`, and `selected_at`, which is null for those that the practice hasn't
 * selected. Of these, only VAT and Self Assessment count, because nothing else is read from HMRC.
 */
function getPlanConnectionsSql(companyId: string): SQL {
  return sql`select s.client_id, s.tax, s.selected_at from ${selectedConnections} s where s.company_id = ${companyId}::uuid and s.linked
    union all
    select c.client_id, c.tax, null from (${getConnectionsSql(companyId)}) c
    where c.linked and c.tax in (${sql.join(
      AGENT_TAXES.map((tax) => sql`${tax}`),
      sql`, `,
    )}) and not exists (select from ${selectedConnections} s
      where s.company_id = c.company_id and s.client_id = c.client_id and s.tax = c.tax and s.linked)`;
}

/**
 * Returns a condition for clients whose figures of a tax may be refreshed: the connections selected first, then others until the plan is
 * full. A connection that HMRC hasn't authorised may be read, because the first reading shows whether it has.
 */
export function getRefreshableCondition(companyId: string, covered: number | null, clientId: SQL, tax: Tax): SQL | undefined {
  if (covered === null) return undefined;
  return sql`(${clientId} in (select c.client_id from (select p.* from (${getPlanConnectionsSql(companyId)}) p
      order by p.selected_at nulls last, p.client_id, p.tax limit ${covered}) c where c.tax = ${tax})
    or not exists (select from ${clientAuthorisations} where ${clientAuthorisations.companyId} = ${companyId}::uuid
      and ${clientAuthorisations.clientId} = ${clientId} and ${clientAuthorisations.tax} = ${tax}
      and ${clientAuthorisations.status} in ('authorised', 'expiring')))`;
}

export type TrialEnd = {
  /** The first day after the trial. */
  readonly trialEndsOn: PlainDate;
  /** The places in the plan from that day on. */
  readonly covered: number;
  /** The linked connections for which it has no place. */
  readonly outside: number;
};

/** Returns what changes at the end of a practice's trial, or has changed since; undefined if nothing does. */
export async function findTrialEnd(deps: AppDeps, companyId: string, db: Db | Tx = deps.database.db): Promise<TrialEnd | undefined> {
  const facts = await readPlanFacts(deps, companyId, db);
  const { trialEndsOn } = facts;
  if (trialEndsOn === null || !isTrialEnding(trialEndsOn, deps.clock.today())) return undefined;
  const covered = countCovered(facts, trialEndsOn);
  if (covered === null) return undefined;
  const { rows } = (await db.execute(sql`select count(*)::int as linked from (${getPlanConnectionsSql(companyId)}) p`)) as unknown as {
    rows: { linked: number }[];
  };
  const outside = (rows[0]?.linked ?? 0) - covered;
  return outside > 0 ? { trialEndsOn, covered, outside } : undefined;
}
