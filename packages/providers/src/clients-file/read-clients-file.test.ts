import { readFileSync } from 'node:fs';
import { formatImportTemplate, type ImportTarget } from '@portal/domain/client-imports/import-columns.ts';
import type { ClientsSheet, ImportTable } from '@portal/domain/client-imports/import-table.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { openTable } from '../records-file/open-table.ts';
import { createSheetRows, makeXlsx } from '../records-file/testing/make-xlsx.ts';
import { inspectClientsFile, readClientsFile, type ClientsFileRow } from './read-clients-file.ts';
import { encodeUtf8, encodeUtf16, encodeWindows1252 } from './testing/encode-export.ts';
import { PRODUCT_EXPORTS } from './testing/product-exports.ts';

const TODAY = plainDate('2026-11-21');

/** Reads a file with the suggested columns. */
async function read(
  content: string | Uint8Array,
  { maxRows = 100, chosen = {} }: { readonly maxRows?: number; readonly chosen?: Partial<ClientsSheet> } = {},
): Promise<{ inspected: ImportTable & { isSettled: boolean }; rows: ClientsFileRow[] }> {
  const table = await openTable(typeof content === 'string' ? new TextEncoder().encode(content) : content, 'clients.csv');
  const { table: describedTable, isSettled } = await inspectClientsFile(table, {}, chosen);
  const inspectedTable = { ...describedTable, isSettled };
  const rows: ClientsFileRow[] = [];
  for await (const batch of readClientsFile(table, { ...inspectedTable, maxRows, today: TODAY })) rows.push(...batch);
  return { inspected: inspectedTable, rows };
}

const groupByTarget = ({ headings, columns }: ImportTable): Partial<Record<ImportTarget, string>> =>
  Object.fromEntries(headings.flatMap((heading, index) => (columns[index] ? [[columns[index], heading]] : [])));

describe('an export of another product', () => {
  it.each(PRODUCT_EXPORTS)('from $product is read without losing a client', async ({ bytes, names }) => {
    const { inspected, rows } = await read(bytes);
    expect(inspected.isSettled).toBe(true);
    expect(rows.flatMap(({ client }) => client?.name ?? [])).toEqual(names);
    const harlow = rows[0]?.client;
    expect(harlow).toMatchObject({ kind: 'company', email: 'carl@harlow.example' });
    const foundColumns = groupByTarget(inspected);
    // A director's references in the company's row aren't the company's.
    expect(harlow?.nino).toBeNull();
    if (foundColumns.utr ?? foundColumns.company_utr) expect(harlow?.utr).toBe('2122334455');
    if (foundColumns.vrn) expect(harlow?.vrn).toBe('980780684');
    if (foundColumns.company_number) expect(harlow?.company_number).toBe('00445790');
    if (foundColumns.year_end) expect(harlow?.year_end_on).toBe('2026-03-31');
    if (foundColumns.postcode) expect(harlow?.postcode).toBe('LS1 4DY');
    expect(rows.filter(({ client }) => client?.kind === 'llp')).toHaveLength(1);
    expect(rows.flatMap(({ problems }) => problems).filter(({ field }) => field !== 'kind' && field !== 'name')).toEqual([]);
  });

  it('in a workbook of several sheets is found in the sheet with the clients, and the other sheets can be chosen', async () => {
    const karbon = PRODUCT_EXPORTS.find(({ product }) => product === 'Karbon');
    const { inspected } = await read(karbon?.bytes ?? '');
    expect(inspected).toMatchObject({
      sheet: 1,
      sheets: [
        { sheet: 0, name: 'Read me' },
        { sheet: 1, name: 'Contacts' },
      ],
    });
    const otherSheet = await read(karbon?.bytes ?? '', { chosen: { sheet: 0 } });
    expect(otherSheet.inspected).toMatchObject({ sheet: 0, isSettled: false });
  });

  it('has its report lines listed instead of imported', async () => {
    const nomiExport = PRODUCT_EXPORTS.find(({ product }) => product === 'Nomi');
    const { rows } = await read(nomiExport?.bytes ?? '');
    expect(rows.at(-1)).toMatchObject({ row: 7, client: null, rawValues: {}, problems: [{ field: 'name' }] });
  });
});

/**
 * Whole exports in each product's format: every column, byte order marks, quoted line breaks, section titles, semicolons, old encodings,
 * every kind of date, and cells with typos. The clients are invented.
 */
