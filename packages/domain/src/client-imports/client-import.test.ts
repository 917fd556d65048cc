import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { formatImportTemplate, REASON_HEADING, type ColumnMapping } from './import-columns.ts';
import type { ImportedClient } from './imported-client.ts';
import { mapCells } from './map-cells.ts';
import { createMatcher, listSharedReferences, type KnownClient } from './match-clients.ts';
import { omitSharedReferences } from './shared-references.ts';
import { validateImportRow } from './parse-import-row.ts';
import { parseDateInAnyFormat, parseYearEnd } from './parse-loose-date.ts';
import { CLIENT_COLUMNS } from './recognise-columns.ts';
import { findHeaderRow, rememberTargets, suggestTargets } from '../tables/recognise-columns.ts';

const TODAY = plainDate('2026-11-21');

const suggestMapping = (headings: readonly string[], samples: readonly (readonly string[])[], rememberedColumns = {}) =>
  suggestTargets(headings, samples, CLIENT_COLUMNS, rememberedColumns);
const suggestColumns = (line: string, rememberedColumns = {}) => suggestMapping(line.split(','), [], rememberedColumns);

/** Reads a row below the given headings, using the suggested columns. */
function parseRow(row: Readonly<Record<string, string>>) {
  const { columns } = suggestMapping(Object.keys(row), []);
  return validateImportRow(mapCells(Object.values(row), columns) ?? {}, TODAY);
}

function parseClient(row: Readonly<Record<string, string>>): ImportedClient {
  const { client, problems } = parseRow(row);
  if (!client) throw new Error(JSON.stringify(problems));
  return client;
}

describe('columns of a client file', () => {
  it('are recognised in any order and under other products’ names; the rest are left to the user', () => {
    const headings = ['Client Name', 'VAT No.', 'Partner in charge', 'Post Code', 'National Insurance Number'];
    const columns = ['name', 'vrn', null, 'postcode', 'nino'];
    expect(suggestMapping(headings, [[], [], ['PO'], [], []])).toEqual({ columns, isSettled: false });
    expect(suggestMapping(headings, [])).toEqual({ columns, isSettled: true });
  });

  it.each([
    ['Account Name,Account Type,Main Contact Email', ['name', 'kind', 'email']],
    ['Client Name,Employer PAYE Ref,Personal UTR Number,Year End', ['name', 'paye_reference', 'personal_utr', 'year_end']],
    ['Client name,Company details: Company number,VAT details: VAT number', ['name', 'company_number', 'vrn']],
    ['First Name,Surname,SA UTR,NI No', ['first_name', 'last_name', 'personal_utr', 'nino']],
    ['Trading Name,UTR', ['name', 'utr']],
    ['Company Name,Trading Name,Contact: Name', ['name', null, null]],
    ['Client name,Company details: UTR,Partnership details: UTR,Contact 1: UTR', ['name', 'company_utr', 'company_utr', 'personal_utr']],
    ['Client name,Client state,VAT details: Status,Company status', ['name', 'status', null, null]],
    ['Client name,Account status,Is active,Archived', ['name', 'status', 'status', 'is_archived']],
    ['Client name,Contact 2: Email,Spouse UTR,Secondary contact: NI number', ['name', null, null, null]],
  ])('of “%s” are %j', (line, columns) => {
    expect(suggestColumns(line).columns).toEqual(columns);
  });

  it('are settled only with a name, and without two columns of one reference', () => {
    expect(suggestColumns('name,vrn').isSettled).toBe(true);
    expect(suggestColumns('vrn,postcode').isSettled).toBe(false);
    expect(suggestColumns('name,VAT number,vrn').isSettled).toBe(false);
    expect(suggestColumns('name,email,Main contact email').isSettled).toBe(true);
    // Columns that OpenTax doesn't use needn't be reviewed, whatever they contain.
    const isAsked = (heading: string) => !suggestMapping(['name', heading], [['Reed Ltd'], ['Some value']]).isSettled;
    expect(['Tags', 'Client manager', 'Main address: Town', 'Trading as', 'VAT scheme', 'Last login'].filter(isAsked)).toEqual([]);
    expect(isAsked('Legacy ref')).toBe(true);
  });

  it('that only say yes or no contain no number', () => {
    expect(suggestMapping(['Name', 'VAT', 'Newsletter'], [['Reed'], ['Yes', 'No'], ['Y']])).toEqual({
      columns: ['name', null, null],
      isSettled: true,
    });
    expect(suggestMapping(['Name', 'VAT'], [['Reed'], ['980780684']]).columns).toEqual(['name', 'vrn']);
  });

  it('are remembered as a user chose them, including those that are not imported', () => {
    const rememberedColumns = rememberTargets({}, ['Klant', 'Relationship manager'], ['name', null]);
    expect(suggestColumns('KLANT,Relationship  Manager', rememberedColumns)).toEqual({ columns: ['name', null], isSettled: true });
  });

  it('of rejected rows are recognised without the reason', () => {
    expect(suggestColumns(`name,vrn,${REASON_HEADING}`)).toEqual({ columns: ['name', 'vrn', null], isSettled: true });
  });

  it('are found below the title lines of a report', () => {
    expect(findHeaderRow([['Clients of Oakline'], ['', ''], ['Client', 'VAT number'], ['Reed Ltd', '980780684']], CLIENT_COLUMNS, {})).toBe(
      2,
    );
    expect(findHeaderRow([['Report'], ['Klant', 'Nummer', 'Adres'], ['Reed Ltd', '1', 'Leeds']], CLIENT_COLUMNS, {})).toBe(1);
  });

  it('of the template and its rows have no problem', () => {
    const [header = '', ...lines] = formatImportTemplate().trim().split('\r\n');
    const { columns, isSettled } = suggestColumns(header);
    expect(isSettled).toBe(true);
    expect(lines.map((line) => validateImportRow(mapCells(line.split(','), columns) ?? {}).problems)).toEqual([[], []]);
  });
});

