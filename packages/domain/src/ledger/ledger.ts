/**
 * Ledger accounts and the postings for each money event. Double entry in pence: debits are positive, credits negative,
 * and the lines of a posting sum to zero. Balances are sums of lines, never stored.
 */
import { pence, sumPence, type Pence } from '../money.ts';

/** Accounts with the names that operators see. */
export const LEDGER_ACCOUNTS = {
  cash: 'Cash at the payments provider',
  refunds_receivable: 'Refunds receivable from HMRC',
  due_from_trader: 'Due from traders',
  owed_to_trader: 'Owed to traders',
  fee_income: 'Fee income',
  bad_debts: 'Bad debts',
} as const;

export type LedgerAccount = keyof typeof LEDGER_ACCOUNTS;

export type LedgerLine = { readonly account: LedgerAccount; readonly amount: Pence };

/** Drops zero lines. Throws if the lines do not balance, which is a bug that must never be stored. */
function toBalancedLines(lines: readonly LedgerLine[]): LedgerLine[] {
  if (sumPence(lines.map(({ amount }) => amount)) !== 0) throw new RangeError('a posting does not balance');
  return lines.filter(({ amount }) => amount !== 0);
}

const debit = (account: LedgerAccount, amount: Pence): LedgerLine => ({ account, amount });
const credit = (account: LedgerAccount, amount: Pence): LedgerLine => ({ account, amount: pence(-amount) });

/** Payout sent: we now hold the refund, have paid cash and have earned the fee. */
export function postPayout(payout: { refund: Pence; fee: Pence; net: Pence }): LedgerLine[] {
  return toBalancedLines([debit('refunds_receivable', payout.refund), credit('cash', payout.net), credit('fee_income', payout.fee)]);
}

/** The bank returned an executed payout: reverses the payout posting. */
export function postReturnedPayout(payout: { refund: Pence; fee: Pence; net: Pence }): LedgerLine[] {
  return toBalancedLines([debit('cash', payout.net), debit('fee_income', payout.fee), credit('refunds_receivable', payout.refund)]);
}

/** The bank returned an executed payout after HMRC had repaid us: the refund is already ours, so we owe the trader the net price again. */
export function postReturnedAfterRepayment(net: Pence): LedgerLine[] {
  return toBalancedLines([debit('cash', net), credit('owed_to_trader', net)]);
}

/** HMRC paid less than the refund: the trader owes the difference (agreement clause 4). */
export function postShortfall(shortfall: Pence): LedgerLine[] {
  return toBalancedLines([debit('due_from_trader', shortfall), credit('refunds_receivable', shortfall)]);
}

/** A credit on a collection account. It belongs to the trader (agreement clause 5) until a part of it is matched to an advance. */
export function postCredit(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('cash', amount), credit('owed_to_trader', amount)]);
}

/** A credit held for the trader pays off the open part of an advance: HMRC's repayment or the trader's shortfall. */
export function postMatchedCredit(applied: Pence, account: 'refunds_receivable' | 'due_from_trader'): LedgerLine[] {
  return toBalancedLines([debit('owed_to_trader', applied), credit(account, applied)]);
}

/** A match was wrong: the credit is held for the trader again, and HMRC or the trader owes the amount again. */
export function postReversedMatch(amount: Pence, { receivable, due }: { receivable: Pence; due: Pence }): LedgerLine[] {
  return toBalancedLines([debit('refunds_receivable', receivable), debit('due_from_trader', due), credit('owed_to_trader', amount)]);
}

/** We paid out money that we owed to the trader. */
export function postSurplusPayout(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('owed_to_trader', amount), credit('cash', amount)]);
}

/** The bank returned a payout of money that we owed to the trader, so we owe it again. */
export function postReturnedSurplus(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('cash', amount), credit('owed_to_trader', amount)]);
}

/** We returned a credit that belongs to no customer to its sender. */
export function postReturnedCredit(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('owed_to_trader', amount), credit('cash', amount)]);
}

/** A shortfall that we will not collect. */
export function postWriteOff(amount: Pence): LedgerLine[] {
  return toBalancedLines([debit('bad_debts', amount), credit('due_from_trader', amount)]);
}
