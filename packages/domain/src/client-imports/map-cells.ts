/** Converts a row's cells to the values of an import row, using the mapped columns. */
import { inferKind, parseKind } from './client-kind-text.ts';
import { parseImportedStatus } from './client-status-text.ts';
import { parseVatGroupRole } from './vat-group-text.ts';
import { type ColumnMapping, IMPORT_COLUMNS, type ImportColumn, type ImportTarget, SERVICES_PREFIX } from './import-columns.ts';

/** A row's values by template column, as received. */
export type RawValues = Readonly<Partial<Record<ImportColumn, string>>>;

/** The maximum length of an accepted value, in characters. */
export const MAX_CHARACTERS = 200;

/** Values that users enter instead of leaving a cell empty. */
const EMPTY_VALUE_PATTERN = /^(?:n\/?a|none|nil|null|no|-+|–|—|tbc|tba|unknown|not\s(?:registered|applicable|known))\.?$/i;

/** If several columns have the same target, the first with a value counts. Returns undefined for a row without any values. */
export function mapCells(cells: readonly string[], columns: ColumnMapping): RawValues | undefined {
  const values: Partial<Record<ImportTarget, string>> = {};
  for (const [index, target] of columns.entries()) {
    if (target === null || values[target] !== undefined) continue;
    const cellText = toStorableText(cells[index] ?? '');
    if (cellText !== '' && (target === 'name' || !EMPTY_VALUE_PATTERN.test(cellText) || isNegativeAnswer(target, cellText)))
      values[target] = cellText;
  }
  const {
    first_name,
    last_name,
    company_utr,
    personal_utr,
    is_archived,
    is_prospect,
    is_vat_representative,
    vat_group_number,
    services,
    ...rest
  } = getStatusFromKind(values);
  if (Object.keys(values).length === 0) return undefined;
  const name = rest.name ?? [first_name, last_name].filter((part) => part !== undefined).join(' ');
  const isPerson = isAboutPerson({ ...rest, name });
  const status = toStatusText(rest.status, is_archived, is_prospect);
  const utr = rest.utr ?? (isPerson ? (personal_utr ?? company_utr) : company_utr);
  const rawValues: Partial<Record<ImportColumn, string>> = {
    ...rest,
    ...(name === '' ? {} : { name }),
    ...(utr === undefined ? {} : { utr }),
    ...(status === undefined ? {} : { status }),
    ...toVatGroupTexts(rest, is_vat_representative, vat_group_number),
    ...(services === undefined || rest.taxes !== undefined ? {} : { taxes: `${SERVICES_PREFIX}${services}` }),
    ...(rest.email === undefined ? {} : { email: getFirstEmail(rest.email) }),
  };
  // Exports show a director's National Insurance number in the company's row. Kept there, it would match the director's row.
  if (!isPerson) delete rawValues.nino;
  return Object.fromEntries(IMPORT_COLUMNS.flatMap((column) => (rawValues[column] === undefined ? [] : [[column, rawValues[column]]])));
}

/** Returns true for “No” in a column about the client's status, where it is a value rather than a placeholder. */
function isNegativeAnswer(target: ImportTarget, text: string): boolean {
  return (target === 'status' || target === 'is_archived' || target === 'is_prospect') && /^no\.?$/i.test(text);
}

/** Karbon's contact types include prospects, suppliers and inactive clients as well as clients. */
function getStatusFromKind(values: Partial<Record<ImportTarget, string>>): Partial<Record<ImportTarget, string>> {
  const { kind, ...others } = values;
  if (kind === undefined || values.status !== undefined || parseKind(kind).ok) return values;
  const status = parseImportedStatus(kind);
  return status.ok && status.value !== 'active' ? { ...others, status: kind } : values;
}

/** Combines a status column and yes/no columns into one status. */
function toStatusText(status: string | undefined, isArchived: string | undefined, isProspect: string | undefined): string | undefined {
  if (isPositiveAnswer(isArchived)) return 'Archived';
  if (isPositiveAnswer(isProspect)) return 'Prospect';
  return status ?? (isArchived === undefined ? undefined : 'Active');
}

/** A VAT group's number in its own column makes the client a member of the group, unless it's also in the column of VAT numbers. */
function toVatGroupTexts(
  { vrn, vat_group: role }: RawValues,
  isRepresentative: string | undefined,
  groupNumber: string | undefined,
): RawValues {
  const statedRole = role ?? (isPositiveAnswer(isRepresentative) ? 'Representative' : undefined);
  if (groupNumber === undefined) return statedRole === undefined ? {} : { vat_group: statedRole };
  const parsedRole = statedRole === undefined ? undefined : parseVatGroupRole(statedRole);
  const isMember = parsedRole === undefined ? vrn === undefined : parsedRole.ok && parsedRole.value === 'member';
  if (isMember) return { vat_group: statedRole ?? 'Member', vrn: groupNumber };
  return { ...(statedRole === undefined ? {} : { vat_group: statedRole }), vrn: vrn ?? groupNumber };
}

function isPositiveAnswer(answer: string | undefined): boolean {
  return answer !== undefined && /^(?:yes|y|true|1|x|✓|✔)$/i.test(answer);
}

function isAboutPerson({ kind, name = '', company_number, nino }: RawValues): boolean {
  const statedKind = kind === undefined ? undefined : parseKind(kind);
  const statedValue = statedKind?.ok === true ? statedKind.value : undefined;
  const guessedKind =
    statedValue ??
    inferKind(name, { company_number: company_number ?? null, nino: nino ?? null, vrn: null, utr: null, paye_reference: null });
  // If nothing suggests a company, the row describes a person.
  return guessedKind === undefined
    ? !/^(?:organi[sz]ation|business)/i.test(kind ?? '')
    : guessedKind === 'individual' || guessedKind === 'sole_trader';
}

/**
 * Drops characters that can't be stored (NUL, lone surrogates), spreadsheet error values, text beyond the length limit, and the apostrophe
 * that exports put before text like +44 so that a spreadsheet doesn't calculate it.
 */
export function toStorableText(text: string): string {
  return text
    .trim()
    .replace(/^'(?=[=+\-@])/, '')
    .replace(/^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/, '')
    .slice(0, MAX_CHARACTERS + 1)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD');
}

/** Returns the first email address in a cell, because some exports list all of a client's in one cell. */
function getFirstEmail(text: string): string {
  return (
    text
      .split(/[;,\n]\s*|\s\/\s/)
      .find((part) => part.trim() !== '')
      ?.trim() ?? text
  );
}
