import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatFailureNote, type PartResult } from './part.ts';
import { runTool } from './run-command.ts';

type VitestReport = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
};

/** Runs one project from vitest.config.ts. A run that fails without a failed test (such as a file that doesn't load) counts as failed. */
export async function runVitest(
  part: string,
  project: string,
  fileFilters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<PartResult> {
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'portal-vitest-'));
  const file = join(folder, 'report.json');
  try {
    const args = [
      'run',
      ...fileFilters,
      '--project',
      project,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ];
    const { exitCode } = await runTool('vitest/vitest.mjs', args, { environment, show: true });
    return { part, ...countReport(part, file, exitCode), seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countReport(part: string, file: string, exitCode: number): Omit<PartResult, 'part' | 'seconds'> {
  const report = readReport(file);
  if (!report)
    return {
      passed: 0,
      failed: exitCode === 0 ? 0 : 1,
      skipped: 0,
      notes: exitCode === 0 ? [] : [`failed: ${part} ended without a report`],
    };
  const tests = report.testResults.flatMap((testFile) => testFile.assertionResults);
  const filesThatDidNotLoad = report.testResults.filter(
    (testFile) => testFile.status === 'failed' && testFile.assertionResults.every(({ status }) => status !== 'failed'),
  );
  const failedTests = tests.filter(({ status }) => status === 'failed');
  const failedCount = failedTests.length + filesThatDidNotLoad.length;
  const isFailedOtherwise = exitCode !== 0 && failedCount === 0;
  return {
    passed: report.numPassedTests,
    failed: isFailedOtherwise ? 1 : failedCount,
    skipped: report.numPendingTests + report.numTodoTests,
    notes: [
      ...failedTests.map(({ fullName, failureMessages = [] }) => formatFailureNote(part, fullName, failureMessages)),
      ...filesThatDidNotLoad.map(({ name, message = '' }) => formatFailureNote(part, `${name} did not load`, [message])),
      ...(isFailedOtherwise ? [`failed: ${part}: an error outside any test (above)`] : []),
      ...tests
        .filter(({ status }) => status === 'pending' || status === 'skipped' || status === 'todo')
        .map(({ fullName }) => `skipped: ${part}: ${fullName}`),
    ],
  };
}

function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  } catch {
    // vitest doesn't write a report if there are no test files or if it can't start; the exit code distinguishes the two.
    return undefined;
  }
}
