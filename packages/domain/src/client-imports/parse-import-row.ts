/** Parses one row of a client import file into a client, or into problems by field. */
import { type Parsed, parsed, rejected } from '../parsed.ts';
import type { PlainDate } from '../plain-date.ts';
import { parseAccountsOfficeReference } from '../uk-tax/references/accounts-office-reference.ts';
import { parseCompanyNumber } from '../uk-tax/references/company-number.ts';
import { parseEmployerPayeReference } from '../uk-tax/references/employer-paye-reference.ts';
import { TAXES, type Tax } from '../uk-tax/tax.ts';
import { parseNino } from '../uk-tax/references/nino.ts';
import { parseUtr } from '../uk-tax/references/utr.ts';
import { parseNineDigitVrn } from '../uk-tax/references/vrn.ts';
import { parseBooksDate } from '../books/parse-books-date.ts';
import { type ImportColumn, type ImportPositions, IMPORT_COLUMNS } from './import-columns.ts';
import type { ClientKind, ImportedClient, RowProblem, ClientReference } from './imported-client.ts';

/** `client` is null if there are problems. `rawValues` holds the cells as received, to show beside the problems. */
export type ParsedImportRow = {
  readonly rawValues: Readonly<Partial<Record<ImportColumn, string>>>;
  readonly client: ImportedClient | null;
  readonly problems: readonly RowProblem[];
};

const MAX_CHARACTERS = 200;

/** Parses a row and checks every field, so that one pass reports all problems. Undefined for an empty line. */
export function parseImportRow(cells: readonly string[], positions: ImportPositions): ParsedImportRow | undefined {
  const rawValues = readCells(cells, positions);
  return Object.keys(rawValues).length === 0 ? undefined : validateImportRow(rawValues);
}

/** Validates the values of a row by column. A stored row is validated again before it is imported. */
export function validateImportRow(rawValues: ParsedImportRow['rawValues']): ParsedImportRow {
  const problems: RowProblem[] = [];
  const read = <Value>(column: ImportColumn, parse: (text: string) => Parsed<Value>): Value | null => {
    const text = rawValues[column];
    if (text === undefined) return null;
    const result = text.length > MAX_CHARACTERS ? rejected(`Use at most ${MAX_CHARACTERS} characters.`) : parse(text);
    if (result.ok) return result.value;
    problems.push({ field: column, problem: result.reason });
    return null;
  };
  const references = {
    vrn: read('vrn', (text) => toVrnText(parseNineDigitVrn(text))),
    utr: read('utr', parseUtr),
    nino: read('nino', parseNino),
    company_number: read('company_number', parseCompanyNumber),
    paye_reference: read('paye_reference', parseEmployerPayeReference),
  };
  const name = read('name', parseText('name'));
  if (rawValues.name === undefined) problems.push({ field: 'name', problem: 'Enter the client’s name.' });
  const kind = rawValues.kind === undefined ? guessKind(rawValues.name ?? '', references) : read('kind', parseKind);
  if (kind === undefined) problems.push({ field: 'kind', problem: `Enter the client type: ${KIND_LIST}.` });
  const rest = {
    accounts_office_reference: read('accounts_office_reference', parseAccountsOfficeReference),
    postcode: read('postcode', parsePostcode),
    vat_registered_on: read('vat_registered_on', parseDay),
    year_end_on: read('year_end', parseDay),
    email: read('email', parseEmail),
    phone: read('phone', parseSingleLine),
    client_code: read('client_code', parseText('code')),
  };
  const taxes = rawValues.taxes === undefined ? guessTaxes(kind ?? undefined, references) : read('taxes', parseTaxes);
  if (problems.length > 0 || name === null || !kind || taxes === null) return { rawValues, client: null, problems };
  return { rawValues, client: { name, kind, taxes, ...references, ...rest }, problems };
}

function readCells(cells: readonly string[], positions: ImportPositions): Partial<Record<ImportColumn, string>> {
  const rawValues: Partial<Record<ImportColumn, string>> = {};
  for (const column of IMPORT_COLUMNS) {
    const index = positions[column];
    const text = index === undefined ? '' : (cells[index] ?? '').trim();
    // Drop what we cannot store (NUL, half a surrogate pair) and what exceeds the length limit anyway.
    if (text !== '')
      rawValues[column] = text
        .slice(0, MAX_CHARACTERS + 1)
        .toWellFormed()
        .replaceAll('\0', '\uFFFD');
  }
  return rawValues;
}

function toVrnText(result: Parsed<{ readonly vrn: string }>): Parsed<string> {
  return result.ok ? parsed(result.value.vrn) : result;
}

