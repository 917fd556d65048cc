/** `npm test [-- PART ...]`: runs all parts, or the named ones. The last line is always `N passed, N failed, N skipped`. */
import { runChecks } from './check.ts';
import { summarise, type PartOutput, type PartResult } from './testing/part.ts';
import { runJourneys } from './testing/run-journeys.ts';
import { runOnPostgres } from './testing/run-on-postgres.ts';
import { runVitest } from './testing/run-vitest.ts';

// In CI a part that cannot run fails the build, because a skip would go unnoticed.
const mustRun = process.env['CI'] === 'true';

type Part = {
  readonly name: string;
  readonly selectedBy: readonly string[];
  /** Shows its output as it arrives, or at its end. */
  readonly run: (name: string, output: PartOutput) => Promise<PartResult>;
};

/**
 * The parts of a stage run at once. Each of the last three waits a third of its time, for a browser, a killed process or another thread, and
 * one after the other they would take half as long again.
 */
const stages: readonly (readonly Part[])[] = [
  [{ name: 'check', selectedBy: ['check'], run: runChecks }],
  [{ name: 'unit', selectedBy: ['unit'], run: (name, output) => runVitest(name, 'unit', output) }],
  [{ name: 'web', selectedBy: ['web'], run: (name, output) => runVitest(name, 'web', output) }],
  [
    { name: 'db', selectedBy: ['db'], run: (name, output) => runVitest(name, 'db', output, { TEST_DATABASE_URL: '' }) },
    { name: 'postgres', selectedBy: ['db', 'postgres'], run: (name, output) => runOnPostgres(name, output, mustRun) },
    { name: 'journeys', selectedBy: ['journeys'], run: (name, output) => runJourneys(name, output, mustRun) },
  ],
];
const parts = stages.flat();

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const requestedParts = process.argv.slice(2);
const unknownParts = requestedParts.filter((name) => !parts.some(({ selectedBy }) => selectedBy.includes(name)));
if (unknownParts.length > 0) {
  process.stderr.write(`Unknown part “${unknownParts.join('”, “')}”. Choose from ${parts.map(({ name }) => name).join(', ')}.\n`);
  process.exit(1);
}

const isSelected = ({ selectedBy }: Part): boolean =>
  requestedParts.length === 0 || selectedBy.some((requested) => requestedParts.includes(requested));

const results: PartResult[] = [];
for (const stage of stages) {
  const selected = stage.filter(isSelected);
  if (selected.length === 0) continue;
  const beside = selected.slice(1).map(({ name }) => name);
  process.stdout.write(
    `\n== ${selected[0]?.name}${beside.length > 0 ? ` (beside it ${beside.join(' and ')}, shown when they end)` : ''}\n`,
  );
  results.push(...(await Promise.all(selected.map((part, place) => runPart(part, place === 0 ? 'live' : 'at the end')))));
}
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;
process.stdout.write(`${summarise(results)}\n`);

function runPart({ name, run }: Part, output: PartOutput): Promise<PartResult> {
  return run(name, output).catch((error: unknown) => toFailedPart(name, error));
}

function toFailedPart(part: string, error: unknown): PartResult {
  const reason = error instanceof Error ? error.message : String(error);
  return { part, passed: 0, failed: 1, skipped: 0, notes: [`failed: ${part}: ${reason}`], seconds: 0 };
}
