/**
 * `npm run boxes -- FILE --from DATE --to DATE`: calculates the nine boxes from a file of books and prints one JSON object. With `--source`
 * and `--data` it reads a provider's recordings instead (decision 54). Exits with 1 if the books or the arguments have errors.
 */
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AppError } from '@portal/domain/app-error.ts';
import { toPoundsText } from '@portal/domain/money.ts';
import type { Period, PeriodTotals } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import { createBoxesAccumulator } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { RowError } from '@portal/domain/books/books-row.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { readBooksFile } from '@portal/providers/books-file/read-books-file.ts';
import { readCommand } from './boxes/read-command.ts';
import type { SourceCommand } from './boxes/source-boxes.ts';

/** The JSON output; properties are printed in this order. */
type Output = {
  readonly boxes?: ReturnType<typeof formatBoxes>;
  readonly direction?: PeriodTotals['direction'];
  readonly rows?: number;
  readonly outside_period?: number;
  readonly flagged?: number;
  readonly errors: readonly RowError[];
};

async function run(args: readonly string[]): Promise<Output> {
  // npm runs scripts in the repository's root, so relative paths are resolved against the user's working directory.
  const command = readCommand(args, (path) => resolve(process.env['INIT_CWD'] ?? '', path));
  if ('errors' in command) return command;
  return 'source' in command ? readSource(command) : readFile(command.path, command.period);
}

async function readFile(path: string, period: Period): Promise<Output> {
  const accumulator = createBoxesAccumulator([period]);
  const file = readBooksFile(createReadStream(path), { fileName: basename(path) });
  try {
    for await (const rows of file.batches) accumulator.add(rows);
    const { rows, errors } = file.summary();
    if (errors.length > 0) return { rows, errors };
    const [totals] = accumulator.totals();
    if (!totals) throw new RangeError('a single period must give exactly one total');
    return toOutput(totals, rows, accumulator.countOutsideRows(), totals.flagged);
  } catch (error) {
    if (error instanceof AppError) return { rows: file.summary().rows, errors: [toTooLargeError(error)] };
    return toFileError(path, error);
  }
}

async function readSource(command: SourceCommand): Promise<Output> {
  // Imported on demand, because reading a file doesn't need a simulator.
  const { computeSourceBoxes } = await import('./boxes/source-boxes.ts');
  try {
    const totals = await computeSourceBoxes(command);
    return 'errors' in totals ? totals : toOutput(totals, totals.rows, totals.outsidePeriod, totals.flagged.length);
  } catch (error) {
    if (error instanceof AppError) return { errors: [toTooLargeError(error)] };
    throw error;
  }
}

function toTooLargeError({ message }: AppError): RowError {
  return { line: 0, column: 'net', reason: message };
}

function toOutput(
  { boxes, direction }: Pick<PeriodTotals, 'boxes' | 'direction'>,
  rows: number,
  outsidePeriod: number,
  flaggedCount: number,
): Output {
  return { boxes: formatBoxes(boxes), direction, rows, outside_period: outsidePeriod, flagged: flaggedCount, errors: [] };
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

/** Describes a file-system error. Any other error is a bug, so it is rethrown. */
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
