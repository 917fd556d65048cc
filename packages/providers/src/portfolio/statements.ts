/** The statements of PAYE and corporation tax that a practice takes from HMRC's pages, one line an entry: no API tells these figures (FACTS 7). */
import { formatCsvLine } from '@portal/domain/vat-return/csv-text.ts';
import type { Portfolio } from './portfolio-client.ts';
import { corporationTaxEntries } from './ct-statement.ts';
import { payeEntries } from './paye-statement.ts';

/** In the order of the file. Amounts are pounds with two decimals, positive where owed to HMRC; dates are YYYY-MM-DD. */
export const STATEMENT_COLUMNS = [
  /** The employer's PAYE reference, or the UTR. */
  'reference',
  'client',
  /** charge, payment or return. */
  'entry',
  /** Of charges: tax, penalty or interest. */
  'kind',
  'title',
  'period_start',
  'period_end',
  'due_on',
  /** When the payment, or the return, reached HMRC; empty where it has not. */
  'received_on',
  'amount',
  /** Of charges: what is left of the amount. */
  'outstanding',
  /** Of PAYE: monthly or quarterly. */
  'pays',
] as const;
export type StatementColumn = (typeof STATEMENT_COLUMNS)[number];
export type StatementEntry = Readonly<Record<StatementColumn, string>>;

/** The practice's statements of all clients; who has no data is in neither. */
export function makeStatements(portfolio: Portfolio): { readonly paye: readonly StatementEntry[]; readonly ct: readonly StatementEntry[] } {
  const known = portfolio.list.filter(({ situation }) => situation !== 'no_data');
  return {
    paye: known.flatMap((client) => payeEntries(client, portfolio.today)),
    ct: known.flatMap((client) => corporationTaxEntries(client, portfolio.today)),
  };
}

/** The file as CSV text with "\r\n" line ends. */
export function formatStatement(entries: readonly StatementEntry[]): string {
  const lines = entries.map((entry) => formatCsvLine(STATEMENT_COLUMNS.map((column) => entry[column])));
  return [STATEMENT_COLUMNS.join(','), ...lines, ''].join('\r\n');
}
