/** Encodes tables as the exporting software does. */
import { createSheetRows, makeXlsx, type TestCell } from '../../records-file/testing/make-xlsx.ts';

export const encodeUtf8 = (...lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join('\r\n')}\r\n`);

/** Encodes like Excel for Windows when saving a plain CSV. ’ is byte 0x92 in this encoding. */
export function encodeWindows1252(...lines: readonly string[]): Uint8Array {
  const csvText = `${lines.join('\r\n')}\r\n`;
  return Uint8Array.from(csvText, (character) => (character === '’' ? 0x92 : character.charCodeAt(0)));
}

export function encodeUtf16(...lines: readonly string[]): Uint8Array {
  return Uint8Array.from(Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`, 'utf16le'));
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Cell style 1 is Excel's short date; style 2 is a custom “31 March”. */
const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="d mmmm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`;

/** Creates an XLSX file with the given sheets. */
export function createXlsx(
  ...sheets: readonly { readonly name: string; readonly rows: readonly (readonly (TestCell | undefined)[])[] }[]
): Uint8Array {
  const sheetElements = sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('');
  const links = sheets
    .map(
      (_, index) =>
        `<Relationship Id="rId${index + 1}" Type="${RELATIONS_NAMESPACE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
    )
    .join('');
  const contents = sheets.map(({ rows }, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    `<worksheet xmlns="${MAIN}"><sheetData>${createSheetRows(rows.map((cells, row) => [row + 1, cells] as const))}</sheetData></worksheet>`,
  ]);
  return makeXlsx('', {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS_NAMESPACE}"><sheets>${sheetElements}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${links}</Relationships>`,
    'xl/styles.xml': STYLES,
    ...Object.fromEntries(contents),
  });
}

/** Creates a date cell: Excel’s serial number, in style 1 or 2. */
export const createDateCell = (serial: number, style = 1): TestCell => ({ xml: ` s="${style}"><v>${serial}</v></c>` });
