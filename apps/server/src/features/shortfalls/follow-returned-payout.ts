/** Keeps a case in step with a payout that the bank has returned. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { type payouts, shortfallRecoveries } from '@portal/db/schema/schema.ts';
import { postMatchedCredit, postRecoveredWriteOff } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence, sumPence, ZERO, type Pence } from '@portal/domain/money.ts';
import type { AppDeps } from '../../app-deps.ts';
import { transitionAdvance, type AdvanceRow, type TransitionContext } from '../advances/transition-advance.ts';
import { sumWrittenOffAmounts } from '../advances/written-off.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { cancelSuperfluousDirectDebit } from './cancel-direct-debit.ts';
import { sendNothingOwedLetter, sendReturnedPayoutUsed } from './recovery-letters.ts';
import { changeShortfall, findShortfallByAdvance, getOwedByTrader, recordShortfallEvent, type ShortfallRow } from './shortfall-record.ts';
import { syncShortfall, transitionByBalance } from './sync-shortfall.ts';

/** Nothing was bought after all, so nothing is owed: closes the case, and sends the trader a letter if we had asked them to pay. */
export async function closeAfterReturn(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  { isClaimUndone, ...context }: TransitionContext & { readonly isClaimUndone: boolean },
): Promise<void> {
  const row = await findShortfallByAdvance(tx, advance.companyId, advance.id);
  if (!row || row.status === 'closed') return;
  const explanation = 'The bank returned our payment to the trader, so nothing was bought and nothing is owed. The case is closed.';
  const closedCase = { status: 'closed', closedAt: context.at, dueOn: null, planStartedFromPence: null, suspectedPence: ZERO } as const;
  const closedShortfall = await changeShortfall(tx, row, closedCase, context, 'closed', explanation);
  await cancelSuperfluousDirectDebit(deps, tx, closedShortfall, 0);
  if (isClaimUndone) await sendNothingOwedLetter(deps, tx, advance, closedShortfall);
}

type Payout = Pick<typeof payouts.$inferSelect, 'companyId' | 'id' | 'amountPence'>;

/**
 * The returned money first pays what the trader owes for this refund, then what was written off for it: traders can't owe us money that
 * they never received, nor be paid while they owe us. A disputed difference waits for the decision.
 */
export async function useReturnedPayout(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  payout: Payout,
  context: TransitionContext,
): Promise<void> {
  const row = await findShortfallByAdvance(tx, advance.companyId, advance.id);
  if (!row) return;
  const dueAmount = row.status === 'due' ? await getOwedByTrader(tx, advance) : ZERO;
  const appliedAmount = pence(Math.min(payout.amountPence, dueAmount));
  const recoveredAmount = pence(
    Math.min(payout.amountPence - appliedAmount, await sumWrittenOffAmounts(tx, advance.companyId, advance.id)),
  );
  const usedAmount = sumPence([appliedAmount, recoveredAmount]);
  if (usedAmount === 0) return;
  await recordUse(tx, advance, payout, { used: usedAmount, recovered: recoveredAmount }, context);
  const remainingAmount = pence(payout.amountPence - usedAmount);
  const explanation = `The bank returned our payment of ${formatPounds(payout.amountPence)}. ${formatPounds(usedAmount)} of it covers the difference on this refund.`;
  const movedAdvance = await moveAdvance(tx, advance, row, context, explanation);
  await recordShortfallEvent(tx, row, context, 'payout_returned', explanation, {
    after: { applied_pence: appliedAmount, recovered_pence: recoveredAmount },
  });
  const syncedShortfall = (await syncShortfall(deps, tx, movedAdvance, context)) ?? row;
  if (syncedShortfall.status === 'written_off' && movedAdvance.state === 'settled')
    await changeShortfall(
      tx,
      syncedShortfall,
      { status: 'settled', closedAt: context.at },
      context,
      'settled',
      'Nothing is written off any more.',
    );
  await sendReturnedPayoutUsed(deps, tx, movedAdvance, row, { returned: payout.amountPence, used: usedAmount, rest: remainingAmount });
}

/** Posts the use of the money, with a row that counts as received. The written-off amount already counted, so its row is removed. */
async function recordUse(
  tx: Tx,
  { companyId, id: advanceId }: AdvanceRow,
  payout: Payout,
  { used, recovered }: { readonly used: Pence; readonly recovered: Pence },
  { at }: TransitionContext,
): Promise<void> {
  const commonFields = { companyId, advanceId, sourceId: payout.id, at };
  await tx.insert(shortfallRecoveries).values({ ...commonFields, id: randomUUID(), source: 'netting', amountPence: used });
  if (recovered > 0) {
    await tx.insert(shortfallRecoveries).values({ ...commonFields, id: randomUUID(), source: 'write_off', amountPence: pence(-recovered) });
    await postToLedger(tx, {
      companyId,
      idempotencyKey: `write-off-recovered:${payout.id}`,
      description: `${formatPounds(recovered)} of the write-off reversed: the bank returned the payout`,
      postedAt: at,
      lines: postRecoveredWriteOff(recovered),
    });
  }
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `payout-returned-used:${payout.id}`,
    description: `${formatPounds(used)} of the returned payout of ${formatPounds(payout.amountPence)} covers what the trader owes for its refund`,
    postedAt: at,
    lines: postMatchedCredit(used, 'due_from_trader'),
  });
}

async function moveAdvance(
  tx: Tx,
  advance: AdvanceRow,
  { companyId, advanceId }: ShortfallRow,
  context: TransitionContext,
  text: string,
): Promise<AdvanceRow> {
  if (advance.state !== 'written_off') return transitionByBalance(tx, advance, context, text);
  if ((await sumWrittenOffAmounts(tx, companyId, advanceId)) > 0) return advance;
  const collecting = await transitionAdvance(tx, advance, 'collecting', context, text);
  return transitionAdvance(tx, collecting, 'settled', context, 'Nothing more is owed.');
}
