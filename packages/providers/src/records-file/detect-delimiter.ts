/** Finds the character that separates a text file's columns. */
import { createCsvParser } from './csv-records.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Returns the delimiter that splits most lines into the same number of columns; a comma for a single column. */
export function detectDelimiter(start: string): string {
  const scores = DELIMITERS.map((delimiter) => scoreDelimiter(start, delimiter));
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ',';
}

/** Title lines are shorter, and text may contain commas by chance, so only the most frequent number of columns counts. */
function scoreDelimiter(start: string, delimiter: string): number {
  const { data } = createCsvParser(delimiter)(start, 'end');
  const counts = new Map<number, number>();
  for (const { length } of data.slice(0, 200)) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return Math.max(0, ...[...counts].map(([columns, lines]) => lines * (columns - 1)));
}
