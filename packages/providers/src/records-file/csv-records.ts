/** Splits CSV text into records, each with the line it starts on. Papa Parse splits the fields; limits and line numbers are ours. */
import Papa from 'papaparse';
import type { DecodedText } from './decode-text.ts';
import { UnreadableFileError } from './unreadable-file-error.ts';

/** Records in file order. `getLine` returns the line where a record starts. */
export type CsvBatch = {
  readonly records: readonly (readonly string[])[];
  readonly getLine: (index: number) => number;
  /** Indexes of records with unbalanced quotes, whose fields may be wrong. */
  readonly misquotedRows: ReadonlySet<number>;
};

/**
 * Limits the length of a record in characters, because an unclosed quote would swallow the rest of the file. A longer record is rejected,
 * so that a hostile file costs neither memory nor repeated parsing.
 */
const MAX_RECORD_LENGTH = 256 * 1024;
const OPTIONS = { newline: '\n', quoteChar: '"', escapeChar: '"' } as const;
const NONE_MISQUOTED: ReadonlySet<number> = new Set();

/**
 * Creates the bare parser. It splits text into records, and `meta.cursor` is where the last complete record ends if more text follows. We
 * use Papa Parse's Parser class rather than its streams because it takes one chunk at a time: the caller controls the flow, the library
 * doesn't queue anything, and a record can be rejected before it grows.
 */
export function createCsvParser(delimiter = ','): (input: string, inputPart: 'partial' | 'end') => Papa.ParseResult<string[]> {
  const parser = new Papa.Parser({ ...OPTIONS, delimiter });
  return (input, inputPart) => parser.parse(input, 0, inputPart === 'partial') as Papa.ParseResult<string[]>;
}

/** Splits decoded text into batches of records. Throws UnreadableFileError for a decoding fault or an endless record. */
export async function* splitCsv(texts: AsyncIterable<DecodedText>, delimiter = ','): AsyncGenerator<CsvBatch> {
  const parse = createCsvParser(delimiter);
  let unparsedText = '';
  let line = 1;
  for await (const { text, fault } of texts) {
    const input = unparsedText === '' ? text : unparsedText + text;
    const result = parse(input, 'partial');
    const end = result.meta.cursor;
    unparsedText = input.slice(end);
    const lines = input.includes('"') ? countLines(input, end) : result.data.length;
    if (result.data.length > 0) yield toBatch(result, line, lines);
    line += lines;
    if (fault !== undefined) throw new UnreadableFileError(line + countLines(unparsedText, unparsedText.length), '', fault);
    if (unparsedText.length > MAX_RECORD_LENGTH) throw new UnreadableFileError(line, '', describeUnterminatedRecord(unparsedText));
  }
  if (unparsedText === '') return;
  const result = parse(unparsedText, 'end');
  if (result.errors.some(({ code }) => code === 'MissingQuotes')) {
    const openedIndex = result.data.length - 1;
    const batch = toBatch(result, line, countLines(unparsedText, unparsedText.length));
    throw new UnreadableFileError(
      batch.getLine(openedIndex),
      '',
      'the quote that starts here is never closed: close it, or double any quotes within the text',
    );
  }
  yield toBatch(result, line, countLines(unparsedText, unparsedText.length) + 1);
}

function toBatch(result: Papa.ParseResult<string[]>, firstLine: number, lines: number): CsvBatch {
  const records = result.data;
  const misquotedRows = result.errors.length === 0 ? NONE_MISQUOTED : new Set(result.errors.map(({ row }) => row ?? 0));
  if (lines === records.length) return { records, getLine: (index) => firstLine + index, misquotedRows };
  const lineStarts: number[] = [];
  let line = firstLine;
  for (const record of records) {
    lineStarts.push(line);
    line += 1;
    for (const field of record) line += countLines(field, field.length);
  }
  return { records, getLine: (index) => lineStarts[index] ?? line, misquotedRows };
}

/** Returns the number of line endings before a position. */
function countLines(text: string, end: number): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index >= 0 && index < end; index = text.indexOf('\n', index + 1)) count += 1;
  return count;
}

function describeUnterminatedRecord(rest: string): string {
  return rest.includes('"')
    ? `the quote that starts here isn’t closed within ${MAX_RECORD_LENGTH} characters: close it, or double any quotes within the text`
    : `the line is longer than ${MAX_RECORD_LENGTH} characters: check that this is a CSV file`;
}
