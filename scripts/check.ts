/** `npm run check`: types, lint, layers, unused code and format. Prints the problems, and the counts last. */
import { pathToFileURL } from 'node:url';
import { checkCitations } from './checking/check-citations.ts';
import { checkLayers } from './checking/check-layers.ts';
import { checkWords } from './checking/check-words.ts';
import type { PartResult } from './testing/part.ts';
import { runTool, type CommandResult } from './testing/run-command.ts';

type Check = { readonly name: string; readonly run: () => Promise<CommandResult> };

const tool = (name: string, entry: string, ...given: string[]): Check => ({ name, run: () => runTool(entry, given) });

const checks: readonly Check[] = [
  tool('types of the Node side', 'typescript/bin/tsc', '-p', 'tsconfig.json'),
  // The functions in journeys run partly in Node and partly in the browser.
  tool('types of the journeys', 'typescript/bin/tsc', '-p', 'tests'),
  tool('types of the web app', 'typescript/bin/tsc', '-p', 'apps/web'),
  tool('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  { name: 'layers: forbidden imports are rejected', run: async () => asResult(await checkLayers()) },
  { name: 'words to avoid', run: async () => asResult(checkWords()) },
  { name: 'citations and links', run: async () => asResult(checkCitations()) },
  tool('unused code', 'knip/bin/knip.js', '--no-progress'),
  tool('format', 'oxfmt/bin/oxfmt', '--check'),
];

export async function runChecks(part: string): Promise<PartResult> {
  const startedAt = performance.now();
  const failed: string[] = [];
  for (const { name, run } of checks) {
    const { exitCode, output } = await run();
    process.stdout.write(`${exitCode === 0 ? '✓' : '✗'} ${name}\n${exitCode === 0 ? '' : `${output.trim()}\n\n`}`);
    if (exitCode !== 0) failed.push(name);
  }
  const notes = failed.map((name) => `failed: ${part}: ${name}`);
  return {
    part,
    passed: checks.length - failed.length,
    failed: failed.length,
    skipped: 0,
    notes,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

function asResult(problems: readonly string[]): CommandResult {
  return { exitCode: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { passed, failed } = await runChecks('check');
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
