/**
 * `npm run boxes -- FILE --from DATE --to DATE`: calculates the nine boxes from a file of books and prints one JSON object. Exits 1 when
 * the file or the arguments have errors.
 */
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@portal/domain/app-error.ts';
import { poundsText } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { Period, PeriodTotals } from '@portal/domain/vat-return/accumulate-boxes.ts';
import { accumulateByPeriod } from '@portal/domain/vat-return/accumulate-boxes.ts';
import type { RowError } from '@portal/domain/vat-return/books-row.ts';
import type { NineBoxes } from '@portal/domain/vat-return/nine-boxes.ts';
import { readBooksFile } from '@portal/providers/books-file/read-books-file.ts';

/** The JSON output; members are printed in this order. */
type Answer = {
  readonly boxes?: ReturnType<typeof printBoxes>;
  readonly direction?: PeriodTotals['direction'];
  readonly rows?: number;
  readonly outside_period?: number;
  readonly flagged?: number;
  readonly errors: readonly RowError[];
};
type Command = { readonly path: string; readonly period: Period };

const USAGE = 'npm run boxes -- FILE --from YYYY-MM-DD --to YYYY-MM-DD';

async function run(args: readonly string[]): Promise<Answer> {
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
    return answerOf(totals, rows, accumulator.countOutside());
  } catch (error) {
    if (error instanceof AppError) return { rows: file.summary().rows, errors: [{ line: 0, column: 'net', reason: error.message }] };
    return fileError(path, error);
  }
}

/** Reads the arguments and reports every problem at once, not only the first. */
function readCommand(args: readonly string[]): Command | Answer {
  const errors: RowError[] = [];
  const refuse = (column: string, reason: string) => errors.push({ line: 0, column, reason });
  const given = splitArguments(args);
  if (typeof given === 'string') return { errors: [{ line: 0, column: 'arguments', reason: given }] };
  const { values, positionals } = given;
  const [file, ...surplus] = positionals;
  if (file === undefined) refuse('FILE', `name the file: ${USAGE}`);
  if (surplus.length > 0) refuse('FILE', `one file at a time, and quotes around a name with spaces: ${USAGE}`);
  const readDate = (name: 'from' | 'to') => {
    const text = values[name];
    const date = text === undefined ? undefined : parsePlainDate(text);
    if (text === undefined) refuse(`--${name}`, `the date is missing: ${USAGE}`);
    else if (date === undefined) refuse(`--${name}`, `${JSON.stringify(text)} is not an existing date written YYYY-MM-DD`);
    return date;
  };
  const from = readDate('from');
  const to = readDate('to');
  if (from !== undefined && to !== undefined && from > to) refuse('--to', `the period ends (${to}) before it begins (${from})`);
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

function answerOf({ boxes, direction, flagged }: PeriodTotals, rows: number, outside: number): Answer {
  return { boxes: printBoxes(boxes), direction, rows, outside_period: outside, flagged, errors: [] };
}

function printBoxes(boxes: NineBoxes) {
  return {
    box1: poundsText(boxes.box1),
    box2: poundsText(boxes.box2),
    box3: poundsText(boxes.box3),
    box4: poundsText(boxes.box4),
    box5: poundsText(boxes.box5),
    box6: boxes.box6,
    box7: boxes.box7,
    box8: boxes.box8,
    box9: boxes.box9,
  };
}

/** Describes a file-system error. Any other error is a bug and is rethrown. */
function fileError(path: string, error: unknown): Answer {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `there is no file ${path}`,
    EISDIR: `${path} is a folder: name a file`,
    EACCES: `${path} may not be read by this user`,
    ENOTDIR: `there is no file ${path}`,
  };
  const reason = typeof code === 'string' ? (reasons[code] ?? `${path} cannot be read: ${code}`) : undefined;
  if (reason === undefined) throw error;
  return { errors: [{ line: 0, column: 'FILE', reason }] };
}

const answer = await run(process.argv.slice(2));
process.stdout.write(`${JSON.stringify(answer)}\n`);
if (answer.errors.length > 0) process.exitCode = 1;
