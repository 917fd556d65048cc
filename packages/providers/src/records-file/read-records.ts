/** Reads a file of rows, CSV or XLSX. */
import { detectFormat } from './detect-format.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import type { RecordCollector } from './record-collector.ts';

/**
 * Returns the rows in batches as the stream arrives. Throws UnreadableFileError for unreadable content; errors in the stream itself are
 * rethrown.
 */
export async function* readRecords<Row>(
  stream: AsyncIterable<Uint8Array>,
  fileName: string,
  collector: RecordCollector<Row>,
): AsyncGenerator<readonly Row[]> {
  const detectedFormat = await detectFormat(stream, fileName);
  yield* detectedFormat.format === 'xlsx' ? readXlsx(detectedFormat.stream, collector) : readCsv(detectedFormat.stream, collector);
}
