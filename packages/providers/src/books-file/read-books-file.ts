/** The one way into the portal for a file of books: the command and the screen both read through here. */
import type { BooksRow } from '@portal/domain/vat-return/books-row.ts';
import { readRecords } from '../records-file/read-records.ts';
import { UnreadableFile } from '../records-file/unreadable-file.ts';
import type { BooksFileSummary } from './row-collector.ts';
import { RowCollector } from './row-collector.ts';

export type { BooksFileSummary, FileNote } from './row-collector.ts';

/** A file being read: take all the batches, then ask for the summary (asked earlier, it tells what was read so far). */
export type BooksFile = {
  readonly batches: AsyncIterable<readonly BooksRow[]>;
  summary(): BooksFileSummary;
};

/**
 * Reads a CSV or XLSX file as a stream. What is wrong with the file never throws: it stands in the summary's errors, and
 * once there is one no more rows come, because a file with an error is not applied. What the stream itself throws passes through.
 */
export function readBooksFile(stream: AsyncIterable<Uint8Array>, { fileName }: { readonly fileName: string }): BooksFile {
  const collector = new RowCollector();
  return { batches: readBatches(stream, fileName, collector), summary: () => collector.summary() };
}

async function* readBatches(
  stream: AsyncIterable<Uint8Array>,
  fileName: string,
  collector: RowCollector,
): AsyncGenerator<readonly BooksRow[]> {
  try {
    yield* readRecords(stream, fileName, collector);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    collector.errors.add(error.line, error.column, error.message);
  }
}
