/** Reads the input file of `npm run positions` and returns the client's taxes and the facts about each. */
import type { Instant } from '@portal/domain/clock.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '@portal/domain/client-imports/import-columns.ts';
import type { ImportedClient } from '@portal/domain/client-imports/imported-client.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import type { TaxFacts } from '@portal/domain/positions/tax-facts.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { getAccountsStart, getYearEnd, toProfile } from '@portal/providers/companies-house/companies-house-map.ts';
import type { CompanyProfile } from '@portal/providers/companies-house/companies-house-port.ts';
import { faultWire, profileWire } from '@portal/providers/companies-house/companies-house-wire.ts';
import { InputError, isObject, readCell, readMembers, toPath, type InputProblem } from './input-problems.ts';
import { HMRC_KEYS, readSelfAssessmentFacts, readVatFacts, type HmrcKey } from './read-hmrc.ts';
import { readStatementFacts } from './read-statement.ts';

/** A client's taxes, with the known facts about each. `hasRegisterYearEnd`: the year end comes from Companies House. */
export type PositionsInput = {
  readonly taxes: readonly { readonly tax: Tax; readonly facts: TaxFacts }[];
  readonly hasRegisterYearEnd: boolean;
};

const INPUT_KEYS = ['client', 'hmrc', 'statements', 'companies_house'] as const;
const STATEMENT_KEYS = ['paye', 'ct'] as const;

/** Throws an InputError that lists everything rejected in the file. `readAt` is when its responses count as read. */
export function readInput(content: unknown, readAt: Instant): PositionsInput {
  const problems: InputProblem[] = [];
  if (!isObject(content)) throw new InputError([{ field: 'FILE', problem: `Enter an object with ${INPUT_KEYS.join(', ')}.` }]);
  const unknownKeys = Object.keys(content).filter((key) => !INPUT_KEYS.some((known) => known === key));
  for (const field of unknownKeys) problems.push({ field, problem: `This key isn’t known. Use ${INPUT_KEYS.join(', ')}.` });
  const client = readClient(content['client'], problems);
  const hmrc = readMembers(content['hmrc'], 'hmrc', HMRC_KEYS, problems) ?? {};
  const statements = readMembers(content['statements'], 'statements', STATEMENT_KEYS, problems) ?? {};
  const profile = readProfile(content['companies_house'], client, readAt, problems);
  if (client === undefined) throw new InputError(problems);
  rejectOtherTaxes(client, hmrc, statements, problems);
  const registerYearEnd = profile && getYearEnd(profile);
  const readers: Readonly<Record<Tax, () => TaxFacts>> = {
    vat: () => readVatFacts(hmrc, readAt, problems),
    paye: () => readStatementFacts('paye', statements.paye, client, readAt, problems),
    ct: () => ({
      ...readStatementFacts('ct', statements.ct, client, readAt, problems),
      ...getYearEndFacts(client, profile),
    }),
    sa: () => readSelfAssessmentFacts(hmrc, readAt, problems),
  };
  const taxes = client.taxes.map((tax) => ({ tax, facts: readers[tax]() }));
  if (problems.length > 0) throw new InputError(problems);
  return { taxes, hasRegisterYearEnd: registerYearEnd !== undefined };
}

/** Reads the client, using the keys of the import template. `taxes` may also be a list. */
function readClient(value: unknown, problems: InputProblem[]): ImportedClient | undefined {
  const members = readMembers(value, 'client', IMPORT_COLUMNS, problems);
  if (members === undefined) {
    if (!problems.some(({ field }) => field === 'client')) problems.push({ field: 'client', problem: 'Enter the client.' });
    return undefined;
  }
  const rawCells: Partial<Record<ImportColumn, string>> = {};
  for (const column of IMPORT_COLUMNS) {
    const member = members[column];
    const memberText = column === 'taxes' && Array.isArray(member) ? member.map(String).join(' ') : member;
    const cell = readCell(memberText, toPath('client', [column]), problems);
    if (cell !== undefined) rawCells[column] = cell;
  }
  // An import finds the taxes in a list of services. Here, an unknown word would go unnoticed.
  if (rawCells.taxes !== undefined && !ONLY_TAXES.test(rawCells.taxes))
    problems.push({ field: 'client.taxes', problem: 'Enter the taxes as VAT, PAYE, CT or SA, with commas between them.' });
  const { client, problems: rowProblems } = validateImportRow(rawCells);
  for (const { field, problem } of rowProblems) problems.push({ field: `client.${field}`, problem });
  return client ?? undefined;
}

