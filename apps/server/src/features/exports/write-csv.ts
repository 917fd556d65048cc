/** Writes a table as CSV (RFC 4180) for spreadsheets. UTF-8 with a byte order mark, because Excel assumes another encoding without it. */
import { toPoundsText } from '@portal/domain/money.ts';
import type { Cell } from './export-columns.ts';
import { neutraliseCsvCell } from '@portal/domain/books/csv-text.ts';

export async function* writeCsv(titles: readonly string[], rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${formatLine(titles)}`);
  let buffer = '';
  for await (const row of rows) {
    buffer += formatLine(row.map(formatCell));
    if (buffer.length < CHUNK_LENGTH) continue;
    yield Buffer.from(buffer);
    buffer = '';
  }
  if (buffer !== '') yield Buffer.from(buffer);
}

const CHUNK_LENGTH = 32_768;

function formatCell(cell: Cell): string {
  switch (cell?.kind) {
    case undefined:
      return '';
    case 'text':
      return neutraliseCsvCell(cell.text);
    case 'day':
      return cell.day;
    case 'count':
      return String(cell.count);
    case 'money':
      // A plain number that spreadsheets can add up, without a currency sign or commas. A minus sign before digits is not a formula.
      return toPoundsText(cell.pence);
  }
}

function formatLine(cells: readonly string[]): string {
  return `${cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`;
}
