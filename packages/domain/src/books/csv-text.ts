/** Creates CSV output that is safe to open in a spreadsheet. */

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe (OWASP, CSV injection). Only for text, because a negative
 * amount is a number.
 */
export function neutraliseCsvCell(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

/** Returns one CSV line without its line ending; quotes cells that contain a comma, quote or line break. */
export function formatCsvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}
