import { parseXml } from './parse-xml.ts';
import type { RecordCollector } from './record-collector.ts';
import { UnreadableFileError } from './unreadable-file-error.ts';
import { parseColumnIndex, formatSerialDate, formatDecimal, unescapeText } from './xlsx-cells.ts';
import { openWorkbook } from './xlsx-workbook.ts';
import type { Workbook } from './xlsx-workbook.ts';
import { listZipEntries, readZipEntry } from './zip-entries.ts';

/** A ZIP file has its directory at the end, so the packed file must be in memory. The unpacked content is streamed. */
const MAX_PACKED_BYTES = 64_000_000;
const MAX_SHEET_BYTES = 300_000_000;
/** Row limit of a spreadsheet (ECMA-376: XFD1048576 is the last cell). A file with more rows is hostile. */
const MAX_ROWS = 1_048_576;
/** Cells further right are not part of any table that the portal reads. */
const MAX_COLUMNS = 1_000;

/** The rows of the first sheet in batches; a row's line is its number in the sheet. No rows follow once the collector rejects the file. */
export async function* readXlsx<Row>(stream: AsyncIterable<Uint8Array>, collector: RecordCollector<Row>): AsyncGenerator<readonly Row[]> {
  const workbook = await openWorkbook(listZipEntries(await readPackedFile(stream)));
  const reader = new SheetReader(workbook, collector);
  for await (const _ of parseXml(readZipEntry(workbook.sheet, MAX_SHEET_BYTES), reader)) {
    const rows = reader.drainRows();
    if (rows.length > 0 && !collector.isRejected) yield rows;
  }
  if (collector.width === undefined) collector.readHeader([]);
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

type Cell = { readonly column: number; readonly type: string; value: string; hasFormula: boolean };

/** Listens to the XML of a sheet. */
class SheetReader<Row> {
  readonly #workbook: Workbook;
  readonly #collector: RecordCollector<Row>;
  readonly #dates = new Map<string, string>();
  #rows: Row[] = [];
  #line = 0;
  #cells: string[] = [];
  #formulas: number[] = [];
  #nextColumn = 0;
  #cell: Cell | undefined;
  #takesText = false;

  constructor(workbook: Workbook, collector: RecordCollector<Row>) {
    this.#workbook = workbook;
    this.#collector = collector;
  }

  /** Returns the rows collected since the last call. */
  drainRows(): readonly Row[] {
    const rows = this.#rows;
    if (rows.length > 0) this.#rows = [];
    return rows;
  }

  open(name: string, attributes: () => Record<string, string>): void {
    if (name === 'row') this.#openRow(Number(attributes()['r']));
    else if (name === 'c') this.#openCell(attributes());
    else if (name === 'f' && this.#cell) this.#cell.hasFormula = true;
    this.#takesText = this.#cell !== undefined && (name === 'v' || name === 't');
  }

  text(text: string): void {
    if (this.#takesText && this.#cell) this.#cell.value += text;
  }

  close(name: string): void {
    this.#takesText = false;
    if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
  }

  #openRow(statedRow: number): void {
    this.#line = Number.isSafeInteger(statedRow) && statedRow > 0 ? statedRow : this.#line + 1;
    if (this.#line > MAX_ROWS) {
      throw new UnreadableFileError(
        MAX_ROWS,
        '',
        'the sheet has more rows than a spreadsheet can hold: save it as CSV, or split it into smaller files',
      );
    }
    this.#cells = Array.from({ length: this.#collector.width ?? 0 }, () => '');
    this.#formulas = [];
    this.#nextColumn = 0;
  }

  #openCell({ r = '', t = 'n' }: Record<string, string>): void {
    const column = parseColumnIndex(r) ?? this.#nextColumn;
    this.#nextColumn = column + 1;
    this.#cell = { column, type: t, value: '', hasFormula: false };
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (!cell || cell.column >= MAX_COLUMNS) return;
    const isInHeader = this.#collector.width === undefined;
    // A cell without a heading belongs to an unknown column.
    if (!isInHeader && cell.column >= this.#cells.length) return;
    while (this.#cells.length <= cell.column) this.#cells.push('');
    this.#cells[cell.column] = this.#textOf(cell);
    if (cell.hasFormula && (isInHeader || this.#collector.columns.has(cell.column))) this.#formulas.push(cell.column);
  }

  #textOf({ column, type, value }: Cell): string {
    if (type === 's') return unescapeText(this.#workbook.sharedStrings[Number(value)] ?? '');
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.replace(/T00:00:00(\.0+)?Z?$/, '');
    if (type !== 'n' || value === '') return unescapeText(value);
    return this.#collector.columns.get(column)?.valueType === 'date' ? this.#dateFromParts(value) : formatDecimal(value);
  }

  #dateFromParts(stored: string): string {
    let text = this.#dates.get(stored);
    if (text === undefined) {
      text = formatSerialDate(stored, this.#workbook.uses1904Dates);
      // Serials with a time of day rarely repeat, so an unbounded cache would fill the memory.
      if (this.#dates.size < 10_000) this.#dates.set(stored, text);
    }
    return text;
  }

  #closeRow(): void {
    if (this.#collector.width === undefined) {
      this.#closeHeader();
      return;
    }
    if (this.#formulas.length > 0) {
      const faults = this.#formulas.map((column) => ({
        column: this.#collector.columns.get(column)?.name ?? '',
        reason: `cell ${columnLetters(column)}${this.#line} contains a formula: paste the column as values`,
      }));
      const rejectedRow = this.#collector.rejectRow(this.#line, faults, this.#cells);
      if (rejectedRow !== undefined) this.#rows.push(rejectedRow);
      return;
    }
    if (this.#cells.every((cell) => cell.trim() === '')) return;
    const row = this.#collector.readRow(this.#cells, this.#line);
    if (row !== undefined) this.#rows.push(row);
  }

  #closeHeader(): void {
    // The header must be line 1: a sheet that starts lower has none.
    this.#collector.readHeader(this.#line === 1 ? this.#cells : []);
    const [formula] = this.#formulas;
    if (formula !== undefined)
      throw new UnreadableFileError(1, '', `cell ${columnLetters(formula)}1 of the header contains a formula: enter its text`);
  }
}

function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter;
}
