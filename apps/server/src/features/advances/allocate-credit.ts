/**
 * Allocates part of a credit to an advance, and reverses wrong allocations. Each adds a posting, a row and a transition in the caller's
 * transaction, which holds the company's lock. Nothing is edited or deleted.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { creditAllocations } from '@portal/db/schema/schema.ts';
import { isMatchable, isReversible, reverseMatch, settleCredit, type CreditSettlement } from '@portal/domain/advances/settle-credit.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { postMatchedCredit, postRecoveredWriteOff, postReversedMatch, postShortfall, postWriteOff } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence, ZERO, type Pence } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { sumReceivedAmounts, type AllocationRow, type CreditRow } from './credit-facts.ts';
import { transitionAdvance, type AdvanceRow, type TransitionContext } from './transition-advance.ts';
import { recordRecoveredPart, sumRecoveredAmounts, sumWrittenOffAmounts } from './written-off.ts';

/** `requestId` is the approved request, or null for an automatic match. `reason` is recorded in the advance's history. */
export type AllocationContext = TransitionContext & { readonly requestId: string | null; readonly reason: string };

/** `recovered` is the part that reverses a write-off. `to` is null if the advance stays written off. */
export type AllocationResult = { readonly recovered: Pence; readonly to: CreditSettlement['to'] | null };

/**
 * Allocates `amount` of the credit to a locked advance: first to the amount outstanding, then to the amount written off. Throws a conflict
 * if it exceeds both together.
 */
export async function allocateToAdvance(
  tx: Tx,
  credit: CreditRow,
  advance: AdvanceRow,
  amount: Pence,
  context: AllocationContext,
): Promise<AllocationResult> {
  const { companyId, state, refundPence: refund } = advance;
  const writtenOff = await sumWrittenOffAmounts(tx, companyId, advance.id);
  if (!isMatchable(state) && writtenOff <= 0) throw createNothingOutstandingError();
  const settlement = isMatchable(state)
    ? settleCredit(amount, { state, refund, received: await sumReceivedAmounts(tx, companyId, advance.id) })
    : undefined;
  const recoveredAmount = settlement?.surplus ?? amount;
  if (recoveredAmount > writtenOff) {
    const outstanding = formatPounds(pence(amount - recoveredAmount + writtenOff));
    throw new AppError('conflict', 'reconciliation.too_much', `Only ${outstanding} of this advance is outstanding. Reload the page.`);
  }
  const id = await storeAllocation(tx, credit, advance.id, amount, context);
  if (recoveredAmount > 0) await postRecoveredAmount(tx, advance, id, recoveredAmount, context);
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `allocation:${id}`,
    description: `${formatPounds(amount)} of the credit of ${formatPounds(credit.amountPence)} from ${credit.remitter} repays the refund of ${formatPounds(refund)}`,
    postedAt: context.at,
    lines: postMatchedCredit(amount, state === 'awaiting_hmrc' ? 'refunds_receivable' : 'due_from_trader'),
  });
  if (state === 'awaiting_hmrc' && settlement && settlement.missing > 0) {
    await postToLedger(tx, {
      companyId,
      idempotencyKey: `shortfall:${id}`,
      description: `Shortfall of ${formatPounds(settlement.missing)}, due from the trader`,
      postedAt: context.at,
      lines: postShortfall(settlement.missing),
    });
  }
  if (settlement) await settleAdvance(tx, credit, advance, settlement, context);
  else if (state === 'written_off' && recoveredAmount === writtenOff) await settleRecoveredAdvance(tx, advance, context);
  const isStillWrittenOff = settlement === undefined && recoveredAmount < writtenOff;
  return { recovered: recoveredAmount, to: isStillWrittenOff ? null : (settlement?.to ?? 'settled') };
}

/** Posts the reversal of a write-off for the amount that has now been paid, and stores it as recovered. */
async function postRecoveredAmount(
  tx: Tx,
  advance: AdvanceRow,
  allocationId: string,
  amount: Pence,
  { at }: AllocationContext,
): Promise<void> {
  await recordRecoveredPart(tx, advance, allocationId, pence(-amount), at);
  await postToLedger(tx, {
    companyId: advance.companyId,
    idempotencyKey: `write-off-recovered:${allocationId}`,
    description: `${formatPounds(amount)} of the write-off reversed, because it has now been paid`,
    postedAt: at,
    lines: postRecoveredWriteOff(amount),
  });
}

