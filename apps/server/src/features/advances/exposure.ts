/** Calculates how much HMRC or traders still owe us, and the limits: set by two operators, otherwise from the advance terms. */
import type { Db, Tx } from '@portal/db/database.ts';
import { exposureLimits } from '@portal/db/schema/schema.ts';
import { EXPOSED_STATES } from '@portal/domain/advances/advance-states.ts';
import type { AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { desc, eq, inArray, isNull, or, sql } from '@portal/db/sql.ts';

/** Receipts of all companies (receipts-sql.ts), even within the scope of one company. */
const RECEIVED_SQL = sql`(select company_id, advance_id, sum(amount_pence) as received from all_tenants_receipts group by 1, 2)`;

/** Every advance that has been or may be paid out, with the `outstanding` part of its refund. */
export const EXPOSED_ADVANCES = sql`(select a.company_id, a.obligation_id, greatest(a.refund_pence - coalesce(r.received, 0), 0) as outstanding
  from all_tenants_advances a left join ${RECEIVED_SQL} r on r.company_id = a.company_id and r.advance_id = a.id
  where a.state in (${sql.join(
    EXPOSED_STATES.map((state) => sql.raw(`'${state}'`)),
    sql`, `,
  )}))`;

/** Sums outstanding refunds that we have advanced or may soon advance, for a company and in total. `exceptObligation` is excluded. */
export async function sumExposure(
  db: Db | Tx,
  companyId: string | undefined,
  exceptObligation?: string,
): Promise<{ company: Pence; total: Pence }> {
  const { rows } = await db.execute<{ company: string; total: string }>(sql`
    select coalesce(sum(outstanding) filter (where company_id = ${companyId ?? null}::uuid), 0)::text as company, coalesce(sum(outstanding), 0)::text as total
    from ${EXPOSED_ADVANCES} exposed
    where ${exceptObligation ?? null}::uuid is null or obligation_id <> ${exceptObligation ?? null}::uuid`);
  return { company: pence(Number(rows[0]?.company ?? 0)), total: pence(Number(rows[0]?.total ?? 0)) };
}

/** Sums the outstanding refunds of several companies. */
export async function sumExposureOf(db: Db | Tx, companyIds: readonly string[]): Promise<Pence> {
  if (companyIds.length === 0) return pence(0);
  const { rows } = await db.execute<{ total: string }>(
    sql`select coalesce(sum(outstanding), 0)::text as total from ${EXPOSED_ADVANCES} exposed where ${inArray(sql`company_id`, [...companyIds])}`,
  );
  return pence(Number(rows[0]?.total ?? 0));
}

type ExposureLimits = Pick<AdvanceTerms, 'companyExposureLimitPence' | 'totalExposureLimitPence'>;

/** Loads the current limits for the company and for all companies together. */
export async function loadExposureLimits(db: Db | Tx, companyId: string | undefined, terms: AdvanceTerms): Promise<ExposureLimits> {
  const rows = await db
    .selectDistinctOn([exposureLimits.companyId], { companyId: exposureLimits.companyId, limit: exposureLimits.limitPence })
    .from(exposureLimits)
    .where(or(isNull(exposureLimits.companyId), companyId === undefined ? undefined : eq(exposureLimits.companyId, companyId)))
    .orderBy(exposureLimits.companyId, desc(exposureLimits.setAt));
  const find = (id: string | null): Pence | undefined => rows.find((row) => row.companyId === id)?.limit;
  return {
    companyExposureLimitPence: (companyId === undefined ? undefined : find(companyId)) ?? terms.companyExposureLimitPence,
    totalExposureLimitPence: find(null) ?? terms.totalExposureLimitPence,
  };
}

/** Returns the terms with the company's current limits. */
export async function withExposureLimits(db: Db | Tx, companyId: string, terms: AdvanceTerms): Promise<AdvanceTerms> {
  return { ...terms, ...(await loadExposureLimits(db, companyId, terms)) };
}
