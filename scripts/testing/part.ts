import { stripVTControlCharacters } from 'node:util';

/** The result of one part of the tests. A part that can't run counts as one skipped test, with a note. */
export type PartResult = {
  readonly part: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The names of failed and skipped tests for the summary, with the first lines of the reason. */
  readonly notes: readonly string[];
  readonly seconds: number;
};

export function createSkippedPart(part: string, reasonText: string, isFailure: boolean): PartResult {
  return {
    part,
    passed: 0,
    failed: isFailure ? 1 : 0,
    skipped: isFailure ? 0 : 1,
    notes: [`${isFailure ? 'failed' : 'skipped'}: ${part}: ${reasonText}`],
    seconds: 0,
  };
}

/** Enough to start debugging from the truncated end of a CI log. */
const MAX_REASON_LINES = 14;

/** Formats a summary note about a failed test: its name, with the reason below. */
export function formatFailureNote(part: string, name: string, messages: readonly string[]): string {
  const lines = stripVTControlCharacters(messages.join('\n')).split('\n');
  const reason = lines.filter((line) => line.trim() !== '' && !/node_modules|new Promise/.test(line)).slice(0, MAX_REASON_LINES);
  return [`failed: ${part}: ${name}`, ...reason.map((line) => `    ${line}`)].join('\n  ');
}

/** Returns one line per part, then the failed and skipped tests by name, then the counts as the last line. */
export function summarise(results: readonly PartResult[]): string {
  const rows = results.map(
    ({ part, passed, failed, skipped, seconds }) =>
      `  ${part.padEnd(12)}${String(passed).padStart(6)} passed${String(failed).padStart(5)} failed${String(skipped).padStart(5)} skipped${seconds.toFixed(1).padStart(8)} s`,
  );
  const sumResults = (key: 'passed' | 'failed' | 'skipped') => results.reduce((sum, result) => sum + result[key], 0);
  const notes = results.flatMap((result) => result.notes.map((note) => `  ${note}`));
  return ['', ...rows, ...notes, `${sumResults('passed')} passed, ${sumResults('failed')} failed, ${sumResults('skipped')} skipped`].join(
    '\n',
  );
}
