import { describe, expect, it } from 'vitest';
import { formatImportTemplate, parseImportHeader } from './import-columns.ts';
import type { ImportedClient } from './imported-client.ts';
import { createMatcher, type KnownClient } from './match-clients.ts';
import { parseImportRow } from './parse-import-row.ts';

function parsePositions(...cells: string[]) {
  const header = parseImportHeader(cells);
  if (!header.ok) throw new Error(header.reason);
  return header.positions;
}

function parseRow(rawValues: Readonly<Record<string, string>>) {
  return parseImportRow(Object.values(rawValues), parsePositions(...Object.keys(rawValues)));
}

function parseClient(rawValues: Readonly<Record<string, string>>): ImportedClient {
  const row = parseRow(rawValues);
  if (!row?.client) throw new Error(JSON.stringify(row?.problems));
  return row.client;
}

describe('header of a client file', () => {
  it('accepts columns in any order and under other products’ names, and lists ignored columns', () => {
    const header = parseImportHeader(['Client Name', 'VAT No.', 'Partner in charge', 'Post Code', 'National Insurance Number', '']);
    expect(header).toEqual({ ok: true, positions: { name: 0, vrn: 1, postcode: 3, nino: 4 }, ignored: ['Partner in charge'] });
  });

  it.each([
    [
      'FreeAgent',
      'Client Name,Business Type,Company Registration Number,Sales Tax Registration Number,UTR,Accounting Year End On,Contact Email,Subscription',
      ['name', 'kind', 'company_number', 'vrn', 'utr', 'year_end', 'email'],
    ],
    [
      'Nomi',
      'Client Code,Client Name,Client Type,Company Reg No,UTR No,VAT Reg No,PAYE Ref,Accounts Office Ref,Year End Date,NI Number,Email,Mobile',
      [
        'name',
        'kind',
        'company_number',
        'utr',
        'vrn',
        'paye_reference',
        'accounts_office_reference',
        'year_end',
        'nino',
        'email',
        'phone',
        'client_code',
      ],
    ],
  ])('recognises the column names of an export from %s', (_product, line, columns) => {
    expect(Object.keys(parsePositions(...line.split(','))).sort()).toEqual(columns.toSorted());
  });

  it.each([
    [['vrn', 'postcode'], 'The header row must include a column called “name”.'],
    [
      ['name;VAT number'],
      'The header row separates columns with semicolons, but we need commas: save the file as “CSV UTF-8 (comma delimited)” or as XLSX.',
    ],
    [['name', 'VAT number', 'vrn'], 'The header row has two columns for vrn: “VAT number” and “vrn”. Keep one.'],
  ])('rejects the file for %j', (cells, reason) => {
    expect(parseImportHeader(cells)).toEqual({ ok: false, reason });
  });

  it('parses the template and its rows without a problem', () => {
    const [header = '', ...lines] = formatImportTemplate().trim().split('\r\n');
    const positions = parsePositions(...header.split(','));
    expect(lines.map((line) => parseImportRow(line.split(','), positions)?.problems)).toEqual([[], []]);
  });
});

describe('row of a client file', () => {
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
  ])('infers the kind from %s', (_by, rawValues, kind) => {
    expect(parseClient(rawValues).kind).toBe(kind);
  });

  it.each([
    ['VAT, PAYE', ['vat', 'paye']],
    ['Self Assessment / payroll', ['paye', 'sa']],
    ['corporation tax and VAT', ['vat', 'ct']],
  ])('reads taxes from "%s"', (taxes, expected) => {
    expect(parseClient({ name: 'Reed Ltd', taxes }).taxes).toEqual(expected);
  });

  it('reports all problems at once, each with its field', () => {
    const row = parseRow({
      name: '',
      kind: 'club',
      vrn: '980780685',
      postcode: 'LEEDS',
      vat_registered_on: '31/02/2020',
      email: 'carl',
      taxes: 'IHT',
    });
    expect(row?.client).toBeNull();
    expect(row?.problems.map(({ field }) => field).sort()).toEqual([
      'email',
      'kind',
      'name',
      'postcode',
      'taxes',
      'vat_registered_on',
      'vrn',
    ]);
  });

  it.each(['=HYPERLINK("http://evil.example")', '@SUM(1)'])('rejects the name %s because a spreadsheet would run it', (name) => {
    expect(parseRow({ name, kind: 'company' })?.problems).toEqual([
      { field: 'name', problem: 'This starts like a formula. Enter the name itself.' },
    ]);
  });

  it('replaces characters that cannot be stored', () => {
    const row = parseRow({ kind: 'company', name: `Reed\0\uD800 Ltd ${'x'.repeat(5000)}` });
    expect(row?.rawValues.name).toMatch(/^Reed\uFFFD\uFFFD Ltd x+$/);
    expect(row?.rawValues.name).toHaveLength(201);
    expect(row?.problems).toEqual([{ field: 'name', problem: 'Use at most 200 characters.' }]);
  });

  it('skips a row without any content', () => {
    expect(parseImportRow(['', '  '], parsePositions('name', 'vrn'))).toBeUndefined();
  });

  it('asks for the kind when nothing indicates it', () => {
    expect(parseRow({ name: 'Reed' })?.problems).toEqual([
      { field: 'kind', problem: 'Enter the client type: company, llp, partnership, sole_trader, individual, trust or charity.' },
    ]);
  });
});

const nothing = { vrn: null, utr: null, nino: null, company_number: null, paye_reference: null, postcode: null };
const harlow: KnownClient = {
  ...nothing,
  id: 'harlow',
  name: 'Harlow Joinery Ltd',
  vrn: '980780684',
  company_number: '00445790',
  postcode: 'LS1 4DY',
};
const reed: KnownClient = { ...nothing, id: 'reed', name: 'Reed Ltd', utr: '2234567890' };

describe('matching imported clients', () => {
  const findMatch = (rawValues: Readonly<Record<string, string>>) => createMatcher([harlow, reed])(parseClient(rawValues), 2);

  it.each<[string, Record<string, string>, unknown]>([
    ['a reference', { name: 'Other name Ltd', vrn: '980780684' }, { outcome: 'matched', clientId: 'harlow' }],
    [
      'name and postcode, however they are written',
      { name: 'HARLOW JOINERY LIMITED', postcode: 'LS14DY' },
      { outcome: 'matched', clientId: 'harlow' },
    ],
    ['not by the name alone', { name: 'Harlow Joinery Ltd' }, { outcome: 'new' }],
    ['not by the name at another place', { name: 'Harlow Joinery Ltd', postcode: 'YO1 7HH' }, { outcome: 'new' }],
  ])('finds a client by %s', (_by, rawValues, match) => {
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
      candidates: ['harlow'],
    });
  });

  it('accepts the first of two rows about one taxpayer and points the second to it', () => {
    const match = createMatcher([]);
    expect(match(parseClient({ name: 'New Ltd', vrn: '980780684' }), 2)).toEqual({ outcome: 'new' });
    expect(match(parseClient({ name: 'New Limited', vrn: '980 780 684' }), 7)).toEqual({ outcome: 'duplicate', row: 2, field: 'vrn' });
  });
});
