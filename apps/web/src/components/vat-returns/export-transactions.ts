/** Downloads the transactions in a box as a CSV file. */
import type { vatReturnsApi, AdjustmentOutput } from '@portal/contract/vat-returns.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { apiRequest } from '../../lib/api.ts';
import type { OpenableBox } from '../../lib/box-names.ts';
import { TREATMENT_NAMES } from '../books/treatment-names.ts';
import { describeChange } from './describe-changes.ts';
import { getReturnApi, type ReturnTarget } from './return-api.ts';

type Transaction = EndpointOutput<typeof vatReturnsApi.transactions>['transactions'][number];
type ExportInput = ReturnTarget & {
  readonly box: OpenableBox;
  readonly search?: string | undefined;
  readonly show: 'all' | 'changed';
};

const HEADINGS = ['Line', 'Date', 'Kind', 'Reference', 'Counterparty', 'Description', 'Treatment', 'Net', 'VAT', 'Amount in box'];

/** The columns about what has changed, and what the other amount of a document is. */
const CHANGE_HEADINGS = {
  approval: ['Change since approval', 'Amount when approved'],
  filing: ['Change since filing', 'Amount in books now'],
} as const;

/** Loads every page first, because the file contains all transactions, not just those on screen. */
export async function exportTransactions(input: ExportInput, adjustments: readonly AdjustmentOutput[]): Promise<void> {
  const transactions: Transaction[] = [];
  let afterPosition: number | null = 0;
  let since: ChangesSince = null;
  while (afterPosition !== null) {
    const page: EndpointOutput<typeof vatReturnsApi.transactions> = await apiRequest(getReturnApi(input).transactions, {
      ...input,
      after_line: afterPosition,
    });
    transactions.push(...page.transactions);
    since = page.changes?.since ?? null;
    afterPosition = page.next_after_line;
  }
  const url = URL.createObjectURL(new Blob([toCsv(transactions, { adjustments, since })], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: `vat-return-box-${input.box}.csv` });
  link.click();
  URL.revokeObjectURL(url);
}

type ChangesSince = keyof typeof CHANGE_HEADINGS | null;

/**
 * Adjustments follow the transactions, so that the column “Amount in box” adds up to the box. If the figures can be compared with approved
 * or filed ones, two more columns say what has changed.
 */
export function toCsv(
  transactions: readonly Transaction[],
  { adjustments = [], since = null }: { readonly adjustments?: readonly AdjustmentOutput[]; readonly since?: ChangesSince } = {},
): string {
  const rows = transactions.map((row) => [
    // The line of a row that isn't in the figures is in the other books.
    row.is_in_figures ? String(row.line) : '',
    row.date,
    row.kind,
    toCell(row.reference),
    toCell(row.counterparty),
    toCell(row.description),
    TREATMENT_NAMES[row.treatment],
    toPounds(row.net_pence),
    toPounds(row.vat_pence),
    toPounds(row.amount_pence),
    ...(since === null ? [] : [describeChange(row, since), row.other_amount_pence === null ? '' : toPounds(row.other_amount_pence)]),
  ]);
  const adjustmentRows = adjustments.map(({ made_at: at, reason, amount_pence: amount }) => [
    '',
    at.slice(0, 10),
    'adjustment',
    '',
    '',
    toCell(reason),
    '',
    '',
    '',
    toPounds(amount),
    ...(since === null ? [] : ['', '']),
  ]);
  // Excel recognises a file as UTF-8 only if it starts with a byte order mark.
  return `\uFEFF${[[...HEADINGS, ...(since === null ? [] : CHANGE_HEADINGS[since])], ...rows, ...adjustmentRows].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

const toPounds = (amount: number): string => (amount / 100).toFixed(2);

/** Quotes the text and prevents formulas: a spreadsheet would run a cell that starts with one of these characters. */
function toCell(text: string): string {
  const escapedText = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escapedText) ? `"${escapedText.replaceAll('"', '""')}"` : escapedText;
}
