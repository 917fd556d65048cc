/** Reads a file of business records. Used by both the command-line tool and the upload screen. */
import type { BooksRow } from '@portal/domain/books/books-row.ts';
import { readRecords } from '../records-file/read-records.ts';
import { UnreadableFileError } from '../records-file/unreadable-file-error.ts';
import type { BooksFileSummary } from './row-collector.ts';
import { RowCollector } from './row-collector.ts';

export type { BooksFileSummary } from './row-collector.ts';

/** A file that is being read. Read all batches, then call `summary`; calling it earlier returns the summary so far. */
export type BooksFile = {
  readonly batches: AsyncIterable<readonly BooksRow[]>;
  summary(): BooksFileSummary;
};

/**
 * Reads a CSV or XLSX file as a stream. A faulty file doesn't throw: its errors are in the summary, and no rows follow the first error,
 * because a file with an error isn't applied. Errors in the stream itself are rethrown.
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
    if (!(error instanceof UnreadableFileError)) throw error;
    collector.errors.add(error.line, error.column, error.message);
  }
}
