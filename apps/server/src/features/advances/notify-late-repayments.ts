/**
 * Emails the owners once when HMRC hasn't repaid by the expected day: HMRC may be waiting for an answer that only the company can give.
 */
import { advances, filings } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueLateEmail } from './advance-emails.ts';
import { lockAdvance } from './transition-advance.ts';

const BATCH_SIZE = 100;

export async function notifyLateRepayments(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const today = deps.clock.today();
  const { hmrcRepaysWithinDays } = getAdvanceTerms(today);
  const filedOn = sql`coalesce(${advances.foundOn}, (coalesce(${filings.sentAt}, ${advances.quotedAt}) at time zone 'Europe/London')::date)`;
  const late = await db
    .select({
      companyId: advances.companyId,
      id: advances.id,
      expectedOn: sql<PlainDate>`(${filedOn} + ${hmrcRepaysWithinDays}::int)::text`,
    })
    .from(advances)
    .leftJoin(filings, and(eq(filings.companyId, advances.companyId), eq(filings.id, advances.filingId)))
    .where(
      and(
        eq(advances.state, 'awaiting_hmrc'),
        isNull(advances.lateNotifiedAt),
        sql`${filedOn} + ${hmrcRepaysWithinDays}::int < ${today}::date`,
      ),
    )
    .limit(BATCH_SIZE);
  await tryEach(late, ({ companyId, id, expectedOn }) =>
    db.transaction(async (tx) => {
      const advance = await lockAdvance(tx, companyId, id);
      if (advance?.state !== 'awaiting_hmrc' || advance.lateNotifiedAt !== null) return;
      await tx
        .update(advances)
        .set({ lateNotifiedAt: deps.clock.now() })
        .where(and(eq(advances.companyId, companyId), eq(advances.id, id)));
      await enqueueLateEmail(deps, tx, advance, expectedOn);
    }),
  );
}
