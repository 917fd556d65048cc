/** Columns and template of a PAYE or corporation tax statement file. Each line is one charge, payment or return. */
import { formatCsvLine } from '../books/csv-text.ts';

/** Taxes that we import from statements because HMRC doesn't have an API to read them (docs/reference/hmrc.md section 7). */
export const STATEMENT_TAXES = ['paye', 'ct'] as const;
export type StatementTax = (typeof STATEMENT_TAXES)[number];

/** The columns in template order. Amounts are pounds, positive if owed to HMRC; dates are 2026-03-31 or 31/03/2026. */
export const STATEMENT_COLUMNS = [
  'reference',
  'client',
  'entry',
  'kind',
  'title',
  'period_start',
  'period_end',
  'due_on',
  'received_on',
  'amount',
  'outstanding',
  'pays',
] as const;
/** A column of a statement file. */
export type StatementColumn = (typeof STATEMENT_COLUMNS)[number];

/** The columns that contain dates. */
export const STATEMENT_DATE_COLUMNS: ReadonlySet<StatementColumn> = new Set(['period_start', 'period_end', 'due_on', 'received_on']);

/** All other columns are required, because without them a debt or a filed return could go unnoticed. */
const OPTIONAL_COLUMNS: ReadonlySet<StatementColumn> = new Set(['client', 'kind', 'title', 'pays']);

/** Index of each column (0 is the first); columns missing from the file are omitted. */
export type StatementPositions = Readonly<Partial<Record<StatementColumn, number>>>;

/** Column positions, or why the file can't be read. */
export type StatementHeader =
  | { readonly ok: true; readonly positions: StatementPositions }
  | { readonly ok: false; readonly reason: string };

/** Parses line 1, with columns in any order and letter case. Ignores other columns. */
export function parseStatementHeader(cells: readonly string[]): StatementHeader {
  const positions: Partial<Record<StatementColumn, number>> = {};
  for (const [index, cell] of cells.entries()) {
    const name = normaliseHeader(cell);
    const column = STATEMENT_COLUMNS.find((candidate) => normaliseHeader(candidate) === name);
    if (column === undefined) continue;
    if (positions[column] !== undefined) return { ok: false, reason: `The header row has two columns called “${column}”. Keep one.` };
    positions[column] = index;
  }
  const missingColumns = STATEMENT_COLUMNS.filter((column) => positions[column] === undefined && !OPTIONAL_COLUMNS.has(column));
  if (missingColumns.length > 0) {
    return {
      ok: false,
      reason: `The header row is missing ${missingColumns.map((column) => `“${column}”`).join(', ')}. Use the columns from the template.`,
    };
  }
  return { ok: true, positions };
}

function normaliseHeader(cell: string): string {
  return cell.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}

const EXAMPLE_ROWS: Readonly<Record<StatementTax, readonly (readonly string[])[]>> = {
  paye: [
    [
      '123/AB456',
      'Example Ltd',
      'charge',
      'tax',
      'PAYE, month 6',
      '2026-09-06',
      '2026-10-05',
      '2026-10-22',
      '',
      '1250.00',
      '0.00',
      'monthly',
    ],
    ['123/AB456', 'Example Ltd', 'payment', '', 'Payment, month 6', '2026-09-06', '2026-10-05', '', '2026-10-20', '1250.00', '', 'monthly'],
  ],
  ct: [
    ['2234567890', 'Example Ltd', 'return', '', 'Return to 2025-12-31', '2025-01-01', '2025-12-31', '2026-12-31', '2026-06-30', '', '', ''],
    [
      '2234567890',
      'Example Ltd',
      'charge',
      'tax',
      'Tax to 2025-12-31',
      '2025-01-01',
      '2025-12-31',
      '2026-10-01',
      '',
      '4300.00',
      '4300.00',
      '',
    ],
  ],
};

/** Returns the template with two example lines, as CSV text with CRLF line endings; it parses without errors. */
export function formatStatementTemplate(tax: StatementTax): string {
  return [STATEMENT_COLUMNS.join(','), ...EXAMPLE_ROWS[tax].map((cells) => formatCsvLine(cells)), ''].join('\r\n');
}
