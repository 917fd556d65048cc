/** Reads the rows of a sheet as text, whatever they mean: a table whose header and columns are not known yet. */
import { parseXml } from './parse-xml.ts';
import type { TableRow } from './table-row.ts';
import { UnreadableFileError } from './unreadable-file-error.ts';
import { formatDecimal, formatSerialDate, parseColumnIndex, unescapeText } from './xlsx-cells.ts';
import type { Workbook } from './xlsx-workbook.ts';
import { readZipEntry, type ZipEntry } from './zip-entries.ts';

const MAX_SHEET_BYTES = 300_000_000;
/** Row limit of a spreadsheet (ECMA-376: XFD1048576 is the last cell). A file with more rows is hostile. */
const MAX_ROWS = 1_048_576;
/** Cells further right belong to no list of clients. */
const MAX_COLUMNS = 300;

type SheetSource = { readonly workbook: Workbook; readonly dateStyles: ReadonlySet<number>; readonly entry: ZipEntry };

/** Rows with content, in batches. A formula counts as the value that the file shows for it. */
export async function* readSheetRows(source: SheetSource): AsyncGenerator<readonly TableRow[]> {
  const reader = new SheetRowReader(source);
  for await (const _ of parseXml(readZipEntry(source.entry, MAX_SHEET_BYTES), reader)) {
    const rows = reader.drainRows();
    if (rows.length > 0) yield rows;
  }
}

/** Listens to the XML of a sheet. */
class SheetRowReader {
  readonly #source: SheetSource;
  #rows: TableRow[] = [];
  #line = 0;
  #cells: string[] = [];
  #nextColumn = 0;
  #cell: { readonly column: number; readonly type: string; readonly isDate: boolean; value: string } | undefined;
  #takesText = false;

  constructor(source: SheetSource) {
    this.#source = source;
  }

  drainRows(): readonly TableRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: () => Record<string, string>): void {
    if (name === 'row') this.#openRow(Number(attributes()['r']));
    else if (name === 'c') this.#openCell(attributes());
    this.#takesText = this.#cell !== undefined && (name === 'v' || name === 't');
  }

  text(text: string): void {
    if (this.#takesText && this.#cell) this.#cell.value += text;
  }

  close(name: string): void {
    this.#takesText = false;
    if (name === 'c') this.#closeCell();
    else if (name === 'row' && this.#cells.some((cell) => cell.trim() !== ''))
      this.#rows.push({ line: this.#line, cells: this.#cells, isMisquoted: false });
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
    this.#cells = [];
    this.#nextColumn = 0;
  }

  #openCell({ r = '', t = 'n', s = '' }: Record<string, string>): void {
    const column = parseColumnIndex(r) ?? this.#nextColumn;
    this.#nextColumn = column + 1;
    this.#cell = { column, type: t, isDate: this.#source.dateStyles.has(Number(s)) && s !== '', value: '' };
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (!cell || cell.column >= MAX_COLUMNS) return;
    while (this.#cells.length <= cell.column) this.#cells.push('');
    this.#cells[cell.column] = this.#toText(cell);
  }

  #toText({ type, value, isDate }: { readonly type: string; readonly value: string; readonly isDate: boolean }): string {
    const { sharedStrings, uses1904Dates } = this.#source.workbook;
    if (type === 's') return unescapeText(sharedStrings[Number(value)] ?? '');
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.replace(/T00:00:00(\.0+)?Z?$/, '');
    if (type === 'e') return '';
    if (type !== 'n' || value === '') return unescapeText(value);
    return isDate ? formatSerialDate(value, uses1904Dates) : formatDecimal(value);
  }
}
