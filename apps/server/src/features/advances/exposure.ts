/** What HMRC or traders still owe us, and the limits on it: set by two operators, otherwise those of the advance terms. */
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, creditAllocations, exposureLimits, shortfallRecoveries } from '@portal/db/schema/schema.ts';
import { EXPOSED_STATES } from '@portal/domain/advances/advance-states.ts';
import type { AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { and, desc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';

/**
 * Outstanding refunds that we have advanced or may soon advance: of a company, and of all. What came back reduces them.
 * `exceptObligation` is left out.
 */
export async function sumExposure(
  db: Db | Tx,
  companyId: string | undefined,
  exceptObligation?: string,
): Promise<{ company: Pence; total: Pence }> {
  const allocated = db
    .select({ companyId: creditAllocations.companyId, advanceId: creditAllocations.advanceId, amount: creditAllocations.amountPence })
    .from(creditAllocations)
    .where(and(isNotNull(creditAllocations.advanceId), isNull(creditAllocations.reversedAt)));
  const recovered = db
    .select({ companyId: shortfallRecoveries.companyId, advanceId: shortfallRecoveries.advanceId, amount: shortfallRecoveries.amountPence })
    .from(shortfallRecoveries);
  const received = sql`(select company_id, advance_id, sum(amount_pence) as sum from (${allocated} union all ${recovered}) money group by 1, 2) received`;
  const outstanding = sql`greatest(${advances.refundPence} - coalesce(received.sum, 0), 0)`;
  const company = sql`coalesce(sum(${outstanding}) filter (where ${advances.companyId} = ${companyId ?? null}::uuid), 0)`;
  const [row] = await db
    .select({ company: company.mapWith(Number), total: sql`coalesce(sum(${outstanding}), 0)`.mapWith(Number) })
    .from(advances)
    .leftJoin(received, sql`received.company_id = ${advances.companyId} and received.advance_id = ${advances.id}`)
    .where(
      and(
        inArray(advances.state, [...EXPOSED_STATES]),
        exceptObligation === undefined ? undefined : ne(advances.obligationId, exceptObligation),
      ),
    );
  return { company: pence(row?.company ?? 0), total: pence(row?.total ?? 0) };
}

type Limits = Pick<AdvanceTerms, 'companyExposureLimitPence' | 'totalExposureLimitPence'>;

/** The limits in force: for the company, and for all companies together. */
export async function loadExposureLimits(db: Db | Tx, companyId: string | undefined, terms: AdvanceTerms): Promise<Limits> {
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

/** The terms with the limits in force for a company. */
export async function withExposureLimits(db: Db | Tx, companyId: string, terms: AdvanceTerms): Promise<AdvanceTerms> {
  return { ...terms, ...(await loadExposureLimits(db, companyId, terms)) };
}
