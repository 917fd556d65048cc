/**
 * `npm run positions -- FILE.json --today DATE`: calculates what a client owes, is due to be repaid and must do, based on the sources in a
 * file, and prints one JSON object. Uses the same functions as the screens. If it rejects anything, it exits with 1 and lists everything
 * rejected.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { toInstant } from '@portal/domain/clock.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { InputError, type InputProblem } from './positions/input-problems.ts';
import { printPositions, type PrintedPositions } from './positions/print-positions.ts';
import { readInput } from './positions/read-input.ts';

type Command = { readonly path: string; readonly today: PlainDate };

const USAGE = 'npm run positions -- FILE.json --today YYYY-MM-DD';

function run(args: readonly string[]): PrintedPositions {
  const { path, today } = readCommand(args);
  return printPositions(readInput(readJson(path), toInstant(Date.parse(`${today}T00:00:00Z`))), today);
}

/** Reads the arguments and reports all problems together, not just the first. */
function readCommand(args: readonly string[]): Command {
  const problems: InputProblem[] = [];
  const { values, positionals } = splitArguments(args);
  const [file, ...extraFiles] = positionals;
  const today = values.today === undefined ? undefined : parsePlainDate(values.today);
  if (file === undefined) problems.push({ field: 'FILE', problem: `Give the name of a file: ${USAGE}` });
  if (extraFiles.length > 0) problems.push({ field: 'FILE', problem: `Give only one file: ${USAGE}` });
  if (values.today === undefined) problems.push({ field: '--today', problem: `Give the date: ${USAGE}` });
  else if (today === undefined)
    problems.push({ field: '--today', problem: `${JSON.stringify(values.today)} isn’t a valid date. Enter it as YYYY-MM-DD.` });
  if (problems.length > 0 || file === undefined || today === undefined) throw new InputError(problems);
  // npm runs scripts in the repository's root, so relative paths are resolved against the user's working directory.
  return { path: resolve(process.env['INIT_CWD'] ?? '', file), today };
}

function splitArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { today: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new InputError([{ field: 'arguments', problem: `${error instanceof Error ? error.message : String(error)}: ${USAGE}` }]);
  }
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new InputError([{ field: 'FILE', problem: code === 'ENOENT' ? `File not found: ${path}` : `We couldn’t read ${path}: ${code}` }]);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InputError([{ field: 'FILE', problem: `This isn’t JSON: ${error instanceof Error ? error.message : String(error)}` }]);
  }
}

try {
  process.stdout.write(`${JSON.stringify(run(process.argv.slice(2)))}\n`);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  process.stdout.write(`${JSON.stringify({ errors: error.problems })}\n`);
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
