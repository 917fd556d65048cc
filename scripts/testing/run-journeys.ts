import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, installOnDebian } from './debian.ts';
import { formatFailureNote, createSkippedPart, type PartResult } from './part.ts';
import { repositoryRoot, runTool } from './run-command.ts';

// The headless shell needs a fifth less CPU time than full Chromium.
const HEADLESS_SHELL = 'chromium-headless-shell';
const browsers = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

type PlaywrightReport = {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number };
  readonly errors: readonly { readonly message?: string }[];
  readonly suites?: readonly Suite[];
};
type TestRun = { readonly status: string; readonly results?: readonly { readonly error?: { readonly message?: string } }[] };
type Suite = {
  readonly title: string;
  readonly specs?: readonly { readonly title: string; readonly tests: readonly TestRun[] }[];
  readonly suites?: readonly Suite[];
};

/** Runs the journeys in Chromium against their own portals (started by tests/journeys/journey.ts). */
export async function runJourneys(part: string, mustRun: boolean, fileFilters: readonly string[]): Promise<PartResult> {
  const startedAt = performance.now();
  const journeysFolder = `${repositoryRoot}tests/journeys`;
  if (!existsSync(journeysFolder) || !readdirSync(journeysFolder, { recursive: true }).some((name) => String(name).endsWith('.spec.ts'))) {
    return createSkippedPart(part, 'there is no journey yet', mustRun);
  }
  if (!findProgram([HEADLESS_SHELL])) await installOnDebian(HEADLESS_SHELL);
  const browser = findProgram(browsers) ?? ((await installOnDebian('chromium')) ? findProgram(browsers) : undefined);
  if (!browser) return createSkippedPart(part, 'no Chromium found; install Chromium or Google Chrome to run them', mustRun);
  const folder = mkdtempSync(join(tmpdir(), 'portal-journeys-'));
  const file = join(folder, 'report.json');
  try {
    const environment = {
      CHROMIUM_PATH: browser,
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    };
    const { exitCode } = await runTool('@playwright/test/cli.js', ['test', ...fileFilters, '--reporter=list,json'], {
      environment,
      show: true,
    });
    return { part, ...countReport(part, file, exitCode), seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countReport(part: string, file: string, exitCode: number): Omit<PartResult, 'part' | 'seconds'> {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0, notes: [`failed: ${part} ended without a report`] };
  const report = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  const { expected, unexpected, flaky, skipped } = report.stats;
  // A journey that passes only on retry counts as failed.
  const failedCount = unexpected + flaky;
  const isFailedOtherwise = exitCode !== 0 && failedCount === 0;
  return {
    passed: expected,
    failed: isFailedOtherwise ? 1 : failedCount,
    skipped,
    notes: [
      ...report.errors.map(({ message }) => `failed: ${part}: ${message?.split('\n')[0] ?? 'an error outside any journey'}`),
      ...(report.suites ?? []).flatMap((suite) => listNotes(part, suite)),
    ],
  };
}

function listNotes(part: string, suite: Suite): string[] {
  const specNotes = (suite.specs ?? []).flatMap(({ title, tests }) =>
    tests.flatMap(({ status, results = [] }) => {
      const name = `${suite.title} ${title}`;
      if (status === 'expected') return [];
      if (status === 'skipped') return [`skipped: ${part}: ${name}`];
      return [
        formatFailureNote(
          part,
          name,
          results.flatMap(({ error }) => error?.message ?? []),
        ),
      ];
    }),
  );
  return [...specNotes, ...(suite.suites ?? []).flatMap((inner) => listNotes(part, inner))];
}
