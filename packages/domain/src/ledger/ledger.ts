/**
 * The ledger's accounts and the postings that money events make. Double entry in pence: in a posting, debits are positive,
 * credits negative, and the lines sum to zero. Balances are sums of lines, never stored.
 */
import { pence, sumPence, type Pence } from '../money.ts';

/** Accounts and the names an operator reads. */
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

/** Lines that balance; zero lines are left out. Throws where they do not balance, which is a bug and must never be stored. */
function balanced(lines: readonly LedgerLine[]): LedgerLine[] {
  if (sumPence(lines.map(({ amount }) => amount)) !== 0) throw new RangeError('a posting does not balance');
  return lines.filter(({ amount }) => amount !== 0);
}

const debit = (account: LedgerAccount, amount: Pence): LedgerLine => ({ account, amount });
const credit = (account: LedgerAccount, amount: Pence): LedgerLine => ({ account, amount: pence(-amount) });

/** The payout left: we hold the refund, paid cash and earned the fee. */
export function postPayout(payout: { refund: Pence; fee: Pence; net: Pence }): LedgerLine[] {
  return balanced([debit('refunds_receivable', payout.refund), credit('cash', payout.net), credit('fee_income', payout.fee)]);
}

/** The bank returned an executed payout: everything as before it. */
export function postReturnedPayout(payout: { refund: Pence; fee: Pence; net: Pence }): LedgerLine[] {
  return balanced([debit('cash', payout.net), debit('fee_income', payout.fee), credit('refunds_receivable', payout.refund)]);
}

/** The bank returned an executed payout after HMRC had repaid: the refund is ours and paid for, and its price is owed to the trader again. */
export function postReturnedAfterRepayment(net: Pence): LedgerLine[] {
  return balanced([debit('cash', net), credit('owed_to_trader', net)]);
}

/** HMRC's repayment arrived; what is above the receivable (repayment interest) belongs to the trader (agreement clause 5). */
export function postRepayment(repayment: { received: Pence; receivable: Pence }): LedgerLine[] {
  const applied = pence(Math.min(repayment.received, repayment.receivable));
  return balanced([
    debit('cash', repayment.received),
    credit('refunds_receivable', applied),
    credit('owed_to_trader', pence(repayment.received - applied)),
  ]);
}

/** HMRC paid less than the refund: the trader owes the rest (agreement clause 4). */
export function postShortfall(shortfall: Pence): LedgerLine[] {
  return balanced([debit('due_from_trader', shortfall), credit('refunds_receivable', shortfall)]);
}

/** A credit on a collection account with no advance to match: it is the trader's money until an operator says otherwise. */
export function postUnmatchedCredit(amount: Pence): LedgerLine[] {
  return balanced([debit('cash', amount), credit('owed_to_trader', amount)]);
}

/** A credit that came before the payout and was kept for the trader turns out to be the repayment of the refund we then bought. */
export function postEarlyRepayment(receivable: Pence): LedgerLine[] {
  return balanced([debit('owed_to_trader', receivable), credit('refunds_receivable', receivable)]);
}

/** A credit that was kept for the trader pays off what of an advance was missing: HMRC's repayment, or the shortfall the trader owes. */
export function postMatchedCredit(applied: Pence, of: 'refunds_receivable' | 'due_from_trader'): LedgerLine[] {
  return balanced([debit('owed_to_trader', applied), credit(of, applied)]);
}

/** A credit that belongs to nobody here went back to whoever sent it. */
export function postReturnedCredit(amount: Pence): LedgerLine[] {
  return balanced([debit('owed_to_trader', amount), credit('cash', amount)]);
}

/** A shortfall that will not be collected. */
export function postWriteOff(amount: Pence): LedgerLine[] {
  return balanced([debit('bad_debts', amount), credit('due_from_trader', amount)]);
}
