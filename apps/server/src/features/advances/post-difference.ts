/**
 * A payment that the bank made before its order existed here can differ from the order. The difference is settled between the trader and
 * us.
 */
import type { Tx } from '@portal/db/database.ts';
import { unrecordedPayouts, type payouts } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { postSurplusPayout } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';

type PayoutRow = typeof payouts.$inferSelect;

/** Call this where the ordered amount is posted, after the payout was executed or returned. */
export async function postPayoutDifference(tx: Tx, payout: PayoutRow, event: 'executed' | 'returned', postedAt: Instant): Promise<void> {
  const { companyId, id, amountPence } = payout;
  const [foundPayout] = await tx
    .select({ paid: unrecordedPayouts.amountPence })
    .from(unrecordedPayouts)
    .where(and(eq(unrecordedPayouts.companyId, companyId), eq(unrecordedPayouts.payoutId, id)));
  const difference = pence(foundPayout ? foundPayout.paid - amountPence : 0);
  if (difference === 0) return;
  const size = formatPounds(pence(Math.abs(difference)));
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `payout-difference-${event}:${id}`,
    description: `The bank had paid ${size} ${difference > 0 ? 'more' : 'less'} than the payout of ${formatPounds(amountPence)}${event === 'returned' ? ', and returned it' : ''}`,
    postedAt,
    lines: postSurplusPayout(toLedgerAmount(difference, event)),
  });
}

function toLedgerAmount(difference: Pence, event: 'executed' | 'returned'): Pence {
  return event === 'executed' ? difference : pence(-difference);
}
