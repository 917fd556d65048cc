/** Plans a credit's new allocations: which ones stay, which are reversed, and which are added. */
import type { Tx } from '@portal/db/database.ts';
import { findCreditProblem } from '@portal/domain/advances/match-credit.ts';
import { getOutstandingRefund, isMatchable, isReversible } from '@portal/domain/advances/settle-credit.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence, sumPence, ZERO, type Pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { createNothingOutstandingError } from '../advances/allocate-credit.ts';
import {
  listActiveAllocations,
  sumReceivedAmounts,
  sumReturnedAmounts,
  type AllocationRow,
  type CreditRow,
} from '../advances/credit-facts.ts';
import { lockAdvance, type AdvanceRow } from '../advances/transition-advance.ts';
import { sumRecoveredAmounts, sumWrittenOffAmounts } from '../advances/written-off.ts';
import { assertNotOfOtherAccount } from './same-vat-number.ts';
import { assertMayBeTraders } from './third-party-money.ts';

/** Part of a credit: for an advance, or for the trader if `advanceId` is null. */
export type AllocationTarget = { readonly advanceId: string | null; readonly amount: Pence };

export type PlannedAllocation = AllocationTarget & {
  /** The period of the advance, "1 July 2026 to 30 September 2026"; null for the trader. */
  readonly period: string | null;
  /** The amount outstanding on the advance, before this allocation; null for the trader. */
  readonly outstanding: Pence | null;
  /** The amount that reverses a write-off. */
  readonly recovered: Pence;
};

export type AllocationPlan = {
  readonly kept: readonly AllocationRow[];
  readonly reversed: readonly (AllocationRow & { readonly period: string | null })[];
  readonly added: readonly PlannedAllocation[];
  /** The amount of the credit that still needs an operator's decision. */
  readonly unallocated: Pence;
};

/**
 * Throws an `AppError` that explains how to fix it if the facts don't allow the allocation. Locks the advances concerned; writes nothing.
 */
export async function planAllocation(tx: Tx, credit: CreditRow, targets: readonly AllocationTarget[]): Promise<AllocationPlan> {
  const available = pence(credit.amountPence - (await sumReturnedAmounts(tx, credit)));
  assertCanAllocate(credit, targets, available);
  const current = await listActiveAllocations(tx, credit.companyId, credit.id);
  const isSame = (row: AllocationRow, { advanceId, amount }: AllocationTarget) => row.advanceId === advanceId && row.amountPence === amount;
  const unchangedAllocations = current.filter((row) => targets.some((target) => isSame(row, target)));
  const reversedAllocations = current.filter((row) => !unchangedAllocations.includes(row));
  const newAllocations = targets.filter((target) => !unchangedAllocations.some((row) => isSame(row, target)));
  if (reversedAllocations.length === 0 && newAllocations.length === 0)
    throw new AppError('conflict', 'reconciliation.no_change', 'This payment has already been matched like this. Reload the page.');
  const addedAllocations: PlannedAllocation[] = [];
  for (const target of newAllocations) addedAllocations.push(await planTarget(tx, credit, target, reversedAllocations));
  const unallocated = pence(available - sumPence(targets.map(({ amount }) => amount)));
  const reversedWithPeriod = [];
  for (const row of reversedAllocations) reversedWithPeriod.push({ ...row, period: await checkReversal(tx, row) });
  return { kept: unchangedAllocations, reversed: reversedWithPeriod, added: addedAllocations, unallocated };
}

function assertCanAllocate(credit: CreditRow, targets: readonly AllocationTarget[], available: Pence): void {
  const problem = findCreditProblem({ amount: credit.amountPence, currency: credit.currency });
  if (problem !== undefined) throw new AppError('conflict', 'reconciliation.not_pounds', `You can’t match this payment. ${problem}`);
  if (credit.returnedAt !== null)
    throw new AppError('conflict', 'reconciliation.credit_returned', 'This credit was returned to its sender, so you can’t match it.');
  const total = sumPence(targets.map(({ amount }) => amount));
  if (total > available) {
    const targetText = available === credit.amountPence ? 'the payment is' : 'what’s left of the payment is';
    const message = `The amounts add up to ${formatPounds(total)}, but ${targetText} ${formatPounds(available)}. Reduce one of them.`;
    throw new AppError('invalid', 'reconciliation.more_than_credit', message, { field: 'allocations' });
  }
  if (new Set(targets.map(({ advanceId }) => advanceId)).size < targets.length)
    throw new AppError('invalid', 'reconciliation.named_twice', 'Enter one amount for each advance.', { field: 'allocations' });
}

async function planTarget(
  tx: Tx,
  credit: CreditRow,
  { advanceId, amount }: AllocationTarget,
  reversedAllocations: readonly AllocationRow[],
): Promise<PlannedAllocation> {
  if (advanceId === null) {
    await assertMayBeTraders(tx, credit);
    await assertNotOfOtherAccount(tx, credit);
    return { advanceId, amount, period: null, outstanding: null, recovered: ZERO };
  }
  const advance = await lockAdvance(tx, credit.companyId, advanceId);
  if (!advance) throw createNotFoundError();
  const { owed, writtenOff } = await sumAllocatableCredit(tx, advance, reversedAllocations);
  const outstanding = pence(owed + writtenOff);
  if (outstanding === 0) throw createNothingOutstandingError();
  if (amount > outstanding) {
    throw new AppError(
      'conflict',
      'reconciliation.too_much',
      `Only ${formatPounds(outstanding)} is outstanding for ${formatPeriod(advance)}. Enter at most that amount.`,
      { field: 'allocations' },
    );
  }
  return { advanceId, amount, period: formatPeriod(advance), outstanding, recovered: pence(Math.max(0, amount - owed)) };
}

/** Returns the amount that the advance is waiting for, and the amount written off, once these allocations are reversed. */
async function sumAllocatableCredit(
  tx: Tx,
  advance: AdvanceRow,
  reversedAllocations: readonly AllocationRow[],
): Promise<{ owed: Pence; writtenOff: Pence }> {
  const { companyId, id, state, refundPence: refund } = advance;
  const rows = reversedAllocations.filter(({ advanceId }) => advanceId === id);
  const restoredAmount = sumPence(await Promise.all(rows.map((row) => sumRecoveredAmounts(tx, row))));
  const reversedPence = pence(sumPence(rows.map(({ amountPence }) => amountPence)) - restoredAmount);
  const receivedAmount = pence((await sumReceivedAmounts(tx, companyId, id)) - reversedPence);
  const isOwed = isMatchable(state) || (isReversible(state) && reversedPence > 0);
  const writtenOff = pence((await sumWrittenOffAmounts(tx, companyId, id)) + restoredAmount);
  return { owed: isOwed ? getOutstandingRefund({ refund, received: receivedAmount }) : ZERO, writtenOff };
}

async function checkReversal(tx: Tx, row: AllocationRow): Promise<string | null> {
  const { companyId, advanceId, amountPence } = row;
  const advance = advanceId === null ? undefined : await lockAdvance(tx, companyId, advanceId);
  if (!advance) return null;
  if (!isReversible(advance.state) && (await sumRecoveredAmounts(tx, row)) < amountPence) {
    const message = `You can’t reverse this match, because the advance is ${advance.state.replaceAll('_', ' ')}.`;
    throw new AppError('conflict', 'reconciliation.not_reversible', message);
  }
  return formatPeriod(advance);
}

function formatPeriod({ periodStart, periodEnd }: AdvanceRow): string {
  return `${formatDate(periodStart)} to ${formatDate(periodEnd)}`;
}
