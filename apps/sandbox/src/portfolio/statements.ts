/**
 * The PAYE and corporation tax statements that a practice copies from HMRC's pages, one line per entry, because no HMRC API provides these
 * figures. See docs/reference/hmrc.md section 7.
 */
import { STATEMENT_COLUMNS } from '@portal/domain/tax-statements/statement-columns.ts';
import { formatCsvLine } from '@portal/domain/books/csv-text.ts';
import type { Portfolio } from './portfolio-client.ts';
import { listCorporationTaxEntries } from './ct-statement.ts';
import { listPayeEntries } from './paye-statement.ts';
import type { StatementEntry } from './statement-entry.ts';

/** Creates the statements of all clients that have data. */
export function createStatements(portfolio: Portfolio): {
  readonly paye: readonly StatementEntry[];
  readonly ct: readonly StatementEntry[];
} {
  const knownClients = portfolio.list.filter(({ situation }) => situation !== 'no_data');
  return {
    paye: knownClients.flatMap((client) => listPayeEntries(client, portfolio.today)),
    ct: knownClients.flatMap((client) => listCorporationTaxEntries(client, portfolio.today)),
  };
}

/** Formats the rows as CSV text with "\r\n" line endings. */
export function formatStatement(entries: readonly StatementEntry[]): string {
  const lines = entries.map((entry) => formatCsvLine(STATEMENT_COLUMNS.map((column) => entry[column])));
  return [STATEMENT_COLUMNS.join(','), ...lines, ''].join('\r\n');
}
