/** Builds XLSX files for tests: the parts that Excel writes, with the given sheet XML. */
import { strToU8, zipSync } from 'fflate';

const COLUMNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A cell: inline text, a number, or raw XML after `<c r="..."`, such as ` t="s"><v>0</v></c>`. */
export type TestCell = string | number | { readonly xml: string };

/** Returns the XML of a sheet's rows. A row is a number and its cells from column A; `undefined` means no cell. */
export function createSheetRows(rows: readonly (readonly [number, readonly (TestCell | undefined)[]])[]): string {
  const renderCell = (value: TestCell | undefined, column: number, row: number): string => {
    if (value === undefined) return '';
    const start = `<c r="${COLUMNS[column]}${row}"`;
    if (typeof value === 'number') return `${start}><v>${value}</v></c>`;
    if (typeof value === 'object') return `${start}${value.xml}`;
    return `${start} t="inlineStr"><is><t xml:space="preserve">${escape(value)}</t></is></c>`;
  };
  return rows
    .map(([row, cells]) => `<row r="${row}">${cells.map((value, column) => renderCell(value, column, row)).join('')}</row>`)
    .join('');
}

/** Builds the whole file. `parts` replaces parts of it, or removes them if undefined. */
export function makeXlsx(rowsXml: string, parts: Readonly<Record<string, string | undefined>> = {}): Uint8Array {
  const all: Record<string, string | undefined> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${RELATIONS_NAMESPACE}"><sheets><sheet name="Books" sheetId="4" r:id="rId7"/><sheet name="Other" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${RELATIONS_NAMESPACE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId7" Type="${RELATIONS_NAMESPACE}/worksheet" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
    'xl/worksheets/sheet2.xml': `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${MAIN}"><sheetData>${rowsXml}</sheetData></worksheet>`,
    ...parts,
  };
  const files = Object.entries(all).flatMap(([name, text]) => (text === undefined ? [] : [[name, strToU8(text)] as const]));
  return zipSync(Object.fromEntries(files));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
