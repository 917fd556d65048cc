/** Finds the header of a client list and what its columns hold. */
import { COLUMN_NAMES, normaliseHeading, SECOND_CHOICE_NAMES } from './column-names.ts';
import { IMPORT_TARGETS, type ColumnMapping, type ImportTarget, REASON_HEADING } from './import-columns.ts';

/** What a practice has chosen for a heading before, by the heading in normal form. Null: not imported. */
export type RememberedColumns = Readonly<Record<string, ImportTarget | null>>;

/** A suggestion for each column. `isSettled`: every column with content is recognised, so no person needs to look at them. */
export type SuggestedMapping = { readonly columns: ColumnMapping; readonly isSettled: boolean };

const TARGET_BY_NAME: ReadonlyMap<string, ImportTarget> = new Map(
  IMPORT_TARGETS.flatMap((target) => [target.replaceAll('_', ''), ...COLUMN_NAMES[target]].map((name) => [name, target] as const)),
);

/** Headings that begin with the part of a form: “Company details: VAT number”, “Main contact email”. */
const PART_OF_FORM =
  /^(?:client|company|business|account|organisation|organization|maincontact|primarycontact|contact1?|vat|paye)(?:details?|info)?/;

/** Two columns of one of these would lose a value, so a person decides. The first of several emails or telephone numbers is enough. */
const SINGLE: ReadonlySet<ImportTarget> = new Set<ImportTarget>([
  'kind',
  'taxes',
  'vrn',
  'utr',
  'company_utr',
  'personal_utr',
  'nino',
  'company_number',
  'paye_reference',
  'accounts_office_reference',
  'vat_registered_on',
  'year_end',
]);

/** Index of the row that most looks like a header, because exports begin with a title, a date or empty lines. */
export function findHeaderRow(rows: readonly (readonly string[])[], remembered: RememberedColumns = {}): number {
  const scores = rows.map((cells) => cells.filter((cell) => recognise(cell, remembered) !== undefined).length);
  const best = Math.max(0, ...scores);
  if (best > 0) return scores.indexOf(best);
  const widths = rows.map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  const widest = Math.max(0, ...widths);
  return Math.max(
    0,
    widths.findIndex((width) => width > 0 && width >= widest / 2),
  );
}

/** Suggests what each column holds, from its heading, what the practice chose before, and the values below it. */
export function suggestMapping(
  headings: readonly string[],
  samples: readonly (readonly string[])[],
  remembered: RememberedColumns = {},
): SuggestedMapping {
  const recognised = headings.map((heading, index) => {
    const target = recognise(heading, remembered);
    return target !== undefined && target !== null && isAnswerColumn(samples[index] ?? []) && target !== 'name' ? undefined : target;
  });
  const hasName = recognised.includes('name');
  const columns = recognised.map((target, index) =>
    target === undefined && !hasName && SECOND_CHOICE_NAMES.includes(normaliseHeading(headings[index] ?? '')) ? 'name' : (target ?? null),
  );
  const isKnown = (index: number): boolean =>
    recognised[index] !== undefined || columns[index] !== null || (samples[index] ?? []).every((value) => value.trim() === '');
  const used = columns.filter((target) => target !== null && SINGLE.has(target));
  const isSettled = hasNameColumn(columns) && columns.every((_, index) => isKnown(index)) && new Set(used).size === used.length;
  return { columns, isSettled };
}

/** Whether each row can have a name. */
export function hasNameColumn(columns: ColumnMapping): boolean {
  return columns.includes('name') || columns.includes('last_name');
}

/** Adds the choices of a file to what the practice chose before. */
export function rememberColumns(remembered: RememberedColumns, headings: readonly string[], columns: ColumnMapping): RememberedColumns {
  const chosen = headings.map((heading, index) => [normaliseHeading(heading), columns[index] ?? null] as const);
  return { ...remembered, ...Object.fromEntries(chosen.filter(([heading]) => heading !== '')) };
}

/** Undefined for an unknown heading, null for one that is not imported. */
function recognise(cell: string, remembered: RememberedColumns): ImportTarget | null | undefined {
  const heading = normaliseHeading(cell);
  if (heading === '') return undefined;
  if (Object.hasOwn(remembered, heading)) return remembered[heading];
  if (heading === normaliseHeading(REASON_HEADING)) return null;
  const whole = TARGET_BY_NAME.get(heading);
  if (whole !== undefined) return whole;
  const [, afterColon] = /[:>|]\s*([^:>|]+)$/.exec(cell) ?? [];
  const part = TARGET_BY_NAME.get(normaliseHeading(afterColon ?? '')) ?? TARGET_BY_NAME.get(heading.replace(PART_OF_FORM, ''));
  // “Contact name” is the name of a person at the client.
  return part === 'name' || part === 'first_name' || part === 'last_name' ? undefined : part;
}

/** A column that only says yes or no, such as “VAT”, holds no number. */
function isAnswerColumn(values: readonly string[]): boolean {
  const filled = values.filter((value) => value.trim() !== '');
  return filled.length > 0 && filled.every((value) => /^(?:yes|no|y|n|true|false|0|1|x|active|inactive|n\/a|-)$/i.test(value.trim()));
}