const PRACTICE_EXPORTS = [
  {
    file: 'taxdome-accounts.csv',
    kinds: { company: 29, individual: 10, llp: 1 },
    unread: ['7 vrn', '10 email', '13 year_end', '15 postcode'],
    known: { name: 40, vrn: 26, utr: 40, nino: 10, company_number: 27, year_end_on: 26, email: 39, phone: 40, postcode: 39 },
  },
  {
    file: 'brightmanager-clients.xlsx',
    kinds: { company: 20, individual: 3, llp: 2, partnership: 5, sole_trader: 10 },
    unread: ['6 vrn', '15 postcode'],
    known: {
      name: 40,
      vrn: 21,
      utr: 40,
      nino: 13,
      company_number: 22,
      paye_reference: 13,
      year_end_on: 22,
      vat_registered_on: 21,
      email: 39,
      phone: 40,
      postcode: 39,
      client_code: 40,
    },
  },
  {
    file: 'senta-clients.csv',
    kinds: { company: 22, individual: 4, llp: 2, partnership: 4, sole_trader: 8 },
    unread: ['7 company_number', '16 year_end'],
    known: {
      name: 40,
      vrn: 26,
      utr: 40,
      nino: 12,
      company_number: 23,
      paye_reference: 18,
      year_end_on: 24,
      vat_registered_on: 26,
      email: 40,
      phone: 40,
      postcode: 40,
      client_code: 40,
    },
  },
  {
    file: 'xero-hq-client-list.csv',
    kinds: { company: 18, individual: 6, llp: 1, partnership: 1, sole_trader: 13 },
    unread: ['15 utr', '21 name'],
    known: { name: 39, vrn: 23, utr: 38, company_number: 19, year_end_on: 19, email: 39, phone: 39, postcode: 39, client_code: 39 },
  },
  {
    file: 'freeagent-clients.csv',
    kinds: { company: 24, individual: 5, sole_trader: 11 },
    unread: ['4 paye_reference', '20 year_end'],
    known: {
      name: 40,
      vrn: 27,
      utr: 40,
      nino: 16,
      company_number: 24,
      paye_reference: 22,
      year_end_on: 23,
      email: 40,
      phone: 40,
      postcode: 39,
    },
  },
] as const;

describe('a practice’s whole export', () => {
  it.each(PRACTICE_EXPORTS)('$file is read without choosing a column manually', async ({ file, kinds, unread, known }) => {
    const { inspected, rows } = await read(readFileSync(new URL(`testing/practice-exports/${file}`, import.meta.url)));
    expect(inspected.isSettled).toBe(true);
    expect(rows).toHaveLength(40);
    const clients = rows.flatMap(({ client }) => client ?? []);
    const byKind = [...Map.groupBy(clients, ({ kind }) => kind)];
    expect(Object.fromEntries(byKind.map(([kind, { length }]) => [kind, length]))).toEqual(kinds);
    expect(rows.flatMap(({ row, problems }) => problems.map(({ field }) => `${row} ${field}`))).toEqual(unread);
    const fields = [
      'name',
      'vrn',
      'utr',
      'nino',
      'company_number',
      'paye_reference',
      'year_end_on',
      'vat_registered_on',
      'email',
      'phone',
      'postcode',
      'client_code',
    ] as const;
    const foundCounts = fields.map((field) => [field, clients.filter((client) => client[field] !== null).length] as const);
    expect(Object.fromEntries(foundCounts.filter(([, count]) => count > 0))).toEqual(known);
  });

  it('never gives a company the references of a person at the company', async () => {
    const { inspected, rows } = await read(
      'Client name,Client type,Company details: UTR,Contact 1: UTR,Contact 1: Email,Contact 2: UTR,Contact 2: Email\n' +
        'Reed Ltd,Limited company,,2234567890,,1122334455,sam@reed.example\nAnn Reed,Sole trader,,2234567890,ann@reed.example,,\n',
    );
    expect(inspected.isSettled).toBe(true);
    expect(rows.map(({ client }) => [client?.utr, client?.email])).toEqual([
      [null, null],
      ['2234567890', 'ann@reed.example'],
    ]);
  });
});

