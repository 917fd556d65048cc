/** Validates the values of one row of a client import. Returns a client, and a problem for each unreadable detail. */
import type { Pence } from '../money.ts';
import { createRejection, type Parsed, parsed } from '../parsed.ts';
import type { PlainDate } from '../plain-date.ts';
import { parseAccountsOfficeReference } from '../uk-tax/references/accounts-office-reference.ts';
import { parseCompanyNumber } from '../uk-tax/references/company-number.ts';
import { parseEmployerPayeReference } from '../uk-tax/references/employer-paye-reference.ts';
import { TAXES, type Tax } from '../uk-tax/tax.ts';
import { parseNino } from '../uk-tax/references/nino.ts';
import { parseUtr } from '../uk-tax/references/utr.ts';
import { parseNineDigitVrn } from '../uk-tax/references/vrn.ts';
import { parseImportedStatus } from './client-status-text.ts';
import { CLIENT_KINDS_TEXT, inferKind, isBroadKind, isLlpNumber, parseKind } from './client-kind-text.ts';
import { type ImportColumn, SERVICES_PREFIX } from './import-columns.ts';
import type { ClientKind, ImportedClient, ImportedTurnover, RowProblem, ClientReference } from './imported-client.ts';
import { MAX_CHARACTERS, type RawValues } from './map-cells.ts';
import { parseTurnover, parseTurnoverDate, TURNOVER_DATE_REASON } from './turnover-text.ts';
import { parseVatGroupRole } from './vat-group-text.ts';
import type { VatGroupRole } from '../clients/vat-group.ts';
import { parseDateInAnyFormat, parseYearEnd } from './parse-loose-date.ts';

/**
 * `client` is null only if there's no usable name. Otherwise it has every readable detail, and `problems` lists the omitted ones. A form
 * accepts a client only if there are no problems.
 */
export type ParsedImportRow = {
  readonly rawValues: RawValues;
  readonly client: ImportedClient | null;
  readonly problems: readonly RowProblem[];
};

/**
 * Validates a row's values by column, and reports all problems together. `today` supplies the year if a year end lacks one. A stored row is
 * validated again before it is imported.
 */
export function validateImportRow(rawValues: RawValues, today?: PlainDate): ParsedImportRow {
  const problems: RowProblem[] = [];
  const read = <Value>(column: ImportColumn, parse: (text: string) => Parsed<Value>): Value | null => {
    const cellText = rawValues[column];
    if (cellText === undefined) return null;
    const result = cellText.length > MAX_CHARACTERS ? createRejection(`Use at most ${MAX_CHARACTERS} characters.`) : parse(cellText);
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
  const name = read('name', createTextParser('name'));
  if (rawValues.name === undefined) problems.push({ field: 'name', problem: 'Enter the client’s name.' });
  const statedKind = read('kind', parseKind) ?? undefined;
  const guessedKind = inferKind(rawValues.name ?? '', { ...references, nino: statedKind === undefined ? references.nino : null });
  const isNonCompany = references.company_number === null ? isBroadKind(rawValues.kind) : isLlpNumber(references.company_number);
  const clientType = statedKind === 'company' && isNonCompany ? (guessedKind ?? statedKind) : (statedKind ?? guessedKind);
  const kind = clientType ?? toDefaultKind(references);
  if (clientType === undefined && !problems.some(({ field }) => field === 'kind'))
    problems.push({ field: 'kind', problem: `Enter the client type: ${CLIENT_KINDS_TEXT}. Until you do, we’ll use ${kind}.` });
  const rest = {
    accounts_office_reference: read('accounts_office_reference', parseAccountsOfficeReference),
    postcode: read('postcode', parsePostcodeInText),
    vat_registered_on: read('vat_registered_on', (text) =>
      toDay(parseDateInAnyFormat(text), 'Enter the date as 2026-03-31 or 31/03/2026.'),
    ),
    year_end_on: read('year_end', (text) => toDay(parseYearEnd(text, today), 'Enter the date as 2026-03-31 or 31/03/2026.')),
    email: read('email', parseEmail),
    phone: read('phone', parseSingleLine),
    client_code: read('client_code', createTextParser('code')),
    status: read('status', parseImportedStatus),
  };
  const turnover = readTurnover(read('taxable_turnover', parseTurnover), rawValues.turnover_to, today, problems);
  const group = readVatGroup(read('vat_group', parseVatGroupRole), references.vrn, problems);
  const readTaxes = read('taxes', parseTaxes);
  // A practice's services don't cover every tax: the client must file the others too, and hiding a deadline means it could be missed.
  const isComplete = readTaxes !== undefined && readTaxes !== null && rawValues.taxes?.startsWith(SERVICES_PREFIX) !== true;
  const impliedTaxes = isComplete ? [] : inferTaxes(kind, references, rawValues);
  const taxes = TAXES.filter((tax) => {
    if (tax === 'vat' && group.vat_group_role !== null) return group.vat_group_role === 'representative';
    return impliedTaxes.includes(tax) || readTaxes?.includes(tax) === true;
  });
  return { rawValues, client: name === null ? null : { name, kind, taxes, ...references, ...rest, turnover, ...group }, problems };
}

/** A day without turnover isn't a problem: a file may have the same day in each row. */
function readTurnover(
  amount: Pence | null,
  endText: string | undefined,
  today: PlainDate | undefined,
  problems: RowProblem[],
): ImportedTurnover | null {
  if (amount === null) return null;
  const end = endText === undefined ? createRejection(TURNOVER_DATE_REASON) : parseTurnoverDate(endText, today);
  if (end.ok) return { turnover_pence: amount, end_on: end.value };
  problems.push({ field: 'turnover_to', problem: end.reason });
  return null;
}

type VatGroupFacts = Pick<ImportedClient, 'vat_group_role' | 'vat_group_vrn'> & Partial<Pick<ImportedClient, 'vrn'>>;

/** A member's VAT number is its group's. The representative member needs it, because the group's VAT counts there. */
function readVatGroup(role: VatGroupRole | null, vrn: string | null, problems: RowProblem[]): VatGroupFacts {
  if (role === 'member') return { vat_group_role: role, vat_group_vrn: vrn, vrn: null };
  if (role === 'representative' && vrn === null) {
    problems.push({ field: 'vat_group', problem: 'A representative member has its group’s VAT number. Enter the VAT number too.' });
    return { vat_group_role: null, vat_group_vrn: null };
  }
  return { vat_group_role: role, vat_group_vrn: null };
}

/** Returns the default type of a client without a type, company number or National Insurance number in the file. */
function toDefaultKind({ vrn, paye_reference: paye }: References): ClientKind {
  return vrn === null && paye === null ? 'individual' : 'sole_trader';
}

function toVrnText(result: Parsed<{ readonly vrn: string }>): Parsed<string> {
  return result.ok ? parsed(result.value.vrn) : result;
}

function parseSingleLine(text: string): Parsed<string> {
  return /\p{Cc}/u.test(text) ? createRejection('Enter this on one line.') : parsed(text.replaceAll(/\s+/g, ' '));
}

/** Rejects names and codes that a spreadsheet would run as a formula, because exports contain them (OWASP, CSV injection). */
function createTextParser(fieldName: 'name' | 'code'): (text: string) => Parsed<string> {
  return (text) =>
    /^[=@]/.test(text) ? createRejection(`This starts like a formula. Enter the ${fieldName} itself.`) : parseSingleLine(text);
}

function toDay(date: PlainDate | undefined, reason: string): Parsed<PlainDate> {
  return date === undefined ? createRejection(reason) : parsed(date);
}

/** Parses a postcode, or a postal address that ends with one. */
function parsePostcodeInText(text: string): Parsed<string> {
  const [, last] =
    /(?:^|[\s,])([A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})\W*(?:(?:united kingdom|uk|england|scotland|wales)\W*)?$/i.exec(text) ?? [];
  return parsePostcode(last ?? text);
}

/**
 * Parses a UK postcode, with a space before its last three characters. Source: the known-facts pattern of HMRC's agent-authorisation-api.
 */
export function parsePostcode(text: string): Parsed<string> {
  const normalised = text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '');
  if (!/^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|BFPO\d{1,5})$/.test(normalised))
    return createRejection('This isn’t a UK postcode. Enter one such as LS1 4DY.');
  return parsed(normalised.startsWith('BFPO') ? normalised.replace('BFPO', 'BFPO ') : `${normalised.slice(0, -3)} ${normalised.slice(-3)}`);
}

