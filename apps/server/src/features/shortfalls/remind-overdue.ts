import { shortfalls } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, isNull, lt, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { hasPendingDirectDebit } from '../direct-debits/order-direct-debit.ts';
import { loadNextPayment } from './next-payment.ts';
import { sendReminder } from './shortfall-letters.ts';
import { changeShortfall } from './shortfall-record.ts';
import { lockCase } from './trader-actions.ts';
import { sumUndecidedPayments } from './undecided-payments.ts';

/** A weekly reminder is enough. */
const REMINDER_INTERVAL_MS = 7 * 86_400_000;
const BATCH_SIZE = 100;

/** Reminds the owners of an overdue amount. Disputed cases get no reminder. */
export async function remindOverdue(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const notBefore = addMilliseconds(deps.clock.now(), -REMINDER_INTERVAL_MS);
  const rows = await db
    .select({ companyId: shortfalls.companyId, shortfallId: shortfalls.id })
    .from(shortfalls)
    .where(
      and(
        eq(shortfalls.status, 'due'),
        lt(shortfalls.dueOn, deps.clock.today()),
        or(isNull(shortfalls.remindedAt), lt(shortfalls.remindedAt, notBefore)),
        // Nothing is overdue while a Direct Debit is being collected.
        sql`not ${hasPendingDirectDebit}`,
      ),
    )
    .limit(BATCH_SIZE);
  await tryEach(rows, (key) =>
    db.transaction(async (tx) => {
      const { advance, shortfall } = await lockCase(tx, key);
      const next = await loadNextPayment(tx, advance, shortfall);
      const isRecent = shortfall.remindedAt !== null && shortfall.remindedAt >= notBefore;
      if (shortfall.status !== 'due' || isRecent || !next || next.dueOn >= deps.clock.today()) return;
      // They may have paid it already.
      if (next.amount <= (await sumUndecidedPayments(tx, key.companyId))) return;
      const context = { actor: 'clock', at: deps.clock.now() };
      const row = await changeShortfall(
        tx,
        shortfall,
        { remindedAt: context.at },
        context,
        'reminded',
        'Reminder emailed: a payment is overdue.',
      );
      await sendReminder(deps, tx, advance, row, { owed: next.amount, dueOn: next.dueOn });
    }),
  );
}
