/** Reads the rows of a PAYE or corporation tax statement, using the same functions as the import of statement files. */
import type { Instant } from '@portal/domain/clock.ts';
import type { ImportedClient } from '@portal/domain/client-imports/imported-client.ts';
import type { TaxFacts } from '@portal/domain/positions/tax-facts.ts';
import { combineClientRows, createStatementMatcher, type StatementRow } from '@portal/domain/tax-statements/combine-statements.ts';
import { parseStatementRow, type StatementReference } from '@portal/domain/tax-statements/parse-statement-row.ts';
import { STATEMENT_COLUMNS, type StatementTax } from '@portal/domain/tax-statements/statement-columns.ts';
import { isObject, readCell, readMembers, toPath, type InputProblem } from './input-problems.ts';

const COLUMN_POSITIONS = Object.fromEntries(STATEMENT_COLUMNS.map((column, index) => [column, index]));

/** Returns a statement's facts; empty rows mean that nothing was charged. */
export function readStatementFacts(
  tax: StatementTax,
  rows: unknown,
  client: ImportedClient,
  readAt: Instant,
  problems: InputProblem[],
): TaxFacts {
  const field = `statements.${tax}`;
  if (rows === undefined) return {};
  if (!Array.isArray(rows)) {
    problems.push({ field, problem: 'Enter a list of rows.' });
    return {};
  }
  const reference = getReference(tax, client) ?? findFirstReference(rows) ?? PLACEHOLDER_REFERENCES[tax];
  const parsed = rows.flatMap((row: unknown, index) => readRow(tax, row, index, reference, problems) ?? []);
  const match = createStatementMatcher(tax, [{ ...getReferences(tax, client, parsed), id: 'client', hasTax: true }]);
  for (const row of parsed) {
    const result = match(row);
    if (!result.matched) addProblem(field, result.rejected, problems);
  }
  const combined = combineClientRows(tax, 'client', parsed);
  if (!combined.isAccepted) {
    for (const rejectedProblem of combined.rejected) addProblem(field, rejectedProblem, problems);
    return {};
  }
  const { charges, payments, returns, pays } = combined.statement;
  const read = <Facts>(facts: Facts) => ({ source: 'statement' as const, asOf: readAt, facts });
  return {
    charges: read(charges),
    payments: read(payments),
    ...(returns ? { obligations: read(returns) } : {}),
    ...(pays ? { pays } : {}),
  };
}

function addProblem(
  field: string,
  { row, field: column, problem }: { readonly row: number; readonly field: string; readonly problem: string },
  problems: InputProblem[],
): void {
  const path = toPath(field, [row - 1, column]);
  if (!problems.some((known) => known.field === path && known.problem === problem)) problems.push({ field: path, problem });
}

/** Reads a row from the input file. Its reference can be omitted, because the file is about one client. */
function readRow(tax: StatementTax, row: unknown, index: number, reference: string, problems: InputProblem[]): StatementRow | undefined {
  const path = toPath(`statements.${tax}`, [index]);
  const members = readMembers(row, path, STATEMENT_COLUMNS, problems);
  if (members === undefined) {
    if (row === null) problems.push({ field: path, problem: 'Enter an object.' });
    return undefined;
  }
  const cells = STATEMENT_COLUMNS.map((column) => {
    const cell = readCell(members[column], toPath(path, [column]), problems);
    return cell ?? (column === 'reference' ? reference : '');
  });
  const parsed = parseStatementRow(cells, COLUMN_POSITIONS, tax);
  return parsed && { ...parsed, row: index + 1 };
}

/** A row can be read only with a reference, even if neither the client nor any row has one. */
const PLACEHOLDER_REFERENCES: Readonly<Record<StatementTax, string>> = { paye: '000/A', ct: '00000000' };

function findFirstReference(rows: readonly unknown[]): string | undefined {
  return rows.flatMap((row) => (isObject(row) && typeof row['reference'] === 'string' ? [row['reference']] : []))[0];
}

function getReference(tax: StatementTax, client: ImportedClient): string | null {
  return tax === 'paye' ? client.paye_reference : (client.utr ?? client.company_number);
}

/** Returns the client's references. If the file doesn't give one, it is taken from the first row. */
function getReferences(
  tax: StatementTax,
  client: ImportedClient,
  rows: readonly StatementRow[],
): Readonly<Record<StatementReference['field'], string | null>> {
  const findReference = (field: StatementReference['field']) =>
    rows.find(({ reference }) => reference?.field === field)?.reference?.value ?? null;
  const isForPaye = tax === 'paye';
  return {
    paye_reference: client.paye_reference ?? (isForPaye ? findReference('paye_reference') : null),
    utr: client.utr ?? findReference('utr'),
    company_number: client.company_number ?? findReference('company_number'),
  };
}
