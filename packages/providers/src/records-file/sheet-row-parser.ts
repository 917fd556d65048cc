/** Converts a sheet's XML to rows of text cells, for every reader of XLSX files. */
import { toColumnLetters } from './table-row.ts';
import { UnreadableFileError } from './unreadable-file-error.ts';
import { formatDecimal, formatSerialDate, parseColumnIndex, unescapeText } from './xlsx-cells.ts';
import type { Workbook } from './xlsx-workbook.ts';

export const MAX_SHEET_BYTES = 300_000_000;
/** The row limit of a spreadsheet (ECMA-376: XFD1048576 is the last cell). A file with more rows is hostile. */
const MAX_ROWS = 1_048_576;
/** Excel's limit is 32,767 characters; other software writes slightly more. */
const MAX_CELL_CHARACTERS = 100_000;

/** A row and its number in the sheet. `formulas`: columns whose cells contain a formula; their text is the value shown. */
export type SheetRow = { readonly line: number; readonly cells: string[]; readonly formulas: readonly number[] };

type SheetRowOptions = {
  readonly workbook: Workbook;
  /** Returns true if a number in this column with this cell style is a date. */
  readonly isDate: (column: number, style: string) => boolean;
  /** Cells from this column onwards aren't read. Called for each row, because the first row can determine it. */
  readonly getMaxColumns: () => number;
  /** Receives each row once it is complete, including rows without content. */
  readonly onRow: (row: SheetRow) => void;
};

type Cell = { readonly column: number; readonly type: string; readonly style: string; value: string; hasFormula: boolean };

/** Listens to a sheet's XML. */
export class SheetRowParser {
  readonly #options: SheetRowOptions;
  readonly #dates = new Map<string, string>();
  #line = 0;
  #maxColumns = 0;
  #cells: string[] = [];
  #formulas: number[] = [];
  #nextColumn = 0;
  #cell: Cell | undefined;
  #takesText = false;

  constructor(options: SheetRowOptions) {
    this.#options = options;
  }

  open(name: string, attributes: () => Record<string, string>): void {
    if (name === 'row') this.#openRow(Number(attributes()['r']));
    else if (name === 'c') this.#openCell(attributes());
    else if (name === 'f' && this.#cell) this.#cell.hasFormula = true;
    this.#takesText = this.#cell !== undefined && (name === 'v' || name === 't');
  }

  text(text: string): void {
    if (!this.#takesText || !this.#cell) return;
    this.#cell.value += text;
    if (this.#cell.value.length <= MAX_CELL_CHARACTERS) return;
    const cell = `${toColumnLetters(this.#cell.column)}${this.#line}`;
    throw new UnreadableFileError(this.#line, '', `cell ${cell} has more text than a spreadsheet cell can hold: shorten it`);
  }

  close(name: string): void {
    this.#takesText = false;
    if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#options.onRow({ line: this.#line, cells: this.#cells, formulas: this.#formulas });
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
    this.#maxColumns = this.#options.getMaxColumns();
    this.#cells = [];
    this.#formulas = [];
    this.#nextColumn = 0;
  }

  #openCell({ r = '', t = 'n', s = '' }: Record<string, string>): void {
    const column = parseColumnIndex(r) ?? this.#nextColumn;
    this.#nextColumn = column + 1;
    this.#cell = { column, type: t, style: s, value: '', hasFormula: false };
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (!cell || cell.column >= this.#maxColumns) return;
    while (this.#cells.length <= cell.column) this.#cells.push('');
    this.#cells[cell.column] = this.#toText(cell);
    if (cell.hasFormula) this.#formulas.push(cell.column);
  }

  #toText({ column, type, style, value }: Cell): string {
    const { workbook, isDate } = this.#options;
    if (type === 's') return unescapeText(workbook.sharedStrings[Number(value)] ?? '');
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.replace(/T00:00:00(\.0+)?Z?$/, '');
    if (type !== 'n' || value === '') return unescapeText(value);
    return isDate(column, style) ? this.#toDate(value) : formatDecimal(value);
  }

  #toDate(storedText: string): string {
    let dateText = this.#dates.get(storedText);
    if (dateText === undefined) {
      dateText = formatSerialDate(storedText, this.#options.workbook.uses1904Dates);
      // Serials with a time of day rarely repeat, so an unbounded cache would fill the memory.
      if (this.#dates.size < 10_000) this.#dates.set(storedText, dateText);
    }
    return dateText;
  }
}
