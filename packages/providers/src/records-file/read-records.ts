/** The one way into the portal for a file of rows, CSV or XLSX. */
import { detectFormat } from './detect-format.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import type { RecordCollector } from './record-collector.ts';

/** The rows in batches, as the stream comes in. Throws UnreadableFile for what cannot be read; what the stream itself throws passes through. */
export async function* readRecords<Row>(
  stream: AsyncIterable<Uint8Array>,
  fileName: string,
  collector: RecordCollector<Row>,
): AsyncGenerator<readonly Row[]> {
  const found = await detectFormat(stream, fileName);
  yield* found.format === 'xlsx' ? readXlsx(found.stream, collector) : readCsv(found.stream, collector);
}
