/**
 * A row with content, and its line in the file. `isMisquoted`: a quote is missing, so its cells may be wrong. `formulas`: the sheet columns
 * whose cells contain a formula.
 */
export type TableRow = {
  readonly line: number;
  readonly cells: readonly string[];
  readonly isMisquoted: boolean;
  readonly formulas?: readonly number[];
};

/** Returns a column's letters, as shown in a spreadsheet: 0 is A. */
export function toColumnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : toColumnLetters(Math.floor(column / 26) - 1) + letter;
}
