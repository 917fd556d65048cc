/**
 * `npm test [-- PART ... [FILE ...]]`: runs all parts, or the named ones, limited to test files whose path contains a FILE. `db` is
 * everything with a database; `both-engines` is all of it on each engine. The last line is always `N passed, N failed, N skipped`.
 */
import { runChecks } from './check.ts';
import { runAlertTests } from './testing/run-alert-tests.ts';
import { parseTestArguments } from './testing/parse-test-arguments.ts';
import { summarise, type PartResult } from './testing/part.ts';
import { runJourneys } from './testing/run-journeys.ts';
import { runOnPostgres } from './testing/run-on-postgres.ts';
import { runVitest } from './testing/run-vitest.ts';
import { keepTemporaryFilesInMemory } from './testing/temporary-files.ts';

// In CI, a part that can't run fails the build, because a skip would go unnoticed.
const mustRun = process.env['CI'] === 'true';

type Part = { readonly name: string; readonly selectedBy: readonly string[]; readonly run: (name: string) => Promise<PartResult> };

const BOTH_ENGINES = 'both-engines';

const parts: readonly Part[] = [
  { name: 'check', selectedBy: ['check'], run: runChecks },
  { name: 'alerts', selectedBy: ['alerts'], run: (name) => runAlertTests(name, mustRun) },
  { name: 'unit', selectedBy: ['unit'], run: (name) => runVitest(name, 'unit', fileFilters) },
  { name: 'web', selectedBy: ['web'], run: (name) => runVitest(name, 'web', fileFilters) },
  { name: 'postgres', selectedBy: ['postgres', 'db', BOTH_ENGINES], run: (name) => runOnPostgres(name, mustRun, fileFilters) },
  { name: 'embedded', selectedBy: ['embedded', 'db', BOTH_ENGINES], run: runOnEmbedded },
  { name: 'journeys', selectedBy: ['journeys'], run: (name) => runJourneys(name, mustRun, fileFilters) },
];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const partNames = [...new Set(parts.flatMap(({ selectedBy }) => selectedBy))];
const selection = parseTestArguments(process.argv.slice(2), partNames);
if ('problem' in selection) {
  process.stderr.write(`${selection.problem}\n`);
  process.exit(1);
}
const { parts: requestedParts, fileFilters } = selection;

keepTemporaryFilesInMemory();
const results: PartResult[] = [];
for (const { name, selectedBy, run } of parts) {
  if (requestedParts.length > 0 && !selectedBy.some((requestedPart) => requestedParts.includes(requestedPart))) continue;
  process.stdout.write(`\n== ${name}\n`);
  results.push(await run(name).catch((error: unknown) => toFailedPart(name, error)));
}
const hasRunNothing = results.every(({ passed, failed, skipped }) => passed + failed + skipped === 0);
if (hasRunNothing)
  process.stderr.write(`No test file of ${requestedParts.join(' or ')} has “${fileFilters.join('” or “')}” in its path.\n`);
process.exitCode = hasRunNothing || results.some(({ failed }) => failed > 0) ? 1 : 0;
process.stdout.write(`${summarise(results)}\n`);

/** Runs everything, unless everything has just been run on PostgreSQL: then only the tests that may differ on this engine. */
function runOnEmbedded(part: string): Promise<PartResult> {
  const isAfterPostgres = results.some((result) => result.part === 'postgres' && result.passed > 0);
  const isSelection = isAfterPostgres && !requestedParts.includes(BOTH_ENGINES);
  return runVitest(part, 'db', fileFilters, { TEST_DATABASE_URL: '', TESTS_AFTER_POSTGRES: String(isSelection) });
}

function toFailedPart(part: string, error: unknown): PartResult {
  const reason = error instanceof Error ? error.message : String(error);
  return { part, passed: 0, failed: 1, skipped: 0, notes: [`failed: ${part}: ${reason}`], seconds: 0 };
}