describe('a client list', () => {
  const FILE_LINES = ['name;kind;postcode', 'Müller & Söhne Ltd;company;LS1 4DY', 'Reed, Ann;individual;YO1 7HH'];
  it.each([
    ['semicolons', encodeUtf8(...FILE_LINES)],
    ['semicolons in Windows-1252', encodeWindows1252(...FILE_LINES)],
    ['tabs', encodeUtf8(...FILE_LINES.map((line) => line.replaceAll(';', '\t')))],
    ['tabs in UTF-16', encodeUtf16(...FILE_LINES.map((line) => line.replaceAll(';', '\t')))],
    ['a line for Excel that names the separator', encodeUtf8('sep=;', ...FILE_LINES)],
    ['title lines above its header', encodeUtf8('Clients of Oakline;;', ';;', 'Exported 21 November 2026;;', ...FILE_LINES)],
  ])('with %s is read', async (_case, bytes) => {
    const { rows } = await read(bytes);
    expect(rows.map(({ client, problems }) => [client?.name, client?.postcode, problems])).toEqual([
      ['Müller & Söhne Ltd', 'LS1 4DY', []],
      ['Reed, Ann', 'YO1 7HH', []],
    ]);
  });

  it('keeps line numbers, skips empty lines and shows samples of an unknown column', async () => {
    const { inspected, rows } = await read('name,vrn,Partner\r\n"Reed, Ann & Co Ltd",980780684,PO\r\n,,\r\nUnknown,,TV\r\n');
    expect(inspected).toMatchObject({ headings: ['name', 'vrn', 'Partner'], columns: ['name', 'vrn', null], isSettled: false });
    expect(inspected.samples[2]).toEqual(['PO', 'TV']);
    expect(rows.map(({ row, client, problems }) => [row, client?.name, problems.map(({ field }) => field)])).toEqual([
      [2, 'Reed, Ann & Co Ltd', []],
      [4, 'Unknown', ['kind']],
    ]);
  });

  it('in XLSX keeps significant zeros, reads dates as days, and takes the value that a formula shows', async () => {
    const { rows } = await read(
      makeXlsx(
        createSheetRows([
          [1, ['Client name', 'Company number', 'Year end', 'UTR']],
          [2, ['Reed Ltd', 445790, 46112, 2234567890]],
          [3, ['Formula Ltd', { xml: '><f>A1</f><v>9482716</v></c>' }]],
        ]),
      ),
    );
    expect(rows[0]?.client).toMatchObject({ name: 'Reed Ltd', company_number: '00445790', year_end_on: '2026-03-31', utr: '2234567890' });
    expect(rows[1]).toMatchObject({ row: 3, client: { company_number: '09482716' } });
  });

  it('without a header is read from its first line once a user says so', async () => {
    const { inspected } = await read('Reed Ltd,company\nMoss Ltd,company\n', { chosen: { headerLine: 0 } });
    expect(inspected).toMatchObject({
      headerLine: 0,
      headings: ['', ''],
      samples: [['Reed Ltd', 'Moss Ltd'], ['company']],
      isSettled: false,
    });
  });

  it('has no problems when it is the template', async () => {
    const { inspected, rows } = await read(formatImportTemplate());
    expect(inspected.isSettled).toBe(true);
    expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('lists a row with a missing quote instead of losing it', async () => {
    const { rows } = await read('name,kind\n"Reed" Ltd,"company"\nMoss Ltd,company\n');
    expect(rows.map(({ row, client, problems }) => [row, client?.name, problems[0]?.problem.slice(0, 50)])).toEqual([
      [2, undefined, 'This row has a missing opening or closing quote. R'],
      [3, 'Moss Ltd', undefined],
    ]);
  });

  it.each([
    ['a row beyond the last one', '<row r="9999999999"><c r="A2"><v>1</v></c></row>'],
    ['rows without end', '<row/>'.repeat(1_100_000)],
  ])('is rejected without reading all of it when a spreadsheet has %s', async (_case, rowsXml) => {
    await expect(read(makeXlsx(createSheetRows([[1, ['name']]]) + rowsXml))).rejects.toThrow('more rows than a spreadsheet can hold');
  });

  it.each([
    ['no rows', '\n\n', 'the file has no rows'],
    ['more rows than are read', `name,kind\n${'Reed,company\n'.repeat(101)}`, 'more than 100 rows'],
    ['binary data', 'name\0', 'NUL'],
    ['a quote that never closes', 'name\n"Reed\n', 'quote'],
  ])('is rejected for %s', async (_case, content, reason) => {
    await expect(read(content)).rejects.toThrow(reason);
  });
});
