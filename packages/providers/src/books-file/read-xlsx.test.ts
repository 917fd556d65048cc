import { BOOKS_COLUMNS } from '@portal/domain/books/books-row.ts';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createSheetRows, makeXlsx } from '../records-file/testing/make-xlsx.ts';
import type { TestCell } from '../records-file/testing/make-xlsx.ts';
import { readAll } from './testing/read-all.ts';
import { parseColumnIndex, formatSerialDate, formatDecimal } from '../records-file/xlsx-cells.ts';
import { listZipEntries, readZipEntry } from '../records-file/zip-entries.ts';

const HEADER: readonly [number, readonly string[]] = [1, BOOKS_COLUMNS];
/** 3 February 2026 as an Excel serial date. */
const EXCEL_DATE = 46_056;

function createLine(
  changes: { date?: TestCell; net?: TestCell; vat?: TestCell; reference?: TestCell; description?: TestCell } = {},
): TestCell[] {
  const { date = EXCEL_DATE, net = 100, vat = 20, reference = 'INV-1', description = 'Goods' } = changes;
  return [date, 'sale', reference, 'Acme', description, net, vat, 'standard'];
}

const read = (rows: Parameters<typeof createSheetRows>[0], parts = {}) => readAll(makeXlsx(createSheetRows(rows), parts));

