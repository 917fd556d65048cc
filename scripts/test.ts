/** `npm test [-- PART ...]`: runs all parts, or the named ones. The last line is always `N passed, N failed, N skipped`. */
import { runChecks } from './check.ts';
import { summarise, type PartResult } from './testing/part.ts';
import { runJourneys } from './testing/run-journeys.ts';
import { runOnPostgres } from './testing/run-on-postgres.ts';
import { runVitest } from './testing/run-vitest.ts';

// In CI a part that cannot run fails the build, because a skip would go unnoticed.
const mustRun = process.env['CI'] === 'true';

type Part = { readonly name: string; readonly asked: readonly string[]; readonly run: (name: string) => Promise<PartResult> };

const parts: readonly Part[] = [
  { name: 'check', asked: ['check'], run: runChecks },
  { name: 'unit', asked: ['unit'], run: (name) => runVitest(name, 'unit') },
  { name: 'web', asked: ['web'], run: (name) => runVitest(name, 'web') },
  { name: 'db', asked: ['db'], run: (name) => runVitest(name, 'db', { TEST_DATABASE_URL: '' }) },
  { name: 'postgres', asked: ['db', 'postgres'], run: (name) => runOnPostgres(name, mustRun) },
  { name: 'journeys', asked: ['journeys'], run: (name) => runJourneys(name, mustRun) },
];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts.some(({ asked }) => asked.includes(name)));
if (unknown.length > 0) {
  process.stderr.write(`There is no part "${unknown.join('", "')}": choose from ${parts.map(({ name }) => name).join(', ')}.\n`);
  process.exit(1);
}

const results: PartResult[] = [];
for (const { name, asked, run } of parts) {
  if (wanted.length > 0 && !asked.some((word) => wanted.includes(word))) continue;
  process.stdout.write(`\n== ${name}\n`);
  results.push(await run(name).catch((error: unknown) => brokenPart(name, error)));
}
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;
process.stdout.write(`${summarise(results)}\n`);

function brokenPart(part: string, error: unknown): PartResult {
  const reason = error instanceof Error ? error.message : String(error);
  return { part, passed: 0, failed: 1, skipped: 0, notes: [`failed: ${part}: ${reason}`], seconds: 0 };
}
