import type { Tx } from '@portal/db/database.ts';
import { advances, filings } from '@portal/db/schema/schema.ts';
import type { AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { getRepaymentDays } from '@portal/domain/shortfalls/repayment-days.ts';
import { and, desc, eq, isNotNull, sql } from '@portal/db/sql.ts';

/** The newest repayments say most about HMRC's present speed, and bound the read. */
const MAX_HISTORY = 500;

/** Days from filing within which we expect HMRC's repayment, from our own history once there is enough of it. */
export async function loadRepaymentDays(tx: Tx, terms: AdvanceTerms): Promise<number> {
  const filedOn = sql`coalesce(${advances.foundOn}, (coalesce(${filings.sentAt}, ${advances.quotedAt}) at time zone 'Europe/London')::date)`;
  const rows = await tx
    .select({ days: sql`(${advances.repaidAt} at time zone 'Europe/London')::date - ${filedOn}`.mapWith(Number) })
    .from(advances)
    .leftJoin(filings, and(eq(filings.companyId, advances.companyId), eq(filings.id, advances.filingId)))
    .where(and(eq(advances.state, 'settled'), isNotNull(advances.repaidAt)))
    .orderBy(desc(advances.updatedAt))
    .limit(MAX_HISTORY);
  return getRepaymentDays(
    rows.map(({ days }) => Math.max(0, days)),
    terms.hmrcRepaysWithinDays,
  );
}