describe('an XLSX file of business records', () => {
  it('reads the first sheet with the sheet’s row numbers as lines and skips gaps and empty rows', async () => {
    const { all, rows, errors } = await read([
      HEADER,
      [2, createLine()],
      [5, []],
      [9, createLine({ date: '03/02/2026', reference: 1001 })],
    ]);
    expect(errors).toEqual([]);
    expect(rows).toBe(2);
    expect(all).toMatchObject([
      { line: 2, date: '2026-02-03', reference: 'INV-1', net_pence: 10_000, vat_pence: 2_000 },
      { line: 9, date: '2026-02-03', reference: '1001' },
    ]);
  });

  it('reads shared strings, including rich text, without phonetic guides', async () => {
    const sharedStrings = '<sst><si><t>plain &amp; simple</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></si></sst>';
    const cells = createLine({ reference: { xml: ' t="s"><v>0</v></c>' }, description: { xml: ' t="s"><v>1</v></c>' } });
    const { all } = await read([HEADER, [2, cells]], { 'xl/sharedStrings.xml': sharedStrings });
    expect(all).toMatchObject([{ reference: 'plain & simple', description: 'rich' }]);
  });

  it('stops at more text than a spreadsheet can hold, in one cell or in all', async () => {
    const longTextResult = await read([HEADER, [2, createLine({ description: 'x'.repeat(100_001) })]]);
    expect(longTextResult.errors).toMatchObject([{ line: 2, reason: expect.stringContaining('cell E2 has more text') }]);
    const sharedStrings = `<sst>${`<si><t>${'x'.repeat(1_000_000)}</t></si>`.repeat(61)}</sst>`;
    const bombFile = await read([HEADER, [2, createLine()]], { 'xl/sharedStrings.xml': sharedStrings });
    expect(bombFile.errors).toMatchObject([{ reason: expect.stringContaining('more text than the portal can read') }]);
  });

  it('reads amounts to the 15 digits that Excel shows, and rejects amounts with more than two decimal places', async () => {
    const { all } = await read([
      HEADER,
      [2, createLine({ net: { xml: '><v>10.299999999999999</v></c>' }, vat: { xml: '><v>2.06</v></c>' } })],
    ]);
    expect(all).toMatchObject([{ net_pence: 1030, vat_pence: 206 }]);
    const { errors } = await read([
      HEADER,
      [2, createLine({ net: 10.345 })],
      [3, createLine({ vat: { xml: '><v>1.4210854715202004E-14</v></c>' } })],
    ]);
    expect(errors).toMatchObject([
      { line: 2, column: 'net', reason: expect.stringContaining('two decimal places') },
      { line: 3, column: 'vat', reason: expect.stringContaining('two decimal places') },
    ]);
  });

  it('rejects a formula in a required column with its cell, and ignores formulas elsewhere', async () => {
    const formula = { xml: '><f>F3*0.2</f><v>20</v></c>' };
    const sharedFormula = { xml: '><f t="shared" si="0"/><v>20</v></c>' };
    const { errors, rows } = await read([
      HEADER,
      [2, createLine()],
      [3, createLine({ vat: formula })],
      [4, createLine({ net: sharedFormula, vat: sharedFormula })],
    ]);
    expect(rows).toBe(3);
    expect(errors).toMatchObject([
      { line: 3, column: 'vat', reason: expect.stringContaining('G3') },
      { line: 4, column: 'net', reason: expect.stringContaining('F4') },
      { line: 4, column: 'vat', reason: expect.stringContaining('G4') },
    ]);
    const formulaBeside = await read([HEADER, [2, [...createLine(), formula, formula]]]);
    expect(formulaBeside).toMatchObject({ rows: 1, errors: [] });
    const unknownResult = await read([
      [1, [...BOOKS_COLUMNS, 'check']],
      [2, [...createLine(), formula]],
    ]);
    expect(unknownResult).toMatchObject({ rows: 1, errors: [] });
  });

  it('rejects an error value, a number that is not a date and an impossible text date, each with its line', async () => {
    const { errors } = await read([
      HEADER,
      [2, createLine({ net: { xml: ' t="e"><v>#N/A</v></c>' } })],
      [3, createLine({ date: 20_260_203 })],
      [4, createLine({ date: '31/02/2026' })],
    ]);
    expect(errors).toMatchObject([
      { line: 2, column: 'net', reason: expect.stringContaining('#N/A') },
      { line: 3, column: 'date' },
      { line: 4, column: 'date' },
    ]);
  });

  it('reads namespace prefixes and the 1904 date system', async () => {
    const sheet = makeXlsx('', {
      'xl/workbook.xml':
        '<x:workbook xmlns:x="m" xmlns:rel="r"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="B" rel:id="rId7"/></x:sheets></x:workbook>',
      'xl/worksheets/sheet2.xml': `<x:worksheet xmlns:x="m"><x:sheetData>${createSheetRows([HEADER, [2, createLine({ date: EXCEL_DATE - 1462 })]]).replaceAll(/<(\/?)(?=\w)/g, '<$1x:')}</x:sheetData></x:worksheet>`,
    });
    expect(await readAll(sheet)).toMatchObject({ errors: [], all: [{ line: 2, date: '2026-02-03', net_pence: 10_000 }] });
  });

  it('requires the header in row 1', async () => {
    const { errors } = await read([
      [2, BOOKS_COLUMNS],
      [3, createLine()],
    ]);
    expect(errors).toMatchObject([{ line: 1, reason: expect.stringContaining('line 1 is empty') }]);
    expect((await read([])).errors).toMatchObject([{ line: 1, reason: expect.stringContaining('line 1 is empty') }]);
  });

  it('returns rows while the sheet arrives, whatever row number a row claims', async () => {
    const manyRows = Array.from({ length: 20_000 }, (_, index) => [index + 2, createLine({ reference: `R${index}` })] as const);
    const { all, errors } = await read([HEADER, ...manyRows, [1_048_576, createLine({ reference: 'far' })]]);
    expect(errors).toEqual([]);
    expect(all).toHaveLength(20_001);
    expect(all.at(-1)?.line).toBe(1_048_576);
  });
});

