import type { Tx } from '@portal/db/database.ts';
import { allTenantsAdvances } from '@portal/db/schema/schema.ts';
import type { AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { getRepaymentDays } from '@portal/domain/shortfalls/repayment-days.ts';
import { and, desc, eq, isNotNull, sql } from '@portal/db/sql.ts';

/** The most recent repayments best indicate HMRC's current speed. The limit also bounds the query. */
const MAX_REPAYMENTS = 500;

/** Returns the number of days from filing within which we expect HMRC's repayment, from our own history once it is long enough. */
export async function loadRepaymentDays(tx: Tx, terms: AdvanceTerms): Promise<number> {
  const { foundOn, filedAt, quotedAt, repaidAt, state, updatedAt } = allTenantsAdvances;
  const filedOn = sql`coalesce(${foundOn}, (coalesce(${filedAt}, ${quotedAt}) at time zone 'Europe/London')::date)`;
  const rows = await tx
    .select({ days: sql`(${repaidAt} at time zone 'Europe/London')::date - ${filedOn}`.mapWith(Number) })
    .from(allTenantsAdvances)
    .where(and(eq(state, 'settled'), isNotNull(repaidAt)))
    .orderBy(desc(updatedAt))
    .limit(MAX_REPAYMENTS);
  return getRepaymentDays(
    rows.map(({ days }) => Math.max(0, days)),
    terms.hmrcRepaysWithinDays,
  );
}
