/**
 * Journal files in the documented formats of Xero, QuickBooks Online and FreeAgent. Amounts have two decimals and no thousands separators.
 */
import { formatCsvLine, neutraliseCsvCell } from '../books/csv-text.ts';
import type { FeeVatTreatment } from '../advances/fee-vat-treatment.ts';
import { pence, toPoundsText, type Pence } from '../money.ts';
import { toDateParts, type PlainDate } from '../plain-date.ts';
import type { JournalAccount, JournalLine, TraderJournal } from './trader-journals.ts';

export const JOURNAL_SOFTWARE = ['xero', 'quickbooks', 'freeagent'] as const;
export type JournalSoftware = (typeof JOURNAL_SOFTWARE)[number];

/** The code or name of each account in the trader's software. */
export type JournalAccountNames = Readonly<Record<JournalAccount, string>>;

/**
 * Suggested accounts. 820 and 404 are VAT and Bank Fees in Xero's UK chart of accounts; the trader adds the rest. None is a bank account,
 * because Xero and FreeAgent don't accept journals on those.
 */
export const SUGGESTED_ACCOUNTS: Readonly<Record<JournalSoftware, JournalAccountNames>> = {
  xero: { advances: '906', clearing: '907', fee: '404', vat: '820', other_income: '260' },
  quickbooks: {
    advances: 'VAT refund advances',
    clearing: 'VAT refund clearing',
    fee: 'Finance costs',
    vat: 'VAT Suspense',
    other_income: 'Other income',
  },
  freeagent: {
    advances: 'VAT refund advances',
    clearing: 'VAT refund clearing',
    fee: 'Bank/Finance Charges',
    vat: 'VAT',
    other_income: 'Other income',
  },
};

/** Xero's maximum number of lines in one file (Xero Central, "Import multiple draft manual journals"). */
export const MAX_XERO_LINES = 300;

/** Returns the file's text. */
export function formatJournals(
  software: JournalSoftware,
  journals: readonly TraderJournal[],
  accounts: JournalAccountNames,
  getFeeVat: (on: PlainDate) => FeeVatTreatment,
): string {
  const { header, format } = JOURNAL_FORMATS[software];
  const rows = journals.flatMap((journal) => journal.lines.map((line) => format(journal, line, accounts, getFeeVat)));
  return [header, ...rows].map((cells) => `${formatCsvLine(cells)}\r\n`).join('');
}

type JournalFormat = {
  readonly header: readonly string[];
  readonly format: (
    journal: TraderJournal,
    line: JournalLine,
    accounts: JournalAccountNames,
    getFeeVat: (on: PlainDate) => FeeVatTreatment,
  ) => readonly string[];
};

const JOURNAL_FORMATS: Readonly<Record<JournalSoftware, JournalFormat>> = {
  // Lines with the same narration and date form one journal; a positive amount is a debit (Xero Central).
  xero: {
    header: ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
    format: ({ number, on, narration }, { account, amount, text }, accounts, getFeeVat) => [
      neutraliseCsvCell(`${narration} (${number})`),
      formatDay(on),
      neutraliseCsvCell(text),
      neutraliseCsvCell(accounts[account]),
      account === 'fee' && getFeeVat(on).treatment === 'exempt' ? 'Exempt Expenses' : 'No VAT',
      toPoundsText(amount),
    ],
  },
  // QuickBooks Help, "Import journal entries". Lines with the same number form one journal.
  quickbooks: {
    header: ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits'],
    format: ({ number, on }, { account, amount, text }, accounts) => [
      number,
      formatDay(on),
      neutraliseCsvCell(accounts[account]),
      neutraliseCsvCell(text),
      ...toDebitAndCredit(amount),
    ],
  },
  // The fields of FreeAgent's "Add New Journal Entries" form. FreeAgent can't import journals from a file.
  freeagent: {
    header: ['Journal', 'Date', 'Description', 'Category', 'Additional information', 'Debit', 'Credit'],
    format: ({ number, on, narration }, { account, amount, text }, accounts) => [
      number,
      formatDay(on),
      neutraliseCsvCell(narration),
      neutraliseCsvCell(accounts[account]),
      neutraliseCsvCell(text),
      ...toDebitAndCredit(amount),
    ],
  },
};

function toDebitAndCredit(amount: Pence): [string, string] {
  return amount > 0 ? [toPoundsText(amount), ''] : ['', toPoundsText(pence(-amount))];
}

/** Returns dd/mm/yyyy, the format that all three use in the United Kingdom. */
function formatDay(date: PlainDate): string {
  const { year, month, day } = toDateParts(date);
  return `${String(day).padStart(2, '0')}/${String(month).padStart(2, '0')}/${year}`;
}
