/**
 * A trader's account with us in the trader's terms, derived from the ledger. The balance is the amount that HMRC or the trader still owes
 * us; it is negative if we hold more of the trader's money than that.
 */
import { isHmrcRemitter } from '../advances/match-credit.ts';
import { formatPounds, pence, sumPence, type Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { LedgerAccount, LedgerLine } from './ledger.ts';

/** A posting from one company's ledger. */
export type StatementPosting = {
  readonly idempotencyKey: string;
  readonly on: PlainDate;
  readonly lines: readonly LedgerLine[];
  /** The VAT period of the refund that the posting concerns; undefined if it doesn't concern a refund. */
  readonly period?: { readonly start: PlainDate; readonly end: PlainDate };
  /** The sender of the credit, as named by the bank. */
  readonly remitter?: string;
};

export type StatementEntryKind =
  | 'paid_to_you'
  | 'payment_returned'
  | 'fee'
  | 'fee_refunded'
  | 'hmrc_repaid'
  | 'received_for_you'
  | 'received_from_you'
  | 'collected'
  | 'collection_returned'
  | 'returned_to_sender'
  | 'written_off'
  | 'write_off_reversed'
  | 'moved';

/** One line of a statement. `amount` is positive if it raises the balance, and 0 for money that only changed purpose. */
export type StatementEntry = {
  readonly on: PlainDate;
  readonly kind: StatementEntryKind;
  readonly text: string;
  readonly period: StatementPosting['period'];
  readonly amount: Pence;
};

export type StatementPeriod = { readonly from: PlainDate; readonly to: PlainDate };

/** The parts of a balance: `awaitedFromHmrc` + `dueFromYou` - `heldForYou`. */
export type StatementPosition = { readonly awaitedFromHmrc: Pence; readonly dueFromYou: Pence; readonly heldForYou: Pence };

export type StatementOfAccount = StatementPeriod & {
  readonly opening: Pence;
  readonly closing: Pence;
  readonly entries: readonly (StatementEntry & { readonly balance: Pence })[];
  /** The parts of the closing balance. */
  readonly position: StatementPosition;
};

/** The accounts that together form the trader's account with us. The rest show where the money came from or went. */
const TRADER_ACCOUNTS: Readonly<Record<LedgerAccount, boolean>> = {
  refunds_receivable: true,
  due_from_trader: true,
  owed_to_trader: true,
  cash: false,
  bank: false,
  direct_debits: false,
  fee_income: false,
  direct_debit_fees: false,
  bad_debts: false,
};

/** Returns the trader's balance after these postings, in pence. */
export function getTraderBalance(postings: readonly StatementPosting[]): Pence {
  return sumPence(postings.flatMap(({ lines }) => lines.filter(({ account }) => TRADER_ACCOUNTS[account]).map(({ amount }) => amount)));
}

/** Returns the statement for a period, including both days. `postings` are all of the company's, oldest first. */
export function buildStatement(postings: readonly StatementPosting[], { from, to }: StatementPeriod): StatementOfAccount {
  const earlierPostings = postings.filter(({ on }) => on < from);
  const postingsToEnd = postings.filter(({ on }) => on <= to);
  const opening = getTraderBalance(earlierPostings);
  let balance = opening;
  const entries = postingsToEnd
    .filter(({ on }) => on >= from)
    .flatMap(describePosting)
    .map((entry) => {
      balance = pence(balance + entry.amount);
      return { ...entry, balance };
    });
  const sumOf = (ledgerAccount: LedgerAccount): Pence =>
    sumPence(postingsToEnd.flatMap(({ lines }) => lines.filter(({ account }) => account === ledgerAccount).map(({ amount }) => amount)));
  const position = {
    awaitedFromHmrc: sumOf('refunds_receivable'),
    dueFromYou: sumOf('due_from_trader'),
    heldForYou: pence(0 - sumOf('owed_to_trader')),
  };
  return { from, to, opening, closing: balance, entries, position };
}

/** Describes the effect of one posting in the trader's terms. The amounts add up to the change in the trader's balance. */
export function describePosting(posting: StatementPosting): StatementEntry[] {
  const { on, period } = posting;
  // GoCardless paying out a Direct Debit only moves money between our own accounts.
  if (!posting.lines.some(({ account }) => TRADER_ACCOUNTS[account])) return [];
  const otherLines = posting.lines.filter(({ account }) => !TRADER_ACCOUNTS[account]);
  if (otherLines.length === 0)
    return isPlainMatch(posting) ? [] : [{ on, period, kind: 'moved', text: describeMove(posting.lines), amount: pence(0) }];
  const entries = otherLines.map((line): StatementEntry => {
    const kind = getEntryKind(posting, line);
    const description =
      kind === 'received_for_you' && posting.remitter !== undefined ? `Received from ${posting.remitter}` : ENTRY_LABELS[kind];
    // A posting's lines sum to zero, so the amount that leaves another account enters the trader's.
    return { on, period, kind, text: description, amount: pence(0 - line.amount) };
  });
  const netting = describeNetting(posting.lines);
  return netting === undefined ? entries : [...entries, { on, period, kind: 'moved', text: netting, amount: pence(0) }];
}

/**
 * Describes the amount a payout deducted for earlier shortfalls and overpayments, so that the amount paid can be reconciled; undefined
 * without a deduction.
 */
function describeNetting(lines: readonly LedgerLine[]): string | undefined {
  const sumOf = (...ledgerAccounts: LedgerAccount[]): number =>
    sumPence(lines.filter(({ account }) => ledgerAccounts.includes(account)).map(({ amount }) => amount));
  if (sumOf('fee_income') === 0 || sumOf('refunds_receivable') === 0) return undefined;
  const owedChange = -sumOf('due_from_trader', 'owed_to_trader');
  if (owedChange > 0) return `${formatPounds(pence(owedChange))} taken off this payment for what you owed us`;
  return owedChange < 0 ? `${formatPounds(pence(-owedChange))} no longer taken off for what you owed us` : undefined;
}

const ENTRY_LABELS: Readonly<Record<StatementEntryKind, string>> = {
  paid_to_you: 'Paid to you',
  payment_returned: 'Payment to you returned by the bank',
  fee: 'Our fee',
  fee_refunded: 'Our fee reversed',
  hmrc_repaid: 'Repaid by HMRC',
  received_for_you: 'Received in your collection account',
  received_from_you: 'Paid towards your shortfall',
  collected: 'Collected by Direct Debit',
  collection_returned: 'Direct Debit returned by your bank',
  returned_to_sender: 'Returned to its sender',
  written_off: 'Written off by us',
  write_off_reversed: 'Write-off reversed',
  moved: '',
};

function getEntryKind({ idempotencyKey, lines, remitter = '' }: StatementPosting, { account, amount }: LedgerLine): StatementEntryKind {
  if (account === 'fee_income') return amount < 0 ? 'fee' : 'fee_refunded';
  if (account === 'bad_debts') return amount > 0 ? 'written_off' : 'write_off_reversed';
  if (idempotencyKey.startsWith('direct-debit:')) return amount > 0 ? 'collected' : 'collection_returned';
  // The bank can have paid less than the payout, so the sign of a difference doesn't show which event it belongs to.
  if (idempotencyKey.startsWith('payout-difference-executed:')) return 'paid_to_you';
  if (/^(unrecorded-payout-returned|collection-payout-returned|payout-returned|payout-difference-returned):/.test(idempotencyKey))
    return 'payment_returned';
  if (amount < 0) return idempotencyKey.startsWith('credit-returned:') ? 'returned_to_sender' : 'paid_to_you';
  if (isHmrcRemitter(remitter)) return 'hmrc_repaid';
  const isCredited = (ledgerAccount: LedgerAccount): boolean => lines.some((line) => line.account === ledgerAccount && line.amount < 0);
  if (isCredited('due_from_trader')) return 'received_from_you';
  return isCredited('refunds_receivable') ? 'hmrc_repaid' : 'received_for_you';
}

/** HMRC's own credit repays a refund, and the credit's entry already shows that. A shortfall of the same credit has no held money. */
function isPlainMatch({ lines, remitter = '' }: StatementPosting): boolean {
  const isCredited = lines.some(({ account, amount }) => account === 'refunds_receivable' && amount < 0);
  return isHmrcRemitter(remitter) && isCredited && !lines.some(({ account }) => account === 'due_from_trader');
}

/** Describes money that changed purpose without moving: the balance stays the same. */
function describeMove(lines: readonly LedgerLine[]): string {
  const getAmount = (ledgerAccount: LedgerAccount): number => lines.find(({ account }) => account === ledgerAccount)?.amount ?? 0;
  const dueAmount = getAmount('due_from_trader');
  const heldAmount = getAmount('owed_to_trader');
  if (heldAmount < 0) return `${formatPounds(pence(-heldAmount))} turned out not to belong to your refund: we’re holding it for you`;
  if (heldAmount > 0) return `${formatPounds(pence(heldAmount))} put towards ${dueAmount < 0 ? 'your shortfall' : 'your refund'}`;
  if (dueAmount > 0) return `HMRC repaid less than claimed: you now owe ${formatPounds(pence(dueAmount))}`;
  return `You no longer owe ${formatPounds(pence(-dueAmount))}`;
}
