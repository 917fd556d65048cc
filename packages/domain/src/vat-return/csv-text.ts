/** Writing CSV that a spreadsheet may open safely. */

/** A cell that a spreadsheet would run as a formula gets an apostrophe in front, which makes it text (OWASP, CSV injection). For texts only: a negative amount is a number, not a formula. */
export function neutraliseCsvCell(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

/** One line of CSV without its line end; quotes where a comma, a quote or a line end asks for them. */
export function formatCsvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}