const ONLY_TAXES = /^[\s,;/|&]*(?:(?:vat|paye|ct|corporation tax|sa|self[ -]assessment)(?:[\s,;/|&]+|$))*$/i;

/** Companies House's year end takes precedence over the practice's, as it does on the screens. */
function getYearEndFacts(client: ImportedClient, profile: CompanyProfile | undefined): Pick<TaxFacts, 'yearEndOn' | 'accountsFrom'> {
  const yearEndOn = (profile && getYearEnd(profile)) ?? client.year_end_on ?? undefined;
  const accountsFrom = profile && getAccountsStart(profile);
  return { ...(yearEndOn === undefined ? {} : { yearEndOn }), ...(accountsFrom === undefined ? {} : { accountsFrom }) };
}

/** Reads the register's response. If it omits the name, number or type, the client's are used, because only the dates matter here. */
function readProfile(
  responseBody: unknown,
  client: ImportedClient | undefined,
  readAt: Instant,
  problems: InputProblem[],
): CompanyProfile | undefined {
  const field = 'companies_house';
  if (responseBody === undefined || responseBody === null) return undefined;
  if (!isObject(responseBody)) {
    problems.push({ field, problem: 'Enter the register’s answer, an object.' });
    return undefined;
  }
  // "company-profile-not-found": the company isn't in the register.
  if (Object.keys(responseBody).length === 0 || faultWire.safeParse(responseBody).success) return undefined;
  const defaults = { company_name: client?.name ?? '', company_number: client?.company_number ?? '', type: 'unknown' };
  const parsed = profileWire.safeParse({ ...defaults, ...responseBody });
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) problems.push({ field: toPath(field, path), problem: `${message}.` });
    return undefined;
  }
  const profile = toProfile(parsed.data, readAt);
  if (client?.company_number && profile.companyNumber !== client.company_number) {
    problems.push({ field: `${field}.company_number`, problem: `This isn’t the client’s company number, ${client.company_number}.` });
  }
  return profile;
}

const TAX_BY_RESPONSE: Readonly<Record<HmrcKey, Tax>> = {
  vat_obligations: 'vat',
  vat_liabilities: 'vat',
  vat_payments: 'vat',
  vat_penalties: 'vat',
  itsa_obligations: 'sa',
  itsa_final_declaration: 'sa',
  sa_balance_and_transactions: 'sa',
};

/** Figures for a tax that the client doesn't have would be missing from its totals. */
function rejectOtherTaxes(
  client: ImportedClient,
  hmrc: Partial<Record<HmrcKey, unknown>>,
  statements: Partial<Record<'paye' | 'ct', unknown>>,
  problems: InputProblem[],
): void {
  const givenFields = [
    ...HMRC_KEYS.filter((key) => hmrc[key] !== undefined).map((key) => ({ field: `hmrc.${key}`, tax: TAX_BY_RESPONSE[key] })),
    ...STATEMENT_KEYS.filter((tax) => statements[tax] !== undefined).map((tax) => ({ field: `statements.${tax}`, tax })),
  ];
  for (const { field, tax } of givenFields) {
    if (!client.taxes.includes(tax))
      problems.push({ field, problem: `The client doesn’t have this tax. Add ${tax.toUpperCase()} to client.taxes.` });
  }
}