describe('a file that only looks like XLSX', () => {
  it.each([
    ['a plain ZIP', { 'books.csv': 'x' }, 'ZIP file, not a workbook'],
    ['an OpenDocument sheet', { mimetype: 'x' }, 'OpenDocument'],
    ['a binary workbook', { 'xl/workbook.bin': 'x' }, '.xlsb'],
    ['a Word document', { 'word/document.xml': 'x' }, 'Word'],
  ])('recognises %s', async (_, files, reason) => {
    const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
    expect((await readAll(bytes)).errors).toMatchObject([{ line: 1, reason: expect.stringContaining(reason) }]);
  });

  it('rejects a truncated file and never throws on a changed byte', async () => {
    const bytes = makeXlsx(createSheetRows([HEADER, [2, createLine()]]));
    expect((await readAll(bytes.subarray(0, bytes.length >> 1))).errors).toMatchObject([{ reason: expect.stringContaining('damaged') }]);
    for (let index = 4; index < bytes.length; index += 1) {
      const changedBytes = bytes.slice();
      changedBytes[index] = (changedBytes[index] ?? 0) ^ 0xff;
      // Either the file is rejected, or the changed byte didn't matter (a time stamp).
      const { errors, all } = await readAll(changedBytes);
      if (errors.length === 0) expect(all).toMatchObject([{ net_pence: 10_000 }]);
    }
  });

  it.each([
    ['an unclosed tag', '<row r="1"><c r="A1"'],
    ['a wrong closing tag', '<row r="1"></c></row>'],
  ])('rejects a sheet with %s', async (_, xml) => {
    expect((await readAll(makeXlsx(xml))).errors).toMatchObject([{ line: 1, reason: expect.stringContaining('damaged') }]);
  });

  it('rejects a workbook without its sheet', async () => {
    expect((await read([HEADER], { 'xl/worksheets/sheet2.xml': undefined })).errors).toMatchObject([
      { reason: expect.stringContaining('first sheet') },
    ]);
  });

  it('stops unpacking at the limit, whatever size the file claims', async () => {
    const bombFile = Buffer.from(zipSync({ 'sheet.xml': new Uint8Array(50_000_000) }));
    expect(bombFile.length).toBeLessThan(100_000);
    // The directory claims a size of 5 bytes. Only the actual size counts.
    bombFile.writeUInt32LE(5, bombFile.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    const entry = listZipEntries(bombFile).get('sheet.xml');
    if (!entry) throw new Error('the archive has no sheet.xml entry');
    let unpacked = 0;
    await expect(async () => {
      for await (const chunk of readZipEntry(entry, 1_000_000)) unpacked += chunk.byteLength;
    }).rejects.toThrow('larger than 1 MB');
    expect(unpacked).toBeLessThanOrEqual(1_000_000);
  });

  it('rejects a cell without an end', async () => {
    const { errors } = await readAll(
      makeXlsx(`${createSheetRows([HEADER])}<row r="2"><c r="A2" t="inlineStr"><is><t>${'x'.repeat(5_000_000)}</t></is></c></row>`),
    );
    expect(errors).toMatchObject([{ reason: expect.stringContaining('damaged') }]);
  });
});

describe('a sheet cell', () => {
  it.each([
    ['A1', 0],
    ['Z9', 25],
    ['AA1', 26],
    ['XFD1048576', 16_383],
    ['a1', undefined],
    ['', undefined],
  ])('reads the column index of %j: %s', (reference, column) => {
    expect(parseColumnIndex(reference)).toBe(column);
  });

  it.each([
    ['10.299999999999999', '10.3'],
    ['1234567.8899999999', '1234567.89'],
    ['0.1', '0.1'],
    ['-5', '-5'],
    ['1E3', '1000'],
    ['100.10000000000001', '100.1'],
    ['', ''],
    ['abc', 'abc'],
  ])('shows the stored number %j as %j', (storedNumber, shownNumber) => {
    expect(formatDecimal(storedNumber)).toBe(shownNumber);
  });

  it.each([
    ['46056', false, '2026-02-03'],
    ['46056.75', false, '2026-02-03'],
    ['44594', true, '2026-02-03'],
    ['26755', false, '1973-04-01'],
    ['26754', false, '26754'],
    ['109574', false, '2199-12-31'],
    ['109575', false, '109575'],
  ])('reads the serial date %s (1904 date system: %s) as %s', (storedNumber, uses1904Dates, text) => {
    expect(formatSerialDate(storedNumber, uses1904Dates)).toBe(text);
  });
});
