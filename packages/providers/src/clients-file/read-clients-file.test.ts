import { formatImportTemplate } from '@portal/domain/client-imports/import-columns.ts';
import { describe, expect, it } from 'vitest';
import { makeXlsx, sheetRows } from '../records-file/testing/make-xlsx.ts';
import { readClientsFile, type ClientsFileRow } from './read-clients-file.ts';

async function read(content: string | Uint8Array, maxRows = 100): Promise<{ rows: ClientsFileRow[]; ignored: readonly string[] }> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield typeof content === 'string' ? new TextEncoder().encode(content) : content;
  }
  const file = readClientsFile(stream(), { fileName: 'clients.csv', maxRows });
  const rows: ClientsFileRow[] = [];
  for await (const batch of file.rows) rows.push(...batch);
  return { rows, ignored: file.ignoredColumns() };
}

describe('a file of clients', () => {
  it('is read as CSV with line numbers; empty lines are skipped', async () => {
    const { rows, ignored } = await read('name,vrn,Partner\r\n"Reed, Ann & Co Ltd",980780684,PO\r\n,,\r\nUnknown,,\r\n');
    expect(ignored).toEqual(['Partner']);
    expect(rows.map(({ row, client, problems }) => [row, client?.name, problems.map(({ field }) => field)])).toEqual([
      [2, 'Reed, Ann & Co Ltd', []],
      [4, undefined, ['kind']],
    ]);
  });

  it('is read as XLSX: keeps significant zeros, reads dates as days and rejects a row with a formula', async () => {
    const { rows } = await read(
      makeXlsx(
        sheetRows([
          [1, ['Client name', 'Company number', 'Year end', 'UTR']],
          [2, ['Reed Ltd', 445790, 46112, 2234567890]],
          [3, ['Formula Ltd', { xml: '><f>1+1</f><v>2</v></c>' }, undefined, undefined]],
        ]),
      ),
    );
    expect(rows[0]?.client).toMatchObject({ name: 'Reed Ltd', company_number: '00445790', year_end_on: '2026-03-31', utr: '2234567890' });
    expect(rows[1]).toMatchObject({ row: 3, client: null });
    expect(rows[1]?.problems[0]).toEqual({
      field: 'company_number',
      problem: 'Cell B3 contains a formula: paste the column as values.',
    });
  });

  it('has no problems when it is the template', async () => {
    expect((await read(formatImportTemplate())).rows.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it.each([
    ['a row beyond the last one', '<row r="9999999999"><c r="A2"><v>1</v></c></row>'],
    ['rows without end', '<row/>'.repeat(1_100_000)],
  ])('is rejected without reading all of it when a spreadsheet has %s', async (_what, rowsXml) => {
    await expect(read(makeXlsx(sheetRows([[1, ['name']]]) + rowsXml))).rejects.toThrow('more rows than a spreadsheet can hold');
  });

  it.each([
    ['nothing of a header', 'vrn\n1\n', 'The header row must include'],
    ['more rows than are read', `name,kind\n${'Reed,company\n'.repeat(101)}`, 'more than 100 rows'],
    ['binary data', 'name\0', 'NUL'],
    ['a quote that never closes', 'name\n"Reed\n', 'quote'],
  ])('is rejected for %s', async (_what, content, reason) => {
    await expect(read(content)).rejects.toThrow(reason);
  });
});
