/** Applies the effects of the clock to a trader's records. */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { TraderRecord } from './hmrc-records.ts';
import { addWeekdays } from './london-time.ts';
import { approveAndPayDueRepayments } from './move-repayment.ts';
import { addObligationsUntil } from './trader-history.ts';

/** Applies the effects of the current time: new obligations, Direct Debits and automatic repayments. */
export async function applyClock(context: HmrcContext, trader: TraderRecord): Promise<void> {
  const today = context.clock.today();
  context.store.atomically(() => {
    addObligationsUntil(context, trader, today);
    collectDirectDebits(context, trader, today);
  });
  await approveAndPayDueRepayments(context, trader.vrn);
}

/** HMRC collects a Direct Debit on the third working day after the due date. */
function collectDirectDebits(context: HmrcContext, trader: TraderRecord, today: PlainDate): void {
  if (!trader.hasDirectDebit) return;
  const charges = context.records.charges(trader.vrn);
  for (const { key, document: charge } of charges.list()) {
    const collectedOn = addWeekdays(charge.due, 3);
    if (charge.outstandingPence <= 0 || collectedOn > today) continue;
    charges.put(key, { ...charge, outstandingPence: 0 });
    context.records.payments(trader.vrn).put(`${key} ${collectedOn}`, {
      chargeId: charge.chargeId,
      amountPence: charge.outstandingPence,
      receivedOn: collectedOn,
    });
  }
}
