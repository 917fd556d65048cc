/** Turns the cells of a row into the values of an import row, as the file's columns are mapped. */
import { guessKind, parseKind } from './client-kind-text.ts';
import { parseImportedStatus } from './client-status-text.ts';
import { type ColumnMapping, IMPORT_COLUMNS, type ImportColumn, type ImportTarget } from './import-columns.ts';

/** The values of a row by column of the template, as received. */
export type RawValues = Readonly<Partial<Record<ImportColumn, string>>>;

/** The longest value that is accepted. */
export const MAX_CHARACTERS = 200;

/** What people write into a cell that has no value. */
const PLACEHOLDER = /^(?:n\/?a|none|nil|null|no|-+|–|—|tbc|tba|unknown|not\s(?:registered|applicable|known))\.?$/i;

/** If several columns have the same target, the first that has a value counts. Undefined for a row without any value. */
export function mapCells(cells: readonly string[], columns: ColumnMapping): RawValues | undefined {
  const values: Partial<Record<ImportTarget, string>> = {};
  for (const [index, target] of columns.entries()) {
    if (target === null || values[target] !== undefined) continue;
    const text = toStorable(cells[index] ?? '');
    if (text !== '' && (target === 'name' || !PLACEHOLDER.test(text) || isNo(target, text))) values[target] = text;
  }
  const { first_name, last_name, company_utr, personal_utr, is_archived, is_prospect, ...rest } = statusFromKind(values);
  if (Object.keys(values).length === 0) return undefined;
  const name = rest.name ?? [first_name, last_name].filter((part) => part !== undefined).join(' ');
  const isPerson = describesPerson({ ...rest, name });
  const status = toStatusText(rest.status, is_archived, is_prospect);
  const utr = rest.utr ?? (isPerson ? (personal_utr ?? company_utr) : company_utr);
  const raw: Partial<Record<ImportColumn, string>> = {
    ...rest,
    ...(name === '' ? {} : { name }),
    ...(utr === undefined ? {} : { utr }),
    ...(status === undefined ? {} : { status }),
    ...(rest.email === undefined ? {} : { email: firstEmail(rest.email) }),
  };
  // Exports show a director's National Insurance number in the row of the company. As its own it would match the director's row.
  if (!isPerson) delete raw.nino;
  return Object.fromEntries(IMPORT_COLUMNS.flatMap((column) => (raw[column] === undefined ? [] : [[column, raw[column]]])));
}

/** “No” is an answer in a column that asks whether the client is active. */
function isNo(target: ImportTarget, text: string): boolean {
  return (target === 'status' || target === 'is_archived' || target === 'is_prospect') && /^no\.?$/i.test(text);
}

/** Karbon has prospects, suppliers and inactive clients as types of contact, beside clients. */
function statusFromKind(values: Partial<Record<ImportTarget, string>>): Partial<Record<ImportTarget, string>> {
  const { kind, ...others } = values;
  if (kind === undefined || values.status !== undefined || parseKind(kind).ok) return values;
  const status = parseImportedStatus(kind);
  return status.ok && status.value !== 'active' ? { ...others, status: kind } : values;
}

/** One status from a column of its own and from columns that say yes or no. */
function toStatusText(status: string | undefined, isArchived: string | undefined, isProspect: string | undefined): string | undefined {
  if (isYes(isArchived)) return 'Archived';
  if (isYes(isProspect)) return 'Prospect';
  return status ?? (isArchived === undefined ? undefined : 'Active');
}

function isYes(answer: string | undefined): boolean {
  return answer !== undefined && /^(?:yes|y|true|1|x|✓|✔)$/i.test(answer);
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
