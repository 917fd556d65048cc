/** Parses a story's rows with the same parser as a trader's file. */
import type { BooksRow } from '@portal/domain/books/books-row.ts';
import { BOOKS_COLUMNS } from '@portal/domain/books/books-row.ts';
import { parseHeader } from '@portal/domain/books/parse-header.ts';
import { createRowParser } from '@portal/domain/books/parse-books-row.ts';

/** Line 1 is the header, as in a file. If the parser rejects a row, the story contains a mistake. */
export function parseStoryBooks(rows: readonly (readonly string[])[]): BooksRow[] {
  const header = parseHeader(BOOKS_COLUMNS);
  if (!header.ok) throw new RangeError('could not parse the columns of the books file');
  const refuse = (line: number, column: string, describeReason: () => string): never => {
    throw new RangeError(`line ${line} of the story, ${column}: ${describeReason()}`);
  };
  const parse = createRowParser(header.positions, { reject: refuse, note: () => undefined, onDate: () => undefined });
  return rows.flatMap((cells, index) => parse(cells, index + 2) ?? []);
}
