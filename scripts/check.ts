/**
 * `npm run check`: checks types, lint, layers, words, citations, licences, unused code and format. Prints the problems, then the counts.
 */
import { pathToFileURL } from 'node:url';
import { checkCitations } from './checking/check-citations.ts';
import { checkCssModules } from './checking/check-css-modules.ts';
import { checkLayers } from './checking/check-layers.ts';
import { checkLicences } from './checking/check-licences.ts';
import { checkWords } from './checking/check-words.ts';
import type { PartResult } from './testing/part.ts';
import { runTool, type CommandResult } from './testing/run-command.ts';

type Check = { readonly name: string; readonly run: () => Promise<CommandResult> };

const createToolCheck = (name: string, entry: string, ...args: string[]): Check => ({ name, run: () => runTool(entry, args) });

/** One thread, because each additional thread checks the shared types again: four (the default) take twice the CPU time. */
const createTypeCheck = (name: string, project: string): Check =>
  createToolCheck(`types: ${name}`, 'typescript/bin/tsc', '-p', project, '--checkers', '1');

/** The slowest first, because checks start in this order. */
const checks: readonly Check[] = [
  createToolCheck('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  createTypeCheck('server, packages and scripts', 'tsconfig.json'),
  createTypeCheck('web app', 'apps/web'),
  // Journeys have their own configuration, because their code runs partly in Node and partly in the browser.
  createTypeCheck('journeys', 'tests'),
  { name: 'layers: forbidden imports are rejected', run: async () => toCommandResult(await checkLayers()) },
  { name: 'style sheets: every class exists and is used', run: async () => toCommandResult(checkCssModules()) },
  { name: 'words: no words to avoid', run: async () => toCommandResult(checkWords()) },
  { name: 'citations and links: all targets exist', run: async () => toCommandResult(checkCitations()) },
  { name: 'licences: everything shipped may be', run: async () => toCommandResult(await checkLicences()) },
  createToolCheck('unused code', 'knip/bin/knip.js', '--no-progress'),
  createToolCheck('format', 'oxfmt/bin/oxfmt', '--check'),
];

const CHECKS_AT_A_TIME = 2;

export async function runChecks(part: string): Promise<PartResult> {
  const startedAt = performance.now();
  const failedChecks: string[] = [];
  const waitingChecks = checks.values();
  const runWaiting = async (): Promise<void> => {
    // The loops share one iterator, so each check runs once.
    for (const { name, run } of waitingChecks) {
      const { exitCode, output } = await run();
      process.stdout.write(`${exitCode === 0 ? '✓' : '✗'} ${name}\n${exitCode === 0 ? '' : `${output.trim()}\n\n`}`);
      if (exitCode !== 0) failedChecks.push(name);
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, runWaiting));
  const notes = failedChecks.map((name) => `failed: ${part}: ${name}`);
  return {
    part,
    passed: checks.length - failedChecks.length,
    failed: failedChecks.length,
    skipped: 0,
    notes,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

function toCommandResult(problems: readonly string[]): CommandResult {
  return { exitCode: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { passed, failed } = await runChecks('check');
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