function parseEmail(text: string): Parsed<string> {
  return /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(text)
    ? parsed(text.toLowerCase())
    : createRejection('This isn’t an email address. Enter one such as name@example.com.');
}

type References = Readonly<Record<ClientReference, string | null>>;

/** Infers the taxes for a client of this kind with these references. A mistyped VAT number or PAYE reference still indicates the tax. */
function inferTaxes(kind: ClientKind, references: References, rawValues: RawValues): readonly Tax[] {
  const isLikely: Readonly<Record<Tax, boolean>> = {
    vat: rawValues.vrn !== undefined,
    paye: rawValues.paye_reference !== undefined,
    ct: kind === 'company' || (kind === 'charity' && references.company_number !== null),
    sa: kind !== 'company' && kind !== 'charity' && (references.utr !== null || references.nino !== null),
  };
  return TAXES.filter((tax) => isLikely[tax]);
}

const TAX_WORDS: Readonly<Record<Tax, RegExp>> = {
  vat: /\bvat\b/,
  paye: /\b(?:paye|payroll|rti)\b/,
  ct: /\b(?:ct|ct600|corp(?:oration|orate)?\s+tax(?:es)?)\b/,
  sa: /\b(?:sa|sa100|sa800|self[\s-]+assessments?|(?:personal|partnership)\s+tax(?:es)?)\b/,
};

/** A practice's services that don't concern a tax. */
const OTHER_SERVICES = /\b(?:accounts|accounting|bookkeeping|secretarial|confirmation statement|advisory|pensions?|software|p11d|cis)\b/;

/**
 * Parses "VAT, PAYE; CT" in any order and with any separators, including within a list of services such as "Bookkeeping, VAT returns".
 * Undefined if no service names a tax.
 */
function parseTaxes(text: string): Parsed<readonly Tax[] | undefined> {
  const foundTaxes = TAXES.filter((tax) => TAX_WORDS[tax].test(text.toLowerCase()));
  if (foundTaxes.length === 0 && OTHER_SERVICES.test(text.toLowerCase())) return parsed(undefined);
  return foundTaxes.length > 0 || text.trim() === ''
    ? parsed(foundTaxes)
    : createRejection('Enter the taxes as VAT, PAYE, CT or SA. We’ve worked them out from the other details.');
}
