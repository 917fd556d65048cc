/**
 * Opens a case and emails the owners once if HMRC hasn't repaid by the expected day. HMRC may be waiting for a response that only the
 * company can give, and we may need a user to visit the portal before we can read HMRC's figures.
 */
import { advances, filings } from '@portal/db/schema/schema.ts';
import { ZERO } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { watchShortfall } from '../shortfalls/sync-shortfall.ts';
import { enqueueLateEmail } from './advance-emails.ts';
import { lockAdvance, lockCompany } from './transition-advance.ts';

const BATCH_SIZE = 100;

export async function notifyLateRepayments(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const today = deps.clock.today();
  const filedOn = sql`coalesce(${advances.foundOn}, (coalesce(${filings.sentAt}, ${advances.quotedAt}) at time zone 'Europe/London')::date)`;
  const lateAdvances = await db
    .select({
      companyId: advances.companyId,
      id: advances.id,
      expectedOn: sql<PlainDate>`(${filedOn} + ${advances.repaymentDays})::text`,
    })
    .from(advances)
    .leftJoin(filings, and(eq(filings.companyId, advances.companyId), eq(filings.id, advances.filingId)))
    .where(
      and(
        eq(advances.state, 'awaiting_hmrc'),
        isNull(advances.lateNotifiedAt),
        sql`${filedOn} + ${advances.repaymentDays} < ${today}::date`,
      ),
    )
    .limit(BATCH_SIZE);
  await tryEach(lateAdvances, ({ companyId, id, expectedOn }) =>
    db.transaction(async (tx) => {
      await lockCompany(tx, companyId);
      const advance = await lockAdvance(tx, companyId, id);
      if (advance?.state !== 'awaiting_hmrc' || advance.lateNotifiedAt !== null) return;
      await tx
        .update(advances)
        .set({ lateNotifiedAt: deps.clock.now() })
        .where(and(eq(advances.companyId, companyId), eq(advances.id, id)));
      const causeText = `HMRC’s repayment was expected by ${formatDate(expectedOn)}, but nothing has arrived.`;
      const context = { actor: 'clock', at: deps.clock.now() };
      await watchShortfall(deps, tx, advance, context, { cause: 'late', causeText, suspected: ZERO });
      await enqueueLateEmail(deps, tx, advance, expectedOn);
    }),
  );
}
