/** Test helpers that read a whole file. */
import type { BooksRow } from '@portal/domain/books/books-row.ts';
import { BOOKS_COLUMNS } from '@portal/domain/books/books-row.ts';
import type { BooksFileSummary } from '../read-books-file.ts';
import { readBooksFile } from '../read-books-file.ts';

export const HEADER = BOOKS_COLUMNS.join(',');

/** Returns a row that is valid in every column. */
export function createGoodLine(reference: string, description = 'Goods'): string {
  return `2026-02-03,sale,${reference},Acme,${description},100.00,20.00,standard`;
}

/** Reads text or bytes in chunks of `pieceBytes` bytes. */
export async function readAll(content: string | Uint8Array, pieceBytes = 65_536): Promise<BooksFileSummary & { all: BooksRow[] }> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const allRows: BooksRow[] = [];
  const file = readBooksFile(toChunks(bytes, pieceBytes), { fileName: 'books.csv' });
  for await (const rows of file.batches) allRows.push(...rows);
  return { ...file.summary(), all: allRows };
}

async function* toChunks(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += pieceBytes) yield bytes.subarray(offset, offset + pieceBytes);
}
