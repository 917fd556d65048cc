import { splitCsv } from './csv-records.ts';
import { decodeText } from './decode-text.ts';
import type { RecordCollector } from './record-collector.ts';

const MISQUOTED_MESSAGE = [
  {
    column: '',
    reason: 'this row has a missing opening or closing quote: put quotes around the whole value, and double any quotes within the text',
  },
];

/** Returns the rows of a CSV file in batches, one for each chunk of the stream. No rows follow once the collector rejects the file. */
export async function* readCsv<Row>(stream: AsyncIterable<Uint8Array>, collector: RecordCollector<Row>): AsyncGenerator<readonly Row[]> {
  let hasHeader = false;
  for await (const { records, getLine, misquotedRows } of splitCsv(decodeText(stream))) {
    const rows: Row[] = [];
    for (let index = 0; index < records.length; index += 1) {
      const cells = records[index] ?? [];
      if (!hasHeader) {
        collector.readHeader(cells);
        hasHeader = true;
        continue;
      }
      if (misquotedRows.size > 0 && misquotedRows.has(index)) {
        const rejectedRow = collector.rejectRow(getLine(index), MISQUOTED_MESSAGE, cells);
        if (rejectedRow !== undefined) rows.push(rejectedRow);
        continue;
      }
      if (isBlank(cells)) continue;
      const row = collector.readRow(cells, getLine(index));
      if (row !== undefined) rows.push(row);
    }
    if (rows.length > 0 && !collector.isRejected) yield rows;
  }
  if (!hasHeader) collector.readHeader([]);
}

/** Returns true if a line has no values: empty, spaces, or only a spreadsheet's commas. It isn't a record. */
function isBlank(cells: readonly string[]): boolean {
  const first = cells[0] ?? '';
  return (first === '' || first.trim() === '') && cells.every((cell) => cell.trim() === '');
}
