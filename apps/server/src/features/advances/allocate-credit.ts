/**
 * Allocates part of a credit to an advance, and reverses wrong allocations. Each adds a posting, a row and a transition in the caller's
 * transaction, which holds the company's lock. Nothing is edited or deleted.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { creditAllocations } from '@portal/db/schema/schema.ts';
import { isMatchable, isReversible, reverseMatch, settleCredit, type CreditSettlement } from '@portal/domain/advances/settle-credit.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { postMatchedCredit, postReversedMatch, postShortfall } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { sumReceived, type AllocationRow, type CreditRow } from './credit-facts.ts';
import { transitionAdvance, type AdvanceRow, type TransitionContext } from './transition-advance.ts';

/** `requestId`: the approved request; null for an automatic match. `reason` is recorded in the advance's history. */
export type AllocationContext = TransitionContext & { readonly requestId: string | null; readonly reason: string };

/** Allocates `amount` of the credit to a locked advance. Throws a conflict if the advance is waiting for less. */
export async function allocateToAdvance(
  tx: Tx,
  credit: CreditRow,
  advance: AdvanceRow,
  amount: Pence,
  context: AllocationContext,
): Promise<CreditSettlement> {
  const { companyId, state, refundPence: refund } = advance;
  if (!isMatchable(state)) throw createNothingOutstandingError();
  const settlement = settleCredit(amount, { state, refund, received: await sumReceived(tx, companyId, advance.id) });
  if (settlement.surplus > 0) {
    throw new AppError(
      'conflict',
      'reconciliation.too_much',
      `Only ${formatPounds(settlement.applied)} of this advance is outstanding. Reload the page.`,
    );
  }
  const id = await storeAllocation(tx, credit, advance.id, amount, context);
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `allocation:${id}`,
    description: `${formatPounds(amount)} of the credit of ${formatPounds(credit.amountPence)} from ${credit.remitter} repays the refund of ${formatPounds(refund)}`,
    postedAt: context.at,
    lines: postMatchedCredit(amount, state === 'awaiting_hmrc' ? 'refunds_receivable' : 'due_from_trader'),
  });
  if (state === 'awaiting_hmrc' && settlement.missing > 0) {
    await postToLedger(tx, {
      companyId,
      idempotencyKey: `shortfall:${id}`,
      description: `Shortfall of ${formatPounds(settlement.missing)}, due from the trader`,
      postedAt: context.at,
      lines: postShortfall(settlement.missing),
    });
  }
  await settleAdvance(tx, credit, advance, settlement, context);
  return settlement;
}

/** Applies the transitions of an advance that received money. */
async function settleAdvance(
  tx: Tx,
  credit: CreditRow,
  advance: AdvanceRow,
  { to }: CreditSettlement,
  context: AllocationContext,
): Promise<void> {
  const { reason } = context;
  if (advance.state === 'awaiting_hmrc') {
    const repaidAt = { repaidAt: credit.receivedAt };
    if (to !== 'settled') return void (await transitionAdvance(tx, advance, 'shortfall', context, reason, repaidAt));
    const repaid = await transitionAdvance(tx, advance, 'repaid', context, reason, repaidAt);
    return void (await transitionAdvance(tx, repaid, 'settled', context, 'Nothing is owed any more.'));
  }
  const isFirst = advance.state === 'shortfall';
  const collecting = isFirst ? await transitionAdvance(tx, advance, 'collecting', context, reason) : advance;
  if (to === 'settled') await transitionAdvance(tx, collecting, 'settled', context, isFirst ? 'Nothing is owed any more.' : reason);
}

/** Allocates `amount` of the credit to the trader. The ledger has recorded it as the trader's since it arrived. */
export async function allocateToTrader(tx: Tx, credit: CreditRow, amount: Pence, context: AllocationContext): Promise<void> {
  await storeAllocation(tx, credit, null, amount, context);
}

async function storeAllocation(
  tx: Tx,
  credit: CreditRow,
  advanceId: string | null,
  amountPence: Pence,
  context: AllocationContext,
): Promise<string> {
  const id = randomUUID();
  const { companyId, id: creditId } = credit;
  const { at, actor: by, requestId } = context;
  await tx.insert(creditAllocations).values({ companyId, id, creditId, advanceId, amountPence, at, by, requestId });
  return id;
}

/**
 * Reverses an allocation; `advance` is its locked advance. Returns the updated advance, whose remaining payments determine whether HMRC or
 * the trader owes the money again.
 */
export async function reverseAllocation(
  tx: Tx,
  allocation: AllocationRow,
  advance: AdvanceRow | undefined,
  context: AllocationContext,
): Promise<AdvanceRow | undefined> {
  const { companyId, id } = allocation;
  const reopened = advance && (await reopenAdvance(tx, allocation, advance, context));
  await tx
    .update(creditAllocations)
    .set({ reversedAt: context.at, reversedBy: context.actor, reversedRequestId: context.requestId })
    .where(and(eq(creditAllocations.companyId, companyId), eq(creditAllocations.id, id)));
  return reopened;
}

async function reopenAdvance(tx: Tx, allocation: AllocationRow, advance: AdvanceRow, context: AllocationContext): Promise<AdvanceRow> {
  const { companyId, id, amountPence: amount } = allocation;
  const { state, refundPence: refund } = advance;
  if (!isReversible(state)) {
    throw new AppError(
      'conflict',
      'reconciliation.not_reversible',
      `This match can’t be reversed, because the advance is ${state.replaceAll('_', ' ')}.`,
    );
  }
  const reversal = reverseMatch(amount, { state, refund, received: await sumReceived(tx, companyId, advance.id) });
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `allocation-reversed:${id}`,
    description: `Reversed: ${formatPounds(amount)} no longer repays the refund of ${formatPounds(refund)}`,
    postedAt: context.at,
    lines: postReversedMatch(amount, reversal),
  });
  if (reversal.to === state) return advance;
  const changes = reversal.to === 'awaiting_hmrc' ? { repaidAt: null } : {};
  return transitionAdvance(tx, advance, reversal.to, context, context.reason, changes);
}

export function createNothingOutstandingError(): AppError {
  return new AppError('conflict', 'reconciliation.nothing_outstanding', 'This advance isn’t waiting for money any more. Reload the page.');
}
