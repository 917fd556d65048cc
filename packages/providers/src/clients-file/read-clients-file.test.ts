import { formatImportTemplate, type ImportTarget } from '@portal/domain/client-imports/import-columns.ts';
import type { ClientsSheet, ImportTable } from '@portal/domain/client-imports/import-table.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { openTable } from '../records-file/open-table.ts';
import { makeXlsx, sheetRows } from '../records-file/testing/make-xlsx.ts';
import { inspectClientsFile, readClientsFile, type ClientsFileRow } from './read-clients-file.ts';
import { utf8, utf16, windows1252 } from './testing/encode-export.ts';
import { PRODUCT_EXPORTS } from './testing/product-exports.ts';

const TODAY = plainDate('2026-11-21');

/** Reads a file as its columns are suggested. */
async function read(
  content: string | Uint8Array,
  { maxRows = 100, chosen = {} }: { readonly maxRows?: number; readonly chosen?: Partial<ClientsSheet> } = {},
): Promise<{ inspected: ImportTable & { isSettled: boolean }; rows: ClientsFileRow[] }> {
  const table = await openTable(typeof content === 'string' ? new TextEncoder().encode(content) : content, 'clients.csv');
  const { table: described, isSettled } = await inspectClientsFile(table, {}, chosen);
  const inspected = { ...described, isSettled };
  const rows: ClientsFileRow[] = [];
  for await (const batch of readClientsFile(table, { ...inspected, maxRows, today: TODAY })) rows.push(...batch);
  return { inspected, rows };
}

const byTarget = ({ headings, columns }: ImportTable): Partial<Record<ImportTarget, string>> =>
  Object.fromEntries(headings.flatMap((heading, index) => (columns[index] ? [[columns[index], heading]] : [])));

describe('an export of another product', () => {
  it.each(PRODUCT_EXPORTS)('from $product is read without losing a client', async ({ bytes, names, needsPerson }) => {
    const { inspected, rows } = await read(bytes);
    expect(inspected.isSettled).toBe(!needsPerson);
    expect(rows.flatMap(({ client }) => client?.name ?? [])).toEqual(names);
    const harlow = rows[0]?.client;
    expect(harlow).toMatchObject({ kind: 'company', email: 'carl@harlow.example' });
    const found = byTarget(inspected);
    // A director's references in the company's row are not the company's.
    expect(harlow?.nino).toBeNull();
    if (found.utr ?? found.company_utr) expect(harlow?.utr).toBe('2122334455');
    if (found.vrn) expect(harlow?.vrn).toBe('980780684');
    if (found.company_number) expect(harlow?.company_number).toBe('00445790');
    if (found.year_end) expect(harlow?.year_end_on).toBe('2026-03-31');
    if (found.postcode) expect(harlow?.postcode).toBe('LS1 4DY');
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
    const other = await read(karbon?.bytes ?? '', { chosen: { sheet: 0 } });
    expect(other.inspected).toMatchObject({ sheet: 0, isSettled: false });
  });

  it('has its report lines listed instead of imported', async () => {
    const nomi = PRODUCT_EXPORTS.find(({ product }) => product === 'Nomi');
    const { rows } = await read(nomi?.bytes ?? '');
    expect(rows.at(-1)).toMatchObject({ row: 7, client: null, rawValues: {}, problems: [{ field: 'name' }] });
  });
});

describe('a client list', () => {
  const LINES = ['name;kind;postcode', 'Müller & Söhne Ltd;company;LS1 4DY', 'Reed, Ann;individual;YO1 7HH'];
  it.each([
    ['semicolons', utf8(...LINES)],
    ['semicolons in Windows-1252', windows1252(...LINES)],
    ['tabs', utf8(...LINES.map((line) => line.replaceAll(';', '\t')))],
    ['tabs in UTF-16', utf16(...LINES.map((line) => line.replaceAll(';', '\t')))],
    ['a line for Excel that names the separator', utf8('sep=;', ...LINES)],
    ['title lines above its header', utf8('Clients of Oakline;;', ';;', 'Exported 21 November 2026;;', ...LINES)],
  ])('with %s is read', async (_what, bytes) => {
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
        sheetRows([
          [1, ['Client name', 'Company number', 'Year end', 'UTR']],
          [2, ['Reed Ltd', 445790, 46112, 2234567890]],
          [3, ['Formula Ltd', { xml: '><f>A1</f><v>9482716</v></c>' }]],
        ]),
      ),
    );
    expect(rows[0]?.client).toMatchObject({ name: 'Reed Ltd', company_number: '00445790', year_end_on: '2026-03-31', utr: '2234567890' });
    expect(rows[1]).toMatchObject({ row: 3, client: { company_number: '09482716' } });
  });

  it('without a header is read from its first line once a person says so', async () => {
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
      [2, undefined, 'This row has an opening or closing quote missing. '],
      [3, 'Moss Ltd', undefined],
    ]);
  });

  it.each([
    ['a row beyond the last one', '<row r="9999999999"><c r="A2"><v>1</v></c></row>'],
    ['rows without end', '<row/>'.repeat(1_100_000)],
  ])('is rejected without reading all of it when a spreadsheet has %s', async (_what, rowsXml) => {
    await expect(read(makeXlsx(sheetRows([[1, ['name']]]) + rowsXml))).rejects.toThrow('more rows than a spreadsheet can hold');
  });

  it.each([
    ['no rows', '\n\n', 'the file has no rows'],
    ['more rows than are read', `name,kind\n${'Reed,company\n'.repeat(101)}`, 'more than 100 rows'],
    ['binary data', 'name\0', 'NUL'],
    ['a quote that never closes', 'name\n"Reed\n', 'quote'],
  ])('is rejected for %s', async (_what, content, reason) => {
    await expect(read(content)).rejects.toThrow(reason);
  });
});
