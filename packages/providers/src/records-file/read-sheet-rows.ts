/** Reads a sheet's rows as text, without interpreting them: a table whose header and columns aren't known yet. */
import { parseXml } from './parse-xml.ts';
import { MAX_SHEET_BYTES, SheetRowParser } from './sheet-row-parser.ts';
import type { TableRow } from './table-row.ts';
import type { Workbook } from './xlsx-workbook.ts';
import { readZipEntry, type ZipEntry } from './zip-entries.ts';

/** Cells beyond this column aren't part of any list. */
const MAX_COLUMNS = 300;

type SheetSource = {
  readonly workbook: Workbook;
  readonly dateStyles: ReadonlySet<number>;
  readonly entry: ZipEntry;
  readonly firstBytes: number | undefined;
};

/** Returns rows with content, in batches. A formula counts as its stored value. */
export async function* readSheetRows({ workbook, dateStyles, entry, firstBytes }: SheetSource): AsyncGenerator<readonly TableRow[]> {
  let rows: TableRow[] = [];
  const parser = new SheetRowParser({
    workbook,
    isDate: (_column, style) => style !== '' && dateStyles.has(Number(style)),
    getMaxColumns: () => MAX_COLUMNS,
    onRow: ({ line, cells, formulas }) => {
      if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells, formulas, isMisquoted: false });
    },
  });
  let read = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of readZipEntry(entry, MAX_SHEET_BYTES)) {
      read += chunk.byteLength;
      yield chunk;
    }
  }
  for await (const _ of parseXml(counted(), parser)) {
    if (rows.length > 0) yield rows;
    rows = [];
    if (firstBytes !== undefined && read > firstBytes) return;
  }
}
