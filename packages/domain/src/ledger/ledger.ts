/**
 * Ledger accounts and the postings for each money movement. Double entry in pence: debits are positive, credits negative, and the lines of
 * a posting sum to zero. Balances are sums of lines, never stored.
 */
import { pence, sumPence, ZERO, type Pence } from '../money.ts';
import type { DirectDebitAccount } from '../shortfalls/direct-debit.ts';

/** Accounts, with the names shown to operators. */
export const LEDGER_ACCOUNTS = {
  cash: 'Cash at the payments provider',
  bank: 'Cash at our bank, from Direct Debits',
  direct_debits: 'Direct Debits in transit',
  refunds_receivable: 'Refunds receivable from HMRC',
  due_from_trader: 'Due from traders',
  owed_to_trader: 'Owed to traders',
  fee_income: 'Fee income',
  direct_debit_fees: 'Direct Debit fees',
  bad_debts: 'Bad debts',
} as const;

export type LedgerAccount = keyof typeof LEDGER_ACCOUNTS;

export type LedgerLine = { readonly account: LedgerAccount; readonly amount: Pence };

/** Drops zero lines. Throws if the lines don't balance, which is a bug that must never be stored. */
function toBalancedLines(lines: readonly LedgerLine[]): LedgerLine[] {
  if (sumPence(lines.map(({ amount }) => amount)) !== 0) throw new RangeError('a posting does not balance');
  return lines.filter(({ amount }) => amount !== 0);
}

const debit = (account: LedgerAccount, amount: Pence): LedgerLine => ({ account, amount });
const credit = (account: LedgerAccount, amount: Pence): LedgerLine => ({ account, amount: pence(-amount) });

/**
 * The amounts of a payout. `netting`: the amount deducted for earlier differences, and the part that paid them off; the rest belongs to the
 * trader.
 */
export type PayoutAmounts = {
  readonly refund: Pence;
  readonly fee: Pence;
  readonly net: Pence;
  readonly netting?: { readonly taken: Pence; readonly applied: Pence };
};

/** Posts a sent payout: we now hold the refund, have paid cash, have earned the fee and have netted earlier differences. */
export function postPayout({ refund, fee, net, netting }: PayoutAmounts): LedgerLine[] {
  const { taken, applied } = netting ?? { taken: ZERO, applied: ZERO };
  return toBalancedLines([
    debit('refunds_receivable', refund),
    credit('cash', pence(net - taken)),
    credit('fee_income', fee),
    credit('due_from_trader', applied),
    credit('owed_to_trader', pence(taken - applied)),
  ]);
}

/** Reverses a payout's posting after the bank returned the executed payout. */
export function postReturnedPayout(payout: PayoutAmounts): LedgerLine[] {
  return postPayout(payout).map(({ account, amount }) => ({ account, amount: pence(-amount) }));
}

/**
 * Posts an executed payout that the bank returned after HMRC had repaid us: the refund is already ours, so we owe the trader the net price
 * again.
 */
export function postReturnedAfterRepayment(net: Pence): LedgerLine[] {
  return toBalancedLines([debit('cash', net), credit('owed_to_trader', net)]);
}

/** Posts the shortfall when HMRC repays less than the refund: the trader owes the difference (agreement clause 4). */
export function postShortfall(shortfall: Pence): LedgerLine[] {
  return toBalancedLines([debit('due_from_trader', shortfall), credit('refunds_receivable', shortfall)]);
}

/** Reverses a claim for the whole refund, before reversing the payout that the bank returned. */
export function postUndoneClaim(refund: Pence): LedgerLine[] {
  return toBalancedLines([debit('refunds_receivable', refund), credit('due_from_trader', refund)]);
}

/** Posts a credit to a collection account. It belongs to the trader (agreement clause 5) until part of it is matched to an advance. */
export function postCredit(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('cash', amount), credit('owed_to_trader', amount)]);
}

/** Posts that a credit held for the trader pays off the outstanding part of an advance: HMRC's repayment or the trader's shortfall. */
export function postMatchedCredit(appliedAmount: Pence, account: 'refunds_receivable' | 'due_from_trader'): LedgerLine[] {
  return toBalancedLines([debit('owed_to_trader', appliedAmount), credit(account, appliedAmount)]);
}

/** Reverses a wrong match: the credit is held for the trader again, and HMRC or the trader owes the amount again. */
export function postReversedMatch(amount: Pence, { receivable, due }: { receivable: Pence; due: Pence }): LedgerLine[] {
  return toBalancedLines([debit('refunds_receivable', receivable), debit('due_from_trader', due), credit('owed_to_trader', amount)]);
}

/** Posts a payout of money that we owed the trader. */
export function postSurplusPayout(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('owed_to_trader', amount), credit('cash', amount)]);
}

/** Posts that the bank returned a payout of money we owed the trader, so we owe it again. */
export function postReturnedSurplus(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('cash', amount), credit('owed_to_trader', amount)]);
}

/** Posts the return of a credit that doesn't belong to any customer to its sender. */
export function postReturnedCredit(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('owed_to_trader', amount), credit('cash', amount)]);
}

/**
 * Posts the movement of a Direct Debit: from the trader into transit when the bank has collected it, and back after a failure or a
 * charge-back. `applied`: the part that pays off a difference; the rest belongs to the trader.
 */
export function postDirectDebit(move: { amount: Pence; applied: Pence; from: DirectDebitAccount; to: DirectDebitAccount }): LedgerLine[] {
  const { amount, applied, from, to } = move;
  const listLinesAt = (place: DirectDebitAccount, sign: 1 | -1): LedgerLine[] =>
    place === 'trader'
      ? [debit('due_from_trader', pence(sign * applied)), debit('owed_to_trader', pence(sign * (amount - applied)))]
      : [debit(place === 'cash' ? 'cash' : 'direct_debits', pence(sign * amount))];
  return toBalancedLines([...listLinesAt(to, 1), ...listLinesAt(from, -1)]);
}

/**
 * Posts GoCardless's payout of Direct Debits to our bank: `gross` leaves transit, `fee` is our expense and the rest is in our bank account.
 * Each may be negative, because GoCardless withholds payments that failed or were charged back after an earlier payout.
 */
export function postDirectDebitPayout({ gross, fee }: { gross: Pence; fee: Pence }): LedgerLine[] {
  return toBalancedLines([debit('bank', pence(gross - fee)), debit('direct_debit_fees', fee), credit('direct_debits', gross)]);
}

/** Reverses the posting for a payout that our bank returned to GoCardless. */
export function postBouncedPayout(share: { gross: Pence; fee: Pence }): LedgerLine[] {
  return postDirectDebitPayout(share).map(({ account, amount }) => ({ account, amount: pence(-amount) }));
}

/** Posts money that was taken from a collection account and won't come back. The trader's balance doesn't change. */
export function postLostMoney(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('bad_debts', amount), credit('cash', amount)]);
}

/** Posts that lost money has come back after all. */
export function postRecoveredMoney(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('cash', amount), credit('bad_debts', amount)]);
}

/** Posts a shortfall that we won't collect. */
export function postWriteOff(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('bad_debts', amount), credit('due_from_trader', amount)]);
}

/** Reverses the part of a write-off for which we've since received money. The payment is then matched to the amount due again. */
export function postRecoveredWriteOff(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('due_from_trader', amount), credit('bad_debts', amount)]);
}
