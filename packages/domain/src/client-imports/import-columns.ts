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
] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** Other names for each column, written in lower case letters and digits only. */
const COLUMN_ALIASES: Readonly<Record<ImportColumn, readonly string[]>> = {
  name: ['client', 'clientname', 'companyname', 'businessname', 'tradingname', 'fullname', 'displayname', 'organisationname'],
  kind: ['type', 'clienttype', 'entitytype', 'businesstype', 'legalform', 'businessstructure', 'companytype', 'organisationtype'],
  taxes: ['tax', 'services', 'taxservices'],
  vrn: [
    'vat',
    'vatnumber',
    'vatno',
    'vatregistrationnumber',
    'vatreg',
    'vatregno',
    'vatregnumber',
    'vatregistrationno',
    'salestaxregistrationnumber',
  ],
  utr: [
    'uniquetaxpayerreference',
    'utrnumber',
    'companyutr',
    'personalutr',
    'sautr',
    'ctutr',
    'corporationtaxreference',
    'taxreference',
    'utrno',
    'corporationtaxutr',
  ],
  nino: ['ninumber', 'nationalinsurancenumber', 'nationalinsurance', 'ni'],
  company_number: [
    'companyno',
    'companynumber',
    'crn',
    'companyregistrationnumber',
    'registrationnumber',
    'companieshousenumber',
    'companyregno',
    'companyregistrationno',
    'registeredcompanynumber',
  ],
  paye_reference: ['paye', 'payeref', 'employerpayereference', 'employersreference', 'employerreference', 'payeschemereference'],
  accounts_office_reference: [
    'accountsofficeref',
    'aoreference',
    'aoref',
    'accountsoffice',
    'payeaccountsofficereference',
    'accountsofficerefno',
  ],
  postcode: ['postalcode', 'zip', 'zipcode', 'addresspostcode', 'registeredpostcode'],
  vat_registered_on: ['vatregistrationdate', 'vatregdate', 'dateofvatregistration', 'effectivedateofregistration', 'vatregistered'],
  year_end: [
    'yearend',
    'accountingyearend',
    'accountsyearend',
    'yearendon',
    'accountingreferencedate',
    'financialyearend',
    'yearenddate',
    'accountingyearendon',
    'accountingperiodend',
  ],
  email: ['emailaddress', 'mail', 'contactemail', 'primaryemail', 'clientemail'],
  phone: ['telephone', 'mobile', 'phonenumber', 'contactnumber', 'tel'],
  client_code: ['code', 'clientref', 'clientreference', 'clientid', 'clientno', 'clientnumber', 'accountcode', 'internalreference'],
};

/** Index of each column (0 is the first); columns missing from the file are omitted. */
export type ImportPositions = Readonly<Partial<Record<ImportColumn, number>>>;

/** Column positions and ignored columns, or why the file cannot be read. */
export type ImportHeader =
  | { readonly ok: true; readonly positions: ImportPositions; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Parses line 1: columns in any order, by our names or their aliases. A duplicate column rejects the file. */
export function parseImportHeader(cells: readonly string[]): ImportHeader {
  const positions: Partial<Record<ImportColumn, number>> = {};
  const ignored: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const column = findColumn(cell);
    if (column === undefined) {
      if (normaliseHeader(cell) !== '') ignored.push(cell.trim());
      continue;
    }
    const earlierIndex = positions[column];
    if (earlierIndex !== undefined) {
      const names = `“${cells[earlierIndex]?.trim() ?? ''}” and “${cell.trim()}”`;
      return { ok: false, reason: `The header row has two columns for ${column}: ${names}. Keep one.` };
    }
    positions[column] = index;
  }
  if (positions.name === undefined) return { ok: false, reason: explainMissingName(cells) };
  return { ok: true, positions, ignored };
}

/** Spreadsheets in locales with decimal commas separate columns with semicolons. */
function explainMissingName(cells: readonly string[]): string {
  const [only = ''] = cells;
  const delimiter = only.includes(';') ? 'semicolons' : only.includes('\t') ? 'tabs' : undefined;
  if (cells.length === 1 && delimiter !== undefined)
    return `The header row separates columns with ${delimiter}, but we need commas: save the file as “CSV UTF-8 (comma delimited)” or as XLSX.`;
  return 'The header row must include a column called “name”.';
}

function findColumn(cell: string): ImportColumn | undefined {
  const name = normaliseHeader(cell);
  return IMPORT_COLUMNS.find((column) => normaliseHeader(column) === name || COLUMN_ALIASES[column].includes(name));
}

function normaliseHeader(cell: string): string {
  return cell.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}

const EXAMPLES: readonly (readonly string[])[] = [
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
  ],
  ['Jo Example', 'sole_trader', 'SA', '', '', '', '', '', '', 'YO1 7HH', '', '', 'jo@example.com', '07700 900123', 'EXA002'],
];

/** The template as CSV text with "\r\n" line endings, which every spreadsheet opens. Our parser accepts it without errors. */
export function formatImportTemplate(): string {
  return [IMPORT_COLUMNS.join(','), ...EXAMPLES.map((cells) => formatCsvLine(cells)), ''].join('\r\n');
}