async function settleRecoveredAdvance(tx: Tx, advance: AdvanceRow, context: AllocationContext): Promise<void> {
  const collectingAdvance = await transitionAdvance(tx, advance, 'collecting', context, context.reason);
  await transitionAdvance(tx, collectingAdvance, 'settled', context, 'The amount written off has been paid.');
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
    const repaidChange = { repaidAt: credit.receivedAt };
    if (to !== 'settled') return void (await transitionAdvance(tx, advance, 'shortfall', context, reason, repaidChange));
    const repaidAdvance = await transitionAdvance(tx, advance, 'repaid', context, reason, repaidChange);
    return void (await transitionAdvance(tx, repaidAdvance, 'settled', context, 'Nothing more is owed.'));
  }
  const isFirst = advance.state === 'shortfall';
  const collectingAdvance = isFirst ? await transitionAdvance(tx, advance, 'collecting', context, reason) : advance;
  if (to === 'settled') await transitionAdvance(tx, collectingAdvance, 'settled', context, isFirst ? 'Nothing more is owed.' : reason);
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
  const reopenedAdvance = advance && (await reopenAdvance(tx, allocation, advance, context));
  await tx
    .update(creditAllocations)
    .set({ reversedAt: context.at, reversedBy: context.actor, reversedRequestId: context.requestId })
    .where(and(eq(creditAllocations.companyId, companyId), eq(creditAllocations.id, id)));
  return reopenedAdvance;
}

async function reopenAdvance(tx: Tx, allocation: AllocationRow, advance: AdvanceRow, context: AllocationContext): Promise<AdvanceRow> {
  const { companyId, id, amountPence } = allocation;
  const { state, refundPence: refund } = advance;
  const recoveredAmount = await sumRecoveredAmounts(tx, allocation);
  const amount = pence(amountPence - recoveredAmount);
  if (amount > 0 && !isReversible(state)) {
    throw new AppError(
      'conflict',
      'reconciliation.not_reversible',
      `This match can’t be reversed, because the advance is ${state.replaceAll('_', ' ')}.`,
    );
  }
  if (recoveredAmount > 0) await postRestoredWriteOff(tx, advance, id, recoveredAmount, context);
  const isWhollyRecovered = amount === 0 || !isReversible(state);
  const reversedAdvance = isWhollyRecovered
    ? { to: state, receivable: ZERO, due: ZERO }
    : reverseMatch(amount, { state, refund, received: await sumReceivedWithout(tx, advance, recoveredAmount) });
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `allocation-reversed:${id}`,
    description: `Reversed: ${formatPounds(amountPence)} no longer repays the refund of ${formatPounds(refund)}`,
    postedAt: context.at,
    lines: postReversedMatch(amountPence, { receivable: reversedAdvance.receivable, due: pence(reversedAdvance.due + recoveredAmount) }),
  });
  if (isWhollyRecovered && state === 'settled') {
    const collectingAdvance = await transitionAdvance(tx, advance, 'collecting', context, context.reason);
    return transitionAdvance(tx, collectingAdvance, 'written_off', context, 'The amount written off hasn’t been paid after all.');
  }
  if (reversedAdvance.to === state) return advance;
  const changes = reversedAdvance.to === 'awaiting_hmrc' ? { repaidAt: null } : {};
  return transitionAdvance(tx, advance, reversedAdvance.to, context, context.reason, changes);
}

/** The restored write-off counts as received again, although the allocation's own row is still there. */
async function sumReceivedWithout(tx: Tx, { companyId, id }: AdvanceRow, restoredAmount: Pence): Promise<Pence> {
  return pence((await sumReceivedAmounts(tx, companyId, id)) - restoredAmount);
}

/** The payment wasn't for the written-off difference after all, so it is written off as before. */
async function postRestoredWriteOff(
  tx: Tx,
  advance: AdvanceRow,
  allocationId: string,
  amount: Pence,
  { at }: AllocationContext,
): Promise<void> {
  await recordRecoveredPart(tx, advance, allocationId, amount, at);
  await postToLedger(tx, {
    companyId: advance.companyId,
    idempotencyKey: `write-off-restored:${allocationId}`,
    description: `Write-off of ${formatPounds(amount)} restored: the payment wasn’t for it`,
    postedAt: at,
    lines: postWriteOff(amount),
  });
}

export function createNothingOutstandingError(): AppError {
  return new AppError('conflict', 'reconciliation.nothing_outstanding', 'This advance is no longer awaiting payment. Reload the page.');
}
