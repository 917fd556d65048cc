/** Works out what the columns of a client list mean. */
import { type ColumnRecogniser, normaliseHeading, type RememberedTargets } from '../tables/recognise-columns.ts';
import { parseImportedStatus } from './client-status-text.ts';
import { parseVatGroupRole } from './vat-group-text.ts';
import { COLUMN_NAMES, IGNORED_NAMES, SECOND_CHOICE_NAMES } from './column-names.ts';
import { IMPORT_TARGETS, type ColumnMapping, type ImportTarget, REASON_HEADING } from './import-columns.ts';

/** A practice's earlier choices, by heading in normal form. Null: not imported. */
export type RememberedColumns = RememberedTargets<ImportTarget>;

const TARGET_BY_NAME: ReadonlyMap<string, ImportTarget> = new Map(
  IMPORT_TARGETS.flatMap((target) => [target.replaceAll('_', ''), ...COLUMN_NAMES[target]].map((name) => [name, target] as const)),
);

const IGNORED_HEADINGS: ReadonlySet<string> = new Set(IGNORED_NAMES);

/** Headings that begin with the name of a form section: “Company details: VAT number”, “Main contact email”. */
const SECTION_PREFIX =
  /^(?:client|company|business|account|organisation|organization|maincontact|primarycontact|contact1?|vat|paye)(?:details?|info)?/;

/** The same for a contact of the client, whose UTR is never a company's. */
const CONTACT_PREFIX = /^(?:maincontact|primarycontact|contact1?)(?:details?|info)?/;

const COMPANY_PREFIX = /^(?:company|llp|partnership|trust)(?:details?|info)?/;

/** A second contact. The client's details come only from the client and its main contact. */
const OTHER_PERSON_PREFIX = /^(?:contact(?:[2-9]|1\d)|second(?:ary)?contact|spouse|partner[2-9]|director[2-9])/;

/**
 * If two columns had one of these targets, a value would be lost, so the user decides. The first of several email addresses or telephone
 * numbers is enough, and a company has only one UTR, whichever form section it is in.
 */
const SINGLE_COLUMN_TARGETS: ReadonlySet<ImportTarget> = new Set<ImportTarget>([
  'kind',
  'taxes',
  'services',
  'vrn',
  'utr',
  'personal_utr',
  'nino',
  'company_number',
  'paye_reference',
  'accounts_office_reference',
  'vat_registered_on',
  'vat_group',
  'is_vat_representative',
  'vat_group_number',
  'year_end',
  'taxable_turnover',
  'turnover_to',
  'status',
]);

const STATUS_TARGETS: ReadonlySet<ImportTarget> = new Set<ImportTarget>(['status', 'is_archived', 'is_prospect']);

/** Form sections whose status is the client's. */
const STATUS_PREFIX = /^(?:client|account)(?:details?|info)?/;

/** Recognises the columns of a client list. */
export const CLIENT_COLUMNS: ColumnRecogniser<ImportTarget> = {
  recognise,
  singleColumnTargets: SINGLE_COLUMN_TARGETS,
  isComplete: hasNameColumn,
  isContradicted: hasContradictingSamples,
  findSecondChoice: (heading, columns) => (SECOND_CHOICE_NAMES.includes(heading) ? (columns.includes('name') ? null : 'name') : undefined),
  isUnusable: (samples) => isYesNoColumn(samples) && !samples.some((value) => /^(?:in)?active$/i.test(value.trim())),
};

/** Returns true if every row can get a name from the columns. */
export function hasNameColumn(columns: ColumnMapping): boolean {
  return columns.includes('name') || columns.includes('last_name');
}

/**
 * A yes/no column doesn't contain numbers. “Status” may refer to a job, “Archived” may contain a date, and “VAT group” the names of groups.
 */
function hasContradictingSamples(target: ImportTarget, samples: readonly string[]): boolean {
  if (target === 'name') return false;
  const filledSamples = samples.filter((value) => value.trim() !== '');
  if (target === 'vat_group') return filledSamples.length > 0 && !filledSamples.some((value) => parseVatGroupRole(value).ok);
  if (target === 'is_vat_representative') return filledSamples.length > 0 && !isYesNoColumn(filledSamples);
  if (!STATUS_TARGETS.has(target)) return isYesNoColumn(samples);
  if (filledSamples.length === 0) return false;
  return target === 'status' ? !filledSamples.some((value) => parseImportedStatus(value).ok) : !isYesNoColumn(filledSamples);
}

/** Returns undefined for an unknown heading, null for one that isn't imported. */
function recognise(cell: string): ImportTarget | null | undefined {
  const heading = normaliseHeading(cell);
  if (heading === normaliseHeading(REASON_HEADING) || IGNORED_HEADINGS.has(heading) || OTHER_PERSON_PREFIX.test(heading)) return null;
  const wholeMatch = TARGET_BY_NAME.get(heading);
  if (wholeMatch !== undefined) return wholeMatch;
  const [, textAfterColon] = /[:>|]\s*([^:>|]+)$/.exec(cell) ?? [];
  const field = normaliseHeading(textAfterColon ?? '');
  if (IGNORED_HEADINGS.has(field)) return null;
  const part = TARGET_BY_NAME.get(field) ?? TARGET_BY_NAME.get(heading.replace(SECTION_PREFIX, ''));
  // “VAT: Status” and “Company details: Status” are about a registration.
  if (part !== undefined && STATUS_TARGETS.has(part)) return STATUS_PREFIX.test(heading) ? part : null;
  // “Contact name” is the name of a contact, not of the client.
  if (part === 'name' || part === 'first_name' || part === 'last_name') return null;
  if (part !== 'utr') return part;
  return CONTACT_PREFIX.test(heading) ? 'personal_utr' : COMPANY_PREFIX.test(heading) ? 'company_utr' : part;
}

/** A yes/no column, such as “VAT”, doesn't contain numbers. */
function isYesNoColumn(values: readonly string[]): boolean {
  const filledValues = values.filter((value) => value.trim() !== '');
  return (
    filledValues.length > 0 && filledValues.every((value) => /^(?:yes|no|y|n|true|false|0|1|x|active|inactive|n\/a|-)$/i.test(value.trim()))
  );
}
