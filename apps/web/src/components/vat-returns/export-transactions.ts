/** Downloads the transactions in a box as a CSV file. */
import type { vatReturnsApi, AdjustmentOutput } from '@portal/contract/vat-returns.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { apiRequest } from '../../lib/api.ts';
import type { OpenableBox } from '../../lib/box-names.ts';
import { TREATMENT_NAMES } from '../books/treatment-names.ts';
import { getReturnApi, type ReturnTarget } from './return-api.ts';

type Transaction = EndpointOutput<typeof vatReturnsApi.transactions>['transactions'][number];
type ExportInput = ReturnTarget & {
  readonly box: OpenableBox;
  readonly search?: string | undefined;
};

const HEADINGS = ['Line', 'Date', 'Kind', 'Reference', 'Counterparty', 'Description', 'Treatment', 'Net', 'VAT', 'Amount in box'];

/** Loads every page first, because the file contains all transactions, not just those on screen. */
export async function exportTransactions(input: ExportInput, adjustments: readonly AdjustmentOutput[]): Promise<void> {
  const transactions: Transaction[] = [];
  let afterPosition: number | null = 0;
  while (afterPosition !== null) {
    const page: EndpointOutput<typeof vatReturnsApi.transactions> = await apiRequest(getReturnApi(input).transactions, {
      ...input,
      after_line: afterPosition,
    });
    transactions.push(...page.transactions);
    afterPosition = page.next_after_line;
  }
  const url = URL.createObjectURL(new Blob([toCsv(transactions, adjustments)], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: `vat-return-box-${input.box}.csv` });
  link.click();
  URL.revokeObjectURL(url);
}

/** Adjustments follow the transactions, so that the last column adds up to the box. */
export function toCsv(transactions: readonly Transaction[], adjustments: readonly AdjustmentOutput[] = []): string {
  const rows = transactions.map((row) => [
    String(row.line),
    row.date,
    row.kind,
    toCell(row.reference),
    toCell(row.counterparty),
    toCell(row.description),
    TREATMENT_NAMES[row.treatment],
    toPounds(row.net_pence),
    toPounds(row.vat_pence),
    toPounds(row.amount_pence),
  ]);
  const adjusted = adjustments.map(({ made_at: at, reason, amount_pence: amount }) => [
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
  ]);
  // Excel recognises a file as UTF-8 only if it starts with a byte order mark.
  return `\uFEFF${[HEADINGS, ...rows, ...adjusted].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

const toPounds = (amount: number): string => (amount / 100).toFixed(2);

/** Quotes the text and prevents formulas: a spreadsheet would run a cell that starts with one of these characters. */
function toCell(text: string): string {
  const escapedText = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escapedText) ? `"${escapedText.replaceAll('"', '""')}"` : escapedText;
}
