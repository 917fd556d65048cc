import { parseXml } from './parse-xml.ts';
import type { RecordCollector } from './record-collector.ts';
import { MAX_SHEET_BYTES, type SheetRow, SheetRowParser } from './sheet-row-parser.ts';
import { toColumnLetters } from './table-row.ts';
import { UnreadableFileError } from './unreadable-file-error.ts';
import { openWorkbook } from './xlsx-workbook.ts';
import { listZipEntries, readZipEntry } from './zip-entries.ts';

/** A ZIP file has its directory at the end, so the packed file must be in memory. The unpacked content is streamed. */
const MAX_PACKED_BYTES = 64_000_000;
/** Cells beyond this column aren't part of any table that the portal reads. */
const MAX_COLUMNS = 1_000;

/**
 * Returns the rows of the first sheet in batches; a row's line is its row number in the sheet. No rows follow once the collector rejects
 * the file.
 */
export async function* readXlsx<Row>(stream: AsyncIterable<Uint8Array>, collector: RecordCollector<Row>): AsyncGenerator<readonly Row[]> {
  const workbook = await openWorkbook(listZipEntries(await readPackedFile(stream)));
  let rows: Row[] = [];
  const parser = new SheetRowParser({
    workbook,
    isDate: (column) => collector.columns.get(column)?.valueType === 'date',
    // A cell without a heading belongs to an unknown column.
    getMaxColumns: () => collector.width ?? MAX_COLUMNS,
    onRow: (sheetRow) => {
      const row = collector.width === undefined ? readHeader(sheetRow, collector) : readRow(sheetRow, collector, collector.width);
      if (row !== undefined) rows.push(row);
    },
  });
  for await (const _ of parseXml(readZipEntry(workbook.sheet, MAX_SHEET_BYTES), parser)) {
    if (rows.length > 0 && !collector.isRejected) yield rows;
    rows = [];
  }
  if (collector.width === undefined) collector.readHeader([]);
}

/** The header must be in line 1: a sheet that starts lower is rejected. */
function readHeader<Row>({ line, cells, formulas }: SheetRow, collector: RecordCollector<Row>): undefined {
  collector.readHeader(line === 1 ? cells : []);
  const [formula] = formulas;
  if (formula !== undefined)
    throw new UnreadableFileError(1, '', `cell ${toColumnLetters(formula)}1 in the header row contains a formula: enter its text`);
}

function readRow<Row>({ line, cells, formulas }: SheetRow, collector: RecordCollector<Row>, width: number): Row | undefined {
  while (cells.length < width) cells.push('');
  const faults = formulas.flatMap((column) => {
    const name = collector.columns.get(column)?.name;
    return name === undefined ? [] : [{ column: name, reason: explainFormula(column, line) }];
  });
  if (faults.length > 0) return collector.rejectRow(line, faults, cells);
  return cells.every((cell) => cell.trim() === '') ? undefined : collector.readRow(cells, line);
}

/** A formula's value depends on the software that opens the file, so it isn't accepted as an amount. */
export function explainFormula(column: number, line: number): string {
  return `cell ${toColumnLetters(column)}${line} contains a formula: paste the column as values`;
}

async function readPackedFile(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.byteLength;
    if (total > MAX_PACKED_BYTES) {
      throw new UnreadableFileError(
        1,
        '',
        `the XLSX file is larger than ${MAX_PACKED_BYTES / 1_000_000} MB: save it as CSV UTF-8, which doesn’t have this limit`,
      );
    }
    chunks.push(chunk.slice());
  }
  return Buffer.concat(chunks);
}