function parseSingleLine(text: string): Parsed<string> {
  return /\p{Cc}/u.test(text) ? rejected('Enter this on one line.') : parsed(text.replaceAll(/\s+/g, ' '));
}

/** Reject names and codes that a spreadsheet would run as a formula, because exports contain them (OWASP, CSV injection). */
function parseText(what: 'name' | 'code'): (text: string) => Parsed<string> {
  return (text) => (/^[=@]/.test(text) ? rejected(`This starts like a formula. Enter the ${what} itself.`) : parseSingleLine(text));
}

function parseDay(text: string): Parsed<PlainDate> {
  const date = parseBooksDate(text);
  return date === undefined ? rejected('Enter the date as 2026-03-31 or 31/03/2026.') : parsed(date);
}

/** A UK postcode, with a space before its last three characters. Source: the known-facts pattern of HMRC's agent-authorisation-api. */
export function parsePostcode(text: string): Parsed<string> {
  const normalised = text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '');
  if (!/^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|BFPO\d{1,5})$/.test(normalised))
    return rejected('This isn’t a UK postcode. A UK postcode looks like LS1 4DY.');
  return parsed(normalised.startsWith('BFPO') ? normalised.replace('BFPO', 'BFPO ') : `${normalised.slice(0, -3)} ${normalised.slice(-3)}`);
}

function parseEmail(text: string): Parsed<string> {
  return /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(text) ? parsed(text.toLowerCase()) : rejected('This isn’t an email address.');
}

const KIND_LIST = 'company, llp, partnership, sole_trader, individual, trust or charity';

const KIND_BY_NAME: Readonly<Record<string, ClientKind>> = {
  company: 'company',
  limitedcompany: 'company',
  ltd: 'company',
  limited: 'company',
  plc: 'company',
  privatelimitedcompany: 'company',
  cic: 'company',
  llp: 'llp',
  limitedliabilitypartnership: 'llp',
  partnership: 'partnership',
  soletrader: 'sole_trader',
  selfemployed: 'sole_trader',
  individual: 'individual',
  person: 'individual',
  landlord: 'individual',
  trust: 'trust',
  charity: 'charity',
};

function parseKind(text: string): Parsed<ClientKind> {
  const kind = KIND_BY_NAME[text.toLowerCase().replaceAll(/[^a-z]+/g, '')];
  return kind === undefined ? rejected(`Use one of ${KIND_LIST}.`) : parsed(kind);
}

type References = Readonly<Record<ClientReference, string | null>>;

/** Infers the kind of a row without one, if possible. LLP numbers begin with OC, SO or NC (Companies House URI customer guide). */
function guessKind(name: string, { company_number: number, nino, vrn }: References): ClientKind | undefined {
  if (number !== null) return /^(?:OC|SO|NC)/.test(number) ? 'llp' : 'company';
  if (/\bllp$/i.test(name)) return 'llp';
  if (/\b(?:ltd|limited|plc)\.?$/i.test(name)) return 'company';
  if (nino !== null) return vrn === null ? 'individual' : 'sole_trader';
  return undefined;
}

function guessTaxes(kind: ClientKind | undefined, references: References): readonly Tax[] {
  const isLikely: Readonly<Record<Tax, boolean>> = {
    vat: references.vrn !== null,
    paye: references.paye_reference !== null,
    ct: kind === 'company' || (kind === 'charity' && references.company_number !== null),
    sa: kind !== undefined && kind !== 'company' && kind !== 'charity' && (references.utr !== null || references.nino !== null),
  };
  return TAXES.filter((tax) => isLikely[tax]);
}

const TAX_BY_NAME: Readonly<Record<string, Tax>> = {
  vat: 'vat',
  paye: 'paye',
  payroll: 'paye',
  ct: 'ct',
  corporationtax: 'ct',
  sa: 'sa',
  selfassessment: 'sa',
};

/** "VAT, PAYE; CT" in any order and with any separators. */
function parseTaxes(text: string): Parsed<readonly Tax[]> {
  const joined = text
    .toLowerCase()
    .replaceAll(/corporation\s+tax/g, 'corporationtax')
    .replaceAll(/self[\s-]+assessment/g, 'selfassessment');
  const words = joined.split(/[\s,;/|+&]+/).filter((word) => word !== '' && word !== 'and');
  const unknown = words.find((word) => TAX_BY_NAME[word] === undefined);
  if (unknown !== undefined) return rejected('Enter the taxes as VAT, PAYE, CT or SA, separated by commas or spaces.');
  return parsed(TAXES.filter((tax) => words.some((word) => TAX_BY_NAME[word] === tax)));
}
