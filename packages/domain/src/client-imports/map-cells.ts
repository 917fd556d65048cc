/** Turns the cells of a row into the values of an import row, as the file's columns are mapped. */
import { guessKind, parseKind } from './client-kind-text.ts';
import { type ColumnMapping, IMPORT_COLUMNS, type ImportColumn, type ImportTarget } from './import-columns.ts';

/** The values of a row by column of the template, as received. */
export type RawValues = Readonly<Partial<Record<ImportColumn, string>>>;

/** The longest value that is accepted. */
export const MAX_CHARACTERS = 200;

/** What people write into a cell that has no value. */
const PLACEHOLDER = /^(?:n\/?a|none|nil|null|no|-+|–|—|tbc|tba|unknown|not\s(?:registered|applicable|known))\.?$/i;

/** Of several columns with the same target, the first that has a value counts. Undefined for a row without any value. */
export function mapCells(cells: readonly string[], columns: ColumnMapping): RawValues | undefined {
  const values: Partial<Record<ImportTarget, string>> = {};
  for (const [index, target] of columns.entries()) {
    if (target === null || values[target] !== undefined) continue;
    const text = toStorable(cells[index] ?? '');
    if (text !== '' && (target === 'name' || !PLACEHOLDER.test(text))) values[target] = text;
  }
  const { first_name, last_name, company_utr, personal_utr, ...rest } = values;
  if (Object.keys(values).length === 0) return undefined;
  const name = rest.name ?? [first_name, last_name].filter((part) => part !== undefined).join(' ');
  const isPerson = describesPerson({ ...rest, name });
  const utr = rest.utr ?? (isPerson ? (personal_utr ?? company_utr) : company_utr);
  const raw: Partial<Record<ImportColumn, string>> = {
    ...rest,
    ...(name === '' ? {} : { name }),
    ...(utr === undefined ? {} : { utr }),
    ...(rest.email === undefined ? {} : { email: firstEmail(rest.email) }),
  };
  // Exports show a director's National Insurance number in the row of the company. As its own it would match the director's row.
  if (!isPerson) delete raw.nino;
  return Object.fromEntries(IMPORT_COLUMNS.flatMap((column) => (raw[column] === undefined ? [] : [[column, raw[column]]])));
}

function describesPerson({ kind, name = '', company_number, nino }: RawValues): boolean {
  const stated = kind === undefined ? undefined : parseKind(kind);
  const known = stated?.ok === true ? stated.value : undefined;
  const guessed =
    known ?? guessKind(name, { company_number: company_number ?? null, nino: nino ?? null, vrn: null, utr: null, paye_reference: null });
  // Without any sign of a company the row is about a person.
  return guessed === undefined ? !/^(?:organi[sz]ation|business)/i.test(kind ?? '') : guessed === 'individual' || guessed === 'sole_trader';
}

/**
 * Drops what we cannot store (NUL, half a surrogate pair), the error values of a spreadsheet, what exceeds the length limit anyway, and the apostrophe that exports put before
 * text like +44 so that a spreadsheet doesn't calculate it.
 */
export function toStorable(text: string): string {
  return text
    .trim()
    .replace(/^'(?=[=+\-@])/, '')
    .replace(/^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/, '')
    .slice(0, MAX_CHARACTERS + 1)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD');
}

/** Some exports list all emails of a client in one cell. */
function firstEmail(text: string): string {
  return (
    text
      .split(/[;,\n]\s*|\s\/\s/)
      .find((part) => part.trim() !== '')
      ?.trim() ?? text
  );
}
