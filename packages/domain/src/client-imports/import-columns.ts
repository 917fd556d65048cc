/** Columns of a client import file, their aliases, and the template. */
import { formatCsvLine } from '../books/csv-text.ts';

/** The columns in template order. Only `name` is required. */
export const IMPORT_COLUMNS = [
  'name',
  'kind',
  'taxes',
  'vrn',
  'utr',
  'nino',
  'company_number',
  'paye_reference',
  'accounts_office_reference',
  'postcode',
  'vat_registered_on',
  'year_end',
  'email',
  'phone',
  'client_code',
  'status',
  'vat_group',
  'taxable_turnover',
  'turnover_to',
] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/**
 * The possible contents of a file's column: a column of the template, or a part that other products separate. `first_name` and `last_name`
 * form a name. `company_utr` is used for companies and `personal_utr` for people, because an export often shows a director's UTR next to
 * the company's. `is_archived` and `is_prospect` contain yes or no, and form a status. `is_vat_representative` is yes for the representative
 * member of a VAT group, and `vat_group_number` is the group's number in the row of a member. `services` lists the practice's services for the
 * client, which add to the taxes implied by its type; `taxes` names all of them.
 */
export const IMPORT_TARGETS = [
  ...IMPORT_COLUMNS,
  'first_name',
  'last_name',
  'company_utr',
  'personal_utr',
  'is_archived',
  'is_prospect',
  'is_vat_representative',
  'vat_group_number',
  'services',
] as const;

/** Marks `taxes` in a row that come from a column of services. */
export const SERVICES_PREFIX = 'Services: ';
export type ImportTarget = (typeof IMPORT_TARGETS)[number];

/**
 * The contents of each column of a file, in file order; null for a column that isn't imported. Several columns may have the same target.
 */
export type ColumnMapping = readonly (ImportTarget | null)[];

/** The heading for the reasons in a file of rejected rows. The column is ignored when the file is uploaded again. */
export const REASON_HEADING = 'Reason (ignored on upload)';

const EXAMPLE_ROWS: readonly (readonly string[])[] = [
  [
    'Example Joinery Ltd',
    'company',
    'VAT PAYE CT',
    '',
    '',
    '',
    '09482716',
    '123/AB456',
    '123PF00045678',
    'LS1 4DY',
    '2019-05-01',
    '2026-03-31',
    'accounts@example.com',
    '0113 496 0123',
    'EXA001',
    'active',
    '',
    '',
    '',
  ],
  [
    'Jo Example',
    'sole_trader',
    'SA',
    '',
    '',
    '',
    '',
    '',
    '',
    'YO1 7HH',
    '',
    '',
    'jo@example.com',
    '07700 900123',
    'EXA002',
    'archived',
    '',
    '',
    '',
  ],
];

/** Returns the template as CSV text with CRLF line endings, which every spreadsheet opens. Our parser accepts it without errors. */
export function formatImportTemplate(): string {
  return [IMPORT_COLUMNS.join(','), ...EXAMPLE_ROWS.map((cells) => formatCsvLine(cells)), ''].join('\r\n');
}
