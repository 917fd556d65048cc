import { expect, it } from 'vitest';
import { openTable } from './open-table.ts';
import { createSheetRows, makeXlsx } from './testing/make-xlsx.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Creates a workbook whose sheets refer to these files. */
function makeWorkbook(targets: readonly string[], files: Readonly<Record<string, string>> = {}): Uint8Array {
  const sheets = targets.map((_, index) => `<sheet name="Sheet ${index}" sheetId="${index + 1}" r:id="r${index}"/>`).join('');
  const relations = targets
    .map((target, index) => `<Relationship Id="r${index}" Type="${RELATIONS_NAMESPACE}/worksheet" Target="${target}"/>`)
    .join('');
  return makeXlsx('', {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS_NAMESPACE}"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations}</Relationships>`,
    ...files,
  });
}

const open = (bytes: Uint8Array) => openTable(bytes, 'list.xlsx');

it('a workbook whose sheets are all the same file has one sheet', async () => {
  const bytes = makeWorkbook(Array.from({ length: 2_000 }, () => 'worksheets/sheet2.xml'));
  expect((await open(bytes)).sheets).toEqual(['Sheet 0']);
});

it('a workbook with too many sheets is rejected with advice', async () => {
  const names = Array.from({ length: 51 }, (_, index) => `worksheets/own${index}.xml`);
  const files = Object.fromEntries(names.map((name) => [`xl/${name}`, '<worksheet><sheetData/></worksheet>']));
  await expect(open(makeWorkbook(names, files))).rejects.toThrow('has 51 sheets, but the portal checks at most 50');
});

it('the search for a header stops at its read limit', async () => {
  const padding = `<row r="1"></row>`.repeat(100_000);
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${padding}${createSheetRows([[2, ['late']]])}</sheetData></worksheet>`;
  const table = await open(makeWorkbook(['worksheets/padded.xml'], { 'xl/worksheets/padded.xml': sheet }));
  const count = async (firstBytes?: number): Promise<number> => {
    let rows = 0;
    for await (const batch of table.readRows(0, firstBytes)) rows += batch.length;
    return rows;
  };
  expect([await count(500_000), await count()]).toEqual([0, 1]);
});
