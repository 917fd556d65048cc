/**
 * `npm run boxes -- FILE --from DATE --to DATE`: calculates the nine boxes from a file of books and prints one JSON object. Exits 1 when
 * the file or the arguments have errors.
 */
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@portal/domain/app-error.ts';
import { toPoundsText } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { Period, PeriodTotals } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import { accumulateByPeriod } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { RowError } from '@portal/domain/books/books-row.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { readBooksFile } from '@portal/providers/books-file/read-books-file.ts';

/** The JSON output; members are printed in this order. */
type Output = {
  readonly boxes?: ReturnType<typeof formatBoxes>;
  readonly direction?: PeriodTotals['direction'];
  readonly rows?: number;
  readonly outside_period?: number;
  readonly flagged?: number;
  readonly errors: readonly RowError[];
};
type Command = { readonly path: string; readonly period: Period };

const USAGE = 'npm run boxes -- FILE --from YYYY-MM-DD --to YYYY-MM-DD';

async function run(args: readonly string[]): Promise<Output> {
  const command = readCommand(args);
  if ('errors' in command) return command;
  const { path, period } = command;
  const accumulator = accumulateByPeriod([period]);
  const file = readBooksFile(createReadStream(path), { fileName: basename(path) });
  try {
    for await (const rows of file.batches) accumulator.add(rows);
    const { rows, errors } = file.summary();
    if (errors.length > 0) return { rows, errors };
    const [totals] = accumulator.totals();
    if (!totals) throw new RangeError('a single period must give exactly one total');
    return toOutput(totals, rows, accumulator.countOutside());
  } catch (error) {
    if (error instanceof AppError) return { rows: file.summary().rows, errors: [{ line: 0, column: 'net', reason: error.message }] };
    return toFileError(path, error);
  }
}

/** Reads the arguments and reports every problem at once, not only the first. */
function readCommand(args: readonly string[]): Command | Output {
  const errors: RowError[] = [];
  const addError = (column: string, reason: string) => errors.push({ line: 0, column, reason });
  const parsed = splitArguments(args);
  if (typeof parsed === 'string') return { errors: [{ line: 0, column: 'arguments', reason: parsed }] };
  const { values, positionals } = parsed;
  const [file, ...extraFiles] = positionals;
  if (file === undefined) addError('FILE', `give the name of a file: ${USAGE}`);
  if (extraFiles.length > 0) addError('FILE', `give only one file, and put quotes around a name that contains spaces: ${USAGE}`);
  const readDate = (name: 'from' | 'to') => {
    const text = values[name];
    const date = text === undefined ? undefined : parsePlainDate(text);
    if (text === undefined) addError(`--${name}`, `the date is missing: ${USAGE}`);
    else if (date === undefined) addError(`--${name}`, `${JSON.stringify(text)} isn’t a valid date: enter it as YYYY-MM-DD`);
    return date;
  };
  const from = readDate('from');
  const to = readDate('to');
  if (from !== undefined && to !== undefined && from > to) addError('--to', `the period ends (${to}) before it starts (${from})`);
  if (errors.length > 0 || file === undefined || from === undefined || to === undefined) return { errors };
  // npm runs scripts in the repository's root, so relative paths are resolved against the folder where the command was typed.
  return { path: resolve(process.env['INIT_CWD'] ?? '', file), period: { from, to } };
}

/** Returns the parsed options and positionals, or an error message. */
function splitArguments(args: readonly string[]) {
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}: ${USAGE}`;
  }
}

function toOutput({ boxes, direction, flagged }: PeriodTotals, rows: number, outsidePeriod: number): Output {
  return { boxes: formatBoxes(boxes), direction, rows, outside_period: outsidePeriod, flagged, errors: [] };
}

function formatBoxes(boxes: NineBoxes) {
  return {
    box1: toPoundsText(boxes.box1),
    box2: toPoundsText(boxes.box2),
    box3: toPoundsText(boxes.box3),
    box4: toPoundsText(boxes.box4),
    box5: toPoundsText(boxes.box5),
    box6: boxes.box6,
    box7: boxes.box7,
    box8: boxes.box8,
    box9: boxes.box9,
  };
}

/** Describes a file-system error. Any other error is a bug and is rethrown. */
function toFileError(path: string, error: unknown): Output {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `file not found: ${path}`,
    EISDIR: `${path} is a folder: give the name of a file`,
    EACCES: `you don’t have permission to read ${path}`,
    ENOTDIR: `file not found: ${path}`,
  };
  const reason = typeof code === 'string' ? (reasons[code] ?? `couldn’t read ${path}: ${code}`) : undefined;
  if (reason === undefined) throw error;
  return { errors: [{ line: 0, column: 'FILE', reason }] };
}

const output = await run(process.argv.slice(2));
process.stdout.write(`${JSON.stringify(output)}\n`);
if (output.errors.length > 0) process.exitCode = 1;
