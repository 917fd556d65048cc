/**
 * Writes a table as an XLSX workbook with one sheet (ECMA-376), row by row. Amounts and dates have real number types, and the first row is
 * frozen.
 */
import { countDaysBetween, plainDate } from '@portal/domain/plain-date.ts';
import type { Cell } from './export-columns.ts';
import { neutraliseCsvCell } from '@portal/domain/books/csv-text.ts';
import { writeZip } from './write-zip.ts';

type Sheet = { readonly name: string; readonly columns: readonly { readonly title: string; readonly width: number }[] };

export function writeXlsx(sheet: Sheet, rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<Buffer> {
  return writeZip([
    { name: '[Content_Types].xml', content: CONTENT_TYPES },
    { name: '_rels/.rels', content: writeRelationshipsXml('rId1', 'officeDocument', 'xl/workbook.xml') },
    { name: 'xl/workbook.xml', content: writeWorkbookXml(sheet.name) },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: writeRelationshipsXml('rId1', 'worksheet', 'worksheets/sheet1.xml', writeRelationshipXml('rId2', 'styles', 'styles.xml')),
    },
    { name: 'xl/styles.xml', content: STYLES },
    { name: 'xl/worksheets/sheet1.xml', content: writeSheetXml(sheet, rows) },
  ]);
}

const CHUNK_LENGTH = 32_768;

async function* writeSheetXml({ columns }: Sheet, rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<string> {
  const widths = columns
    .map(({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  let buffered = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/></sheetView></sheetViews><cols>${widths}</cols><sheetData>`;
  buffered += `<row r="1">${columns.map(({ title }) => writeTextCellXml(title, HEADER)).join('')}</row>`;
  let number = 1;
  for await (const row of rows) {
    number += 1;
    buffered += `<row r="${number}">${row.map((cell, index) => writeCellXml(cell, `${toColumnName(index)}${number}`)).join('')}</row>`;
    if (buffered.length < CHUNK_LENGTH) continue;
    yield buffered;
    buffered = '';
  }
  const last = `${toColumnName(columns.length - 1)}${number}`;
  yield `${buffered}</sheetData><autoFilter ref="A1:${last}"/></worksheet>`;
}

/** Indexes into `cellXfs` in STYLES. */
const [PLAIN_STYLE, HEADER, MONEY_STYLE, DAY_STYLE] = [0, 1, 2, 3];

function writeCellXml(cell: Cell, cellReference: string): string {
  switch (cell?.kind) {
    case undefined:
      return '';
    case 'text':
      return writeTextCellXml(neutraliseCsvCell(cell.text), PLAIN_STYLE ?? 0, cellReference);
    case 'money':
      return `<c r="${cellReference}" s="${MONEY_STYLE}"><v>${(cell.pence / 100).toFixed(2)}</v></c>`;
    case 'count':
      return `<c r="${cellReference}" s="${PLAIN_STYLE}"><v>${cell.count}</v></c>`;
    case 'day':
      // Excel's serial date: days since 30 December 1899, valid from March 1900 (ECMA-376 part 1, 18.17.4.1).
      return `<c r="${cellReference}" s="${DAY_STYLE}"><v>${countDaysBetween(FIRST_DAY_OF_1900, cell.day) + 2}</v></c>`;
  }
}

const FIRST_DAY_OF_1900 = plainDate('1900-01-01');

function writeTextCellXml(text: string, style: number | undefined, cellReference?: string): string {
  const reference = cellReference === undefined ? '' : ` r="${cellReference}"`;
  return `<c${reference} t="inlineStr" s="${style ?? 0}"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

/** 0 is "A", 25 is "Z", 26 is "AA". */
function toColumnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${toColumnName(Math.trunc(index / 26) - 1)}${letter}`;
}

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/></Types>`;

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="d mmm yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="4" applyNumberFormat="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function writeWorkbookXml(name: string): string {
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeXml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

function writeRelationshipXml(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function writeRelationshipsXml(id: string, type: string, target: string, extra = ''): string {
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${writeRelationshipXml(id, type, target)}${extra}</Relationships>`;
}
