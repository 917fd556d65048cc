/**
 * The journals that a trader posts in its own books for the transactions in our ledger: the advance, our fee and the repayment. The
 * trader's "advances" account then mirrors the balance of our statement.
 */
import { isHmrcRemitter } from '../advances/match-credit.ts';
import { pence, sumPence, type Pence } from '../money.ts';
import { formatPeriod, type PlainDate } from '../plain-date.ts';
import type { LedgerAccount } from './ledger.ts';
import { describePosting, type StatementEntryKind, type StatementPeriod, type StatementPosting } from './statement-of-account.ts';

/** Accounts in the trader's books, with their display names. */
export const JOURNAL_ACCOUNTS = {
  advances: 'VAT refund advances',
  clearing: 'Bank clearing',
  fee: 'Finance charges',
  vat: 'VAT owed by HMRC',
  other_income: 'Other income',
} as const;

export type JournalAccount = keyof typeof JOURNAL_ACCOUNTS;

/** Positive = debit, negative = credit. */
export type JournalLine = { readonly account: JournalAccount; readonly amount: Pence; readonly text: string };

export type TraderJournal = {
  /** The date and a number within it, for example 20261110-1. It stays the same however often the journals are created. */
  readonly number: string;
  readonly on: PlainDate;
  readonly narration: string;
  readonly lines: readonly JournalLine[];
};

type Counterpart = { readonly account: JournalAccount; readonly text: string };

/**
 * The other side of each entry, and its text in the trader's books. A payment on the collection account that isn't from HMRC settles the
 * VAT that HMRC owes only once we have matched it to a refund: until then its owner is uncertain.
 */
const COUNTERPARTS: Readonly<Record<Exclude<StatementEntryKind, 'moved'>, Counterpart>> = {
  paid_to_you: { account: 'clearing', text: 'Early VAT refund received' },
  payment_returned: { account: 'clearing', text: 'Early VAT refund returned by the bank' },
  received_from_you: { account: 'clearing', text: 'Shortfall of an early VAT refund paid' },
  collected: { account: 'clearing', text: 'Shortfall of an early VAT refund collected by Direct Debit' },
  collection_returned: { account: 'clearing', text: 'Direct Debit for a shortfall returned' },
  fee: { account: 'fee', text: 'Fee for an early VAT refund' },
  fee_refunded: { account: 'fee', text: 'Fee for an early VAT refund reversed' },
  hmrc_repaid: { account: 'vat', text: 'VAT repaid by HMRC' },
  received_for_you: { account: 'clearing', text: 'Received in the collection account' },
  returned_to_sender: { account: 'clearing', text: 'Credit on the collection account returned to its sender' },
  written_off: { account: 'other_income', text: 'Shortfall of an early VAT refund written off' },
  write_off_reversed: { account: 'other_income', text: 'Write-off of a shortfall reversed' },
};

function getCounterpart(kind: Exclude<StatementEntryKind, 'moved'>, { period, remitter = '' }: StatementPosting): Counterpart {
  // HMRC's credit was booked as VAT when it arrived, so its return leaves the same account.
  if (kind === 'returned_to_sender' && isHmrcRemitter(remitter)) return { account: 'vat', text: 'VAT repayment returned to HMRC' };
  // A payment of money that we held, or one made by mistake, doesn't buy a refund.
  if (kind === 'paid_to_you' && period === undefined) return { account: 'clearing', text: 'Other payment received' };
  if (kind === 'payment_returned' && period === undefined) return { account: 'clearing', text: 'Other payment returned by the bank' };
  return COUNTERPARTS[kind];
}

/** Returns the journals for a period, including both days, oldest first. `postings` are all of the company's, oldest first. */
export function buildTraderJournals(postings: readonly StatementPosting[], { from, to }: StatementPeriod): TraderJournal[] {
  const numbersByDay = new Map<PlainDate, number>();
  return postings.flatMap((posting) => {
    const lines = [
      ...describePosting(posting).flatMap(({ kind, amount }) =>
        kind === 'moved' || amount === 0 ? [] : [{ ...getCounterpart(kind, posting), amount }],
      ),
      ...listMatchLines(posting),
    ];
    if (lines.length === 0) return [];
    const dayNumber = (numbersByDay.get(posting.on) ?? 0) + 1;
    numbersByDay.set(posting.on, dayNumber);
    if (posting.on < from || posting.on > to) return [];
    const narration = describeJournal(posting, lines[0]?.text ?? '');
    const total = sumPence(lines.map(({ amount }) => amount));
    return [
      {
        number: `${posting.on.replaceAll('-', '')}-${dayNumber}`,
        on: posting.on,
        narration,
        lines: [...lines, { account: 'advances' as const, amount: pence(0 - total), text: narration }].filter(({ amount }) => amount !== 0),
      },
    ];
  });
}

/**
 * Lists the lines of a held credit that is matched to the refund, or no longer matched: it becomes, or stops being, the VAT that HMRC owed.
 */
function listMatchLines(posting: StatementPosting): JournalLine[] {
  if (describePosting(posting).some(({ kind }) => kind !== 'moved') || isHmrcRemitter(posting.remitter ?? '')) return [];
  const getAmount = (ledgerAccount: LedgerAccount): number => posting.lines.find(({ account }) => account === ledgerAccount)?.amount ?? 0;
  const [heldAmount, receivable] = [getAmount('owed_to_trader'), getAmount('refunds_receivable')];
  if (heldAmount * receivable >= 0) return [];
  const matchedAmount = pence(Math.sign(heldAmount) * Math.min(Math.abs(heldAmount), Math.abs(receivable)));
  const description = matchedAmount > 0 ? 'VAT repaid by HMRC' : 'Match to a VAT repayment reversed';
  return [
    { account: 'clearing', amount: matchedAmount, text: description },
    { account: 'vat', amount: pence(0 - matchedAmount), text: description },
  ];
}

function describeJournal({ period }: StatementPosting, text: string): string {
  return period ? `${text}: ${formatPeriod(period.start, period.end, 'short')}` : text;
}