describe('dates', () => {
  it.each([
    ['2026-03-31', '2026-03-31'],
    ['31/03/2026', '2026-03-31'],
    ['31/3/26', '2026-03-31'],
    ['31.03.2026', '2026-03-31'],
    ['31 March 2026', '2026-03-31'],
    ['31st of March 2026', '2026-03-31'],
    ['31-Mar-26', '2026-03-31'],
    ['Tuesday, 31 March 2026', '2026-03-31'],
    ['March 31, 2026', '2026-03-31'],
    ['2026-03-31T00:00:00', '2026-03-31'],
    ['31/03/2026 00:00', '2026-03-31'],
    ['46112', '2026-03-31'],
    // Only day-first dates are accepted; otherwise the other dates in such a file would be misread.
    ['03/31/2026', undefined],
    ['31/02/2026', undefined],
    ['31/03', undefined],
    ['soon', undefined],
  ])('“%s” is %s', (text, date) => {
    expect(parseDateInAnyFormat(text)).toBe(date);
  });

  it.each([
    ['31/03', '2026-03-31'],
    ['31 March', '2026-03-31'],
    ['31-Mar', '2026-03-31'],
    ['Mar-31', '2026-03-31'],
    ['March', '2026-03-31'],
    ['March 2025', '2025-03-31'],
    ['31 December', '2025-12-31'],
    ['21/11', '2026-11-21'],
    ['22/11', '2025-11-22'],
    ['29 February', '2026-02-28'],
    ['5 April', '2026-04-05'],
    // How Excel displays March 2026.
    ['Mar-26', undefined],
    ['31/13', undefined],
  ])('the year end “%s” is %s, the latest one on 21 November 2026', (text, date) => {
    expect(parseYearEnd(text, TODAY)).toBe(date);
  });
});

describe('a row of a client file', () => {
  it('normalises references however they were written', () => {
    const rawValues = {
      name: ' Harlow   Joinery Ltd ',
      vat: 'GB 980 7806 84',
      utr: '22345 67890',
      company_number: '445790',
      paye: '123 / ab456',
      postcode: 'ls14dy',
      email: 'Carl@Harlow.EXAMPLE',
    };
    expect(parseClient(rawValues)).toMatchObject({
      name: 'Harlow Joinery Ltd',
      kind: 'company',
      taxes: ['vat', 'paye', 'ct'],
      vrn: '980780684',
      utr: '2234567890',
      company_number: '00445790',
      paye_reference: '123/AB456',
      postcode: 'LS1 4DY',
      email: 'carl@harlow.example',
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['a number of a company', { name: 'X', company_number: '09482716' }, 'company'],
    ['a number of an LLP', { name: 'X', company_number: 'OC301234' }, 'llp'],
    ['a name that ends so', { name: 'Reed & Sons LLP' }, 'llp'],
    ['a name that ends in Limited', { name: 'Reed Limited' }, 'company'],
    ['a national insurance number', { name: 'Ann Reed', nino: 'AB123456C' }, 'individual'],
    ['a national insurance number beside a VAT number', { name: 'Ann Reed', nino: 'AB123456C', vrn: '980780684' }, 'sole_trader'],
  ])('infers the kind from %s', (_method, rawValues, kind) => {
    expect(parseClient(rawValues).kind).toBe(kind);
  });

  it.each([
    ['VAT, PAYE', ['vat', 'paye']],
    ['Self Assessment / payroll', ['paye', 'sa']],
    ['corporation tax and VAT', ['vat', 'ct']],
  ])('reads taxes from "%s"', (taxes, expected) => {
    expect(parseClient({ name: 'Reed Ltd', taxes }).taxes).toEqual(expected);
  });

  it.each([
    ['Moss & Fern LLP', {}, 'llp'],
    ['The Quayside Partnership', {}, 'partnership'],
    ['Reed Family Trust', { company_number: '00445790' }, 'company'],
    ['Reed & Sons', {}, 'company'],
  ])('of a product that knows only people and companies: “%s” %j is a client of the kind %s', (name, references, kind) => {
    expect(parseClient({ name, type: 'Company', ...references }).kind).toBe(kind);
  });

  it.each([
    ['Annual accounts, Bookkeeping', ['vat', 'ct'], []],
    ['Annual accounts, VAT returns', ['vat', 'ct'], []],
    ['VAT', ['vat', 'ct'], []],
    ['Payroll', ['vat', 'paye', 'ct'], []],
    ['Partnership tax return', ['vat', 'ct', 'sa'], []],
    ['IHT', ['vat', 'ct'], ['taxes']],
  ])('with the services “%s” has the taxes %j', (services, taxes, problems) => {
    const row = parseRow({ name: 'Reed Ltd', vrn: '980780684', services });
    expect([row.client?.taxes, row.problems.map(({ field }) => field)]).toEqual([taxes, problems]);
  });

  it('has the taxes that an individual files besides those of its services', () => {
    expect(parseClient({ name: 'Ann Reed', nino: 'AB123456C', services: 'Payroll' }).taxes).toEqual(['paye', 'sa']);
  });

  it('has exactly the taxes of a taxes column, because that is what the practice looks after', () => {
    expect(parseClient({ name: 'Reed Ltd', vrn: '980780684', taxes: 'PAYE' }).taxes).toEqual(['paye']);
    expect(parseClient({ name: 'Reed Ltd', services: 'VAT returns', taxes: 'PAYE' }).taxes).toEqual(['paye']);
  });

  it('keeps its services as services when its row is downloaded and uploaded again', () => {
    const { columns } = suggestMapping(['name', 'services'], []);
    const rawValues = mapCells(['Reed Ltd', 'VAT'], columns) ?? {};
    const sameMapping = suggestMapping(Object.keys(rawValues), []).columns;
    expect(validateImportRow(mapCells(Object.values(rawValues), sameMapping) ?? {}, TODAY).client?.taxes).toEqual(['vat', 'ct']);
  });

  it('is imported without the details that can’t be read, and reports them all at once', () => {
    const row = parseRow({
      name: 'Reed',
      kind: 'club',
      vrn: '980780685',
      postcode: 'LEEDS',
      vat_registered_on: '31/02/2020',
      email: 'carl',
      taxes: 'IHT',
    });
    expect(row.client).toMatchObject({ name: 'Reed', vrn: null, postcode: null, email: null });
    // The client has a VAT number, although not this one.
    expect(row.client?.taxes).toEqual(['vat']);
    expect(row.problems.map(({ field }) => field).sort()).toEqual(['email', 'kind', 'postcode', 'taxes', 'vat_registered_on', 'vrn']);
  });

  it('without a name cannot be imported', () => {
    expect(parseRow({ name: '', vrn: '980780684', kind: 'company' })).toMatchObject({ client: null, problems: [{ field: 'name' }] });
  });

  it('gives a company its own UTR and a person theirs', () => {
    const references = { 'Company UTR': '2122334455', 'Personal UTR Number': '2234567890', 'NI number': 'AB123456C' };
    expect(parseClient({ name: 'Reed Ltd', ...references })).toMatchObject({ utr: '2122334455', nino: null });
    expect(parseClient({ name: 'Ann Reed', type: 'Individual', ...references })).toMatchObject({ utr: '2234567890', nino: 'AB123456C' });
    expect(parseClient({ name: 'Reed Ltd', ...references, 'Company UTR': '' })).toMatchObject({ utr: null });
  });

  it.each([
    ['Private Limited Company', 'company'],
    ['Sole Trader', 'sole_trader'],
    ['Limited Liability Partnership', 'llp'],
    ['Person', 'individual'],
    ['UK Limited Company', 'company'],
    ['UkLimitedLiabilityPartnership', 'llp'],
    ['UkSoleTrader', 'sole_trader'],
    ['UkUnincorporatedLandlord', 'individual'],
  ])('of the type “%s” is a client of the kind %s', (type, kind) => {
    expect(parseClient({ name: 'Reed', type }).kind).toBe(kind);
  });

  it('takes the parts of a name, the first of several emails, the postcode of an address, and no placeholders', () => {
    const row = parseRow({
      'First name': 'Ann',
      Surname: 'Reed',
      type: 'Individual',
      Email: 'ann@reed.example; a@b.example',
      Postcode: '1 High Street, Leeds LS1 4DY, UK',
      UTR: 'N/A',
    });
    expect(row.problems).toEqual([]);
    expect(row.client).toMatchObject({ name: 'Ann Reed', email: 'ann@reed.example', postcode: 'LS1 4DY', utr: null });
  });

  it.each(['=HYPERLINK("http://evil.example")', '@SUM(1)'])('rejects the name %s because a spreadsheet would run it', (name) => {
    expect(parseRow({ name, kind: 'company' })?.problems).toEqual([
      { field: 'name', problem: 'This starts like a formula. Enter the name itself.' },
    ]);
  });

  it('replaces characters that cannot be stored', () => {
    const row = parseRow({ kind: 'company', name: `Reed\0\uD800 Ltd ${'x'.repeat(5000)}` });
    expect(row.rawValues.name).toMatch(/^Reed\uFFFD\uFFFD Ltd x+$/);
    expect(row.rawValues.name).toHaveLength(201);
    expect(row.problems).toEqual([{ field: 'name', problem: 'Use at most 200 characters.' }]);
  });

  it('skips an empty row', () => {
    expect(mapCells(['', '  '], ['name', 'vrn'])).toBeUndefined();
  });

  it.each<[Record<string, string>, string]>([
    [{ name: 'Reed' }, 'individual'],
    [{ name: 'Reed', vrn: '980780684' }, 'sole_trader'],
  ])('without any sign of the client type is imported and asks for it: %j', (row, kind) => {
    expect(parseRow(row)).toMatchObject({ client: { kind }, problems: [{ field: 'kind' }] });
  });
});

const emptyClient = {
  vrn: null,
  utr: null,
  nino: null,
  company_number: null,
  paye_reference: null,
  postcode: null,
  vat_group_vrn: null,
  isRepresentative: false,
};
const harlow: KnownClient = {
  ...emptyClient,
  id: 'harlow',
  name: 'Harlow Joinery Ltd',
  vrn: '980780684',
  company_number: '00445790',
  postcode: 'LS1 4DY',
};
const reed: KnownClient = { ...emptyClient, id: 'reed', name: 'Reed Ltd', utr: '2234567890' };

describe('matching imported clients', () => {
  const findMatch = (rawValues: Readonly<Record<string, string>>) => createMatcher([harlow, reed])(parseClient(rawValues), 2);

  it.each<[string, Record<string, string>, unknown]>([
    ['a reference', { name: 'Other name Ltd', vrn: '980780684' }, { outcome: 'matched', clientId: 'harlow', by: ['vrn'] }],
    [
      'several references',
      { name: 'Other name Ltd', vrn: '980780684', company_number: '445790' },
      { outcome: 'matched', clientId: 'harlow', by: ['vrn', 'company_number'] },
    ],
    [
      'name and postcode, however they are written',
      { name: 'HARLOW JOINERY LIMITED', postcode: 'LS14DY' },
      { outcome: 'matched', clientId: 'harlow', by: ['name_and_postcode'] },
    ],
    ['not by the name alone', { name: 'Harlow Joinery Ltd' }, { outcome: 'new' }],
    ['not by the name at another place', { name: 'Harlow Joinery Ltd', postcode: 'YO1 7HH' }, { outcome: 'new' }],
  ])('finds a client by %s', (_method, rawValues, match) => {
    expect(findMatch(rawValues)).toEqual(match);
  });

  it('never merges two clients into one', () => {
    expect(findMatch({ name: 'X Ltd', vrn: '980780684', utr: '2234567890' })).toMatchObject({
      outcome: 'ambiguous',
      field: 'name',
      candidates: ['harlow', 'reed'],
    });
  });

  it('does not trust a reference that another one contradicts', () => {
    expect(findMatch({ name: 'Harlow Joinery Ltd', vrn: '980780684', company_number: '09482716' })).toMatchObject({
      outcome: 'ambiguous',
      field: 'company_number',
      problem:
        'The VAT number 980780684 matches Harlow Joinery Ltd, but that client’s company number is 00445790, not 09482716. Is it the same client?',
      candidates: ['harlow'],
    });
  });

  it.each([
    ['company number', { company_number: '09482716' }],
    ['UTR', { utr: '1234567895' }],
    ['National Insurance number', { nino: 'AB123456C', type: 'individual' }],
  ])('asks about a shared VAT number with another name and a new %s', (_name, newReference) => {
    const knownClient = { ...emptyClient, id: 'group', name: 'Alder Holdings Ltd', vrn: '980780684', paye_reference: '123/AB456' };
    const match = (row: Record<string, string>) => createMatcher([knownClient])(parseClient(row), 2);
    for (const sharedReference of [{ vrn: '980780684' }, { paye_reference: '123/AB456' }])
      expect(match({ name: 'Alder Retail Ltd', ...sharedReference, ...newReference })).toMatchObject({
        outcome: 'ambiguous',
        field: 'name',
        problem: expect.stringMatching(/matches Alder Holdings Ltd, but the name differs.*Is it the same client\?$/u) as string,
        candidates: ['group'],
      });
    // The row's own reference, or its name, shows that it's the same client.
    expect(match({ name: 'Alder Holdings Limited', vrn: '980780684', ...newReference })).toMatchObject({ outcome: 'matched' });
  });

  it('names the reference that matched, not the one that differs', () => {
    expect(findMatch({ name: 'Harlow Joinery Ltd', vrn: '246813551', company_number: '00445790' })).toMatchObject({
      field: 'vrn',
      problem:
        'The company number 00445790 matches Harlow Joinery Ltd, but that client’s VAT number is 980780684, not 246813551. Is it the same client?',
    });
  });

  it('accepts the first of two rows about one taxpayer and points the second to it', () => {
    const match = createMatcher([]);
    expect(match(parseClient({ name: 'New Ltd', vrn: '980780684' }), 2)).toEqual({ outcome: 'new' });
    expect(match(parseClient({ name: 'New Limited', vrn: '980 780 684' }), 7)).toEqual({
      outcome: 'duplicate',
      row: 2,
      field: 'vrn',
      problem: 'Line 2 has the same VAT number.',
    });
  });
});

describe('clients that share a VAT number or PAYE reference', () => {
  const holdingCompanyRow = { name: 'Alder Holdings Ltd', vrn: '980780684', company_number: '09482716' };
  const member = { name: 'Alder Retail Ltd', vrn: '980780684', company_number: '09482717' };

  it('are both new in a file, and the second is to be checked', () => {
    const match = createMatcher([]);
    expect(match(parseClient(holdingCompanyRow), 2)).toEqual({ outcome: 'new' });
    const foundMatch = match(parseClient(member), 3);
    expect(foundMatch).toEqual({
      outcome: 'new',
      shared: [{ field: 'vrn', holder: 'Alder Holdings Ltd (line 2)', isRepresentative: false }],
    });
    const { client, problems } = omitSharedReferences(parseClient(member), listSharedReferences(foundMatch));
    // The representative member files the group's return, so the member has no VAT of its own.
    expect(client).toMatchObject({ vrn: null, company_number: '09482717', taxes: ['ct'] });
    expect(problems).toEqual([
      {
        field: 'vrn',
        problem:
          'Shares its VAT number with Alder Holdings Ltd (line 2), as the members of a VAT group do. The number and VAT stay with that client, so that they’re counted only once. Check that it’s the group’s representative member.',
      },
    ]);
  });

  it('are both new when only their names differ, and share a PAYE reference too', () => {
    const match = createMatcher([]);
    match(parseClient({ name: 'Alder Holdings Ltd', paye_reference: '123/AB456' }), 2);
    const row = parseClient({ name: 'Alder Retail Ltd', paye_reference: '123/AB456' });
    const foundMatch = match(row, 3);
    expect(foundMatch).toMatchObject({ outcome: 'new', shared: [{ field: 'paye_reference' }] });
    expect(omitSharedReferences(row, listSharedReferences(foundMatch)).client).toMatchObject({ paye_reference: null, taxes: ['ct'] });
  });

  it.each<[string, Record<string, string>]>([
    ['the same name', { name: 'ALDER HOLDINGS LIMITED', vrn: '980780684' }],
    ['the same name without its ending', { name: 'Alder Holdings', vrn: '980780684' }],
    ['the same company number', { name: 'Alder Group Ltd', vrn: '980780684', company_number: '09482716' }],
  ])('are duplicates with %s', (_method, row) => {
    const match = createMatcher([]);
    match(parseClient(holdingCompanyRow), 2);
    expect(match(parseClient(row), 3)).toMatchObject({ outcome: 'duplicate', row: 2 });
  });

  it('are found again by their own references when the file is uploaded again', () => {
    const knownClients = [
      { ...emptyClient, id: 'holdings', name: 'Alder Holdings Ltd', vrn: '980780684', company_number: '09482716' },
      { ...emptyClient, id: 'member', name: 'Alder Retail Ltd', company_number: '09482717' },
    ];
    const match = createMatcher(knownClients);
    expect(match(parseClient(holdingCompanyRow), 2)).toMatchObject({ outcome: 'matched', clientId: 'holdings' });
    expect(match(parseClient(member), 3)).toMatchObject({ outcome: 'matched', clientId: 'member', by: ['company_number'] });
  });

  it('don’t match an existing client with another name and another reference', () => {
    const knownClient = { ...emptyClient, id: 'holdings', name: 'Alder Holdings Ltd', vrn: '980780684', company_number: '09482716' };
    expect(createMatcher([knownClient])(parseClient(member), 2)).toEqual({
      outcome: 'new',
      shared: [{ field: 'vrn', holder: 'Alder Holdings Ltd', isRepresentative: false }],
    });
  });

  it('stay two clients when the import resumes after the first was created', () => {
    const first = { ...emptyClient, id: 'holdings', name: 'Alder Holdings Ltd', vrn: '980780684' };
    const row = parseClient({ name: 'Alder Retail Ltd', vrn: '980780684' });
    expect(createMatcher([{ ...first, isFromThisFile: true }])(row, 3)).toMatchObject({ outcome: 'new', shared: [{ field: 'vrn' }] });
    // An existing client may have changed its name since.
    expect(createMatcher([first])(row, 3)).toMatchObject({ outcome: 'matched', clientId: 'holdings' });
  });
});

describe('turnover in a file', () => {
  const today = plainDate('2026-11-10');
  const row = { name: 'Reed Ltd', company_number: '09482716' };
  const read = (values: object) => validateImportRow({ ...row, ...values }, today);
  const OCTOBER = { turnover_pence: 8_450_000, end_on: '2026-10-31' };

  it.each([
    ['84500', '2026-10-31'],
    ['£84,500.00', '31/10/2026'],
    ['84 500 GBP', '31 October'],
    ['84500.00', 'October 2026'],
    ['84500', '46326'],
  ])('is pounds and the last day of the 12 months: %s to %s', (taxable_turnover, turnover_to) => {
    expect(read({ taxable_turnover, turnover_to })).toMatchObject({ client: { turnover: OCTOBER }, problems: [] });
  });

  it('is nil only if the file says 0, and otherwise unknown', () => {
    expect(read({ taxable_turnover: '0', turnover_to: '2026-10-31' }).client?.turnover?.turnover_pence).toBe(0);
    // A file may have the same day in each row.
    expect(read({ turnover_to: '2026-10-31' })).toMatchObject({ client: { turnover: null }, problems: [] });
    expect(mapCells(['Reed', 'nil', '2026-10-31'], ['name', 'taxable_turnover', 'turnover_to'])).not.toHaveProperty('taxable_turnover');
  });

  it.each([
    ['about 84k', '2026-10-31', 'taxable_turnover'],
    ['-1', '2026-10-31', 'taxable_turnover'],
    ['10,000,000,001', '2026-10-31', 'taxable_turnover'],
    ['84500', undefined, 'turnover_to'],
    ['84500', '2026-10-30', 'turnover_to'],
    ['84500', '2026-11-30', 'turnover_to'],
    ['84500', '2026-03-31', 'turnover_to'],
    ['84500', 'last year', 'turnover_to'],
  ])('that can’t be read or used is left out and listed: %s to %s', (taxable_turnover, turnover_to, field) => {
    const values = { taxable_turnover, ...(turnover_to === undefined ? {} : { turnover_to }) };
    expect(read(values)).toMatchObject({ client: { name: 'Reed Ltd', turnover: null }, problems: [{ field }] });
  });

  it('is recognised by a heading that says taxable or 12 months; “Turnover” alone may be that of the accounts', () => {
    const samples = [['Reed'], ['84500'], ['2026-10-31']];
    for (const headings of [
      ['name', 'taxable_turnover', 'turnover_to'],
      ['Client', 'Taxable turnover (£)', 'Turnover to'],
      ['Client', 'Rolling 12 month turnover', '12 months to'],
    ])
      expect(suggestMapping(headings, samples).columns).toEqual(['name', 'taxable_turnover', 'turnover_to']);
    expect(suggestMapping(['Client', 'Turnover'], samples).columns).toEqual(['name', null]);
  });
});

describe('a VAT group in a file', () => {
  const representative = { name: 'Alder Holdings Ltd', vrn: '980780684', company_number: '09482716', vat_group: 'Representative member' };
  const member = { name: 'Alder Retail Ltd', vrn: '980780684', vat_group: 'member' };

  it('gives its number and VAT to the representative member, and neither to a member', () => {
    expect(parseRow(representative)).toMatchObject({
      client: { vrn: '980780684', taxes: ['vat', 'ct'], vat_group_role: 'representative', vat_group_vrn: null },
      problems: [],
    });
    expect(parseRow({ ...member, taxes: 'VAT, CT' })).toMatchObject({
      client: { vrn: null, taxes: ['ct'], vat_group_role: 'member', vat_group_vrn: '980780684' },
      problems: [],
    });
  });

  it.each([
    ['yes', 'Enter representative, member or no.'],
    ['representative', 'A representative member has its group’s VAT number.'],
  ])('keeps the row when it can’t be read: %s', (vat_group, problem) => {
    expect(parseRow({ name: 'Reed Ltd', company_number: '09482716', vat_group })).toMatchObject({
      client: { name: 'Reed Ltd', vat_group_role: null },
      problems: [{ field: 'vat_group', problem: expect.stringContaining(problem) as string }],
    });
  });

  it('may be in a column of roles, of yes and no, or of the groups’ numbers', () => {
    const read = (cells: string[], columns: ColumnMapping) => mapCells(cells, columns);
    expect(read(['Reed', 'Member', '980780684'], ['name', 'vat_group', 'vrn'])).toMatchObject({ vat_group: 'Member', vrn: '980780684' });
    expect(read(['Reed', 'Yes', '980780684'], ['name', 'is_vat_representative', 'vrn'])).toMatchObject({ vat_group: 'Representative' });
    expect(read(['Reed', 'No'], ['name', 'is_vat_representative'])).not.toHaveProperty('vat_group');
    expect(read(['Reed', '', '980780684'], ['name', 'vrn', 'vat_group_number'])).toMatchObject({ vat_group: 'Member', vrn: '980780684' });
    const headings = ['Client', 'VAT group', 'Group representative', 'VAT group number'];
    const samples = [['Reed'], ['member', 'no'], ['yes', 'no'], ['980780684']];
    expect(suggestMapping(headings, samples).columns).toEqual(['name', 'vat_group', 'is_vat_representative', 'vat_group_number']);
    // The names of groups are left to the person.
    expect(suggestMapping(['Client', 'VAT group'], [['Reed'], ['Alder Group']]).columns).toEqual(['name', null]);
  });

  it('asks nothing once the representative member is known, and finds a member by name and group', () => {
    const knownClient = {
      ...emptyClient,
      id: 'holdings',
      name: 'Alder Holdings Ltd',
      vrn: '980780684',
      company_number: '09482716',
      isRepresentative: true,
    };
    const row = parseClient({ name: 'Alder Retail Ltd', vrn: '980780684', company_number: '09482717' });
    const foundMatch = createMatcher([knownClient])(row, 3);
    expect(foundMatch.outcome).toBe('new');
    expect(omitSharedReferences(row, listSharedReferences(foundMatch))).toMatchObject({
      client: { vrn: null, vat_group_role: 'member', vat_group_vrn: '980780684' },
      problems: [],
    });
    const knownMember = { ...emptyClient, id: 'retail', name: 'Alder Retail Ltd', vat_group_vrn: '980780684' };
    for (const repeatedRow of [parseClient({ name: 'Alder Retail Ltd', vrn: '980780684' }), parseClient(member)]) {
      expect(createMatcher([knownClient, knownMember])(repeatedRow, 3)).toMatchObject({
        outcome: 'matched',
        clientId: 'retail',
        by: ['name_and_vat_group'],
      });
    }
    // Without any reference, another name may be the representative member's new one.
    expect(createMatcher([knownClient])(parseClient({ name: 'Alder Retail Ltd', vrn: '980780684' }), 3)).toMatchObject({
      outcome: 'ambiguous',
    });
  });
});
