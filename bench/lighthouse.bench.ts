/**
 * Measures the Lighthouse scores of the first pages that users see. Lighthouse runs through npx at a pinned version, because its 176 MB
 * don't belong in the lock file.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from '@playwright/test';
import { findProgram } from '../scripts/testing/debian.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { assertLoaded, logInAsPractice, logInAsTrader, PRACTICE_QUERY, startPortalWithPractice } from './portal-with-practice.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
/** Number of runs per page. The median is reported. */
const RUNS_PER_PAGE = 5;
const TIMEOUT_MS = 150_000;
/** A page from the same server without any application code, as a baseline for how fast this machine currently is. */
const STATIC_PAGE = '/offline.html';

type MeasuredPage = {
  readonly path: string;
  /** Lighthouse's default is a phone on a slow network. The dashboard is also measured as a desktop, where most people use it. */
  readonly as: 'phone' | 'desktop';
  /** The minimum performance score, as a number or as points below the static page. */
  readonly performance: number | { readonly belowStatic: number };
  readonly isPublic: boolean;
};

const PUBLIC_PAGES: readonly MeasuredPage[] = ['/v2/instant-vat', '/login', '/v2/open-tax'].map((path) => ({
  path,
  as: 'phone',
  performance: { belowStatic: 3 },
  isPublic: true,
}));
const TRADER_PAGES: readonly MeasuredPage[] = (['phone', 'desktop'] as const).map((device) => ({
  path: '/v2/instant-vat/dashboard',
  as: device,
  performance: 95,
  isPublic: false,
}));
const PRACTICE_PAGES: readonly MeasuredPage[] = ['/v2/open-tax/dashboard', '/v2/open-tax/clients'].map((path) => ({
  path,
  as: 'phone',
  performance: 90,
  isPublic: false,
}));

export async function measureLighthouse(): Promise<BenchRow[]> {
  const portal = await startPortalWithPractice();
  const { address, folder } = portal;
  const chrome = await startChromium(join(folder, 'profile'));
  try {
    const baseline = getPerformance(runPage({ as: 'phone' }, `${address}${STATIC_PAGE}`, folder, chrome.port));
    const rows = PUBLIC_PAGES.flatMap((page) => scorePage(page, `${address}${page.path}`, folder, chrome.port, baseline));
    const { search } = new URL(await chrome.use(async (browser) => runWithPage(browser, (page) => logInAsTrader(page, address))));
    for (const page of TRADER_PAGES) {
      await chrome.use(clearScripts);
      rows.push(...scorePage(page, `${address}${page.path}${search}`, folder, chrome.port, baseline));
    }
    await chrome.use((browser) => runWithPage(browser, (page) => logInAsPractice(page.context(), address)));
    for (const page of PRACTICE_PAGES) {
      const url = `${address}${page.path}${PRACTICE_QUERY}`;
      await chrome.use((browser) => runWithPage(browser, (visit) => openPage(visit, url)));
      await chrome.use(clearScripts);
      rows.push(...scorePage(page, url, folder, chrome.port, baseline));
    }
    return rows;
  } finally {
    await chrome.stop();
    await portal.stop();
  }
}

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' });
  await assertLoaded(page);
}

async function runWithPage<Result>(browser: Browser, work: (page: Page) => Promise<Result>): Promise<Result> {
  const [context] = browser.contexts();
  if (!context) throw new Error('Chromium has no browser context.');
  const page = await context.newPage();
  const result = await work(page);
  await page.close();
  return result;
}

type Chromium = {
  readonly port: number;
  /** Connects to the browser and then disconnects, because Lighthouse's tabs wait while another client is connected. */
  use<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
};

/**
 * Starts one Chromium for both the sign-in and Lighthouse. A session cookie passed as a header wouldn't be sent with the page's own
 * requests.
 */
async function startChromium(profile: string): Promise<Chromium> {
  const chromiumPath = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (!chromiumPath) throw new Error('Lighthouse needs Chromium: the README names the package.');
  const port = await findFreePort();
  const flags = ['--headless=new', `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`];
  const child = spawn(chromiumPath, [...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), 'about:blank'], { stdio: 'ignore' });
  const exitPromise = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    port,
    use: async (work) => {
      const browser = await connect(port);
      try {
        return await work(browser);
      } finally {
        await browser.close();
      }
    },
    stop: async () => {
      child.kill('SIGKILL');
      await exitPromise;
    },
  };
}

/** Retries, because Chromium doesn't listen immediately after starting. */
async function connect(port: number, tries = 50): Promise<Browser> {
  try {
    return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  } catch (error) {
    if (tries === 0) throw error;
    await pause(200);
    return connect(port, tries - 1);
  }
}

/** Clears the cached scripts but keeps the session, so that each run loads the scripts like a first visit. */
async function clearScripts(browser: Browser): Promise<void> {
  const page = await browser.contexts()[0]?.newPage();
  const session = page && (await page.context().newCDPSession(page));
  await session?.send('Network.clearBrowserCache');
  await page?.close();
}

type LighthouseReport = {
  readonly categories: Readonly<
    Record<
      string,
      { readonly title: string; readonly score: number; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
    >
  >;
  readonly audits: Readonly<Record<string, { readonly score?: number | null; readonly numericValue?: number }>>;
};

const runPage = ({ as }: Pick<MeasuredPage, 'as'>, url: string, folder: string, port: number): LighthouseReport[] =>
  Array.from({ length: RUNS_PER_PAGE }, () => runLighthouse(as, url, folder, port));

const getScores = (reports: readonly LighthouseReport[], id: string): number[] =>
  reports.map(({ categories }) => Math.round((categories[id]?.score ?? 0) * 100)).toSorted((a, b) => a - b);

const getPerformance = (reports: readonly LighthouseReport[]): number => getMedian(getScores(reports, 'performance'));

const getMedian = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;

/**
 * Returns the median score of several runs for each category. Lighthouse simulates a slow CPU by multiplying times by four, which also
 * multiplies the noise.
 */
function scorePage(page: MeasuredPage, url: string, folder: string, port: number, baseline: number): BenchRow[] {
  const reports = runPage(page, url, folder, port);
  const titles = Object.entries(reports[0]?.categories ?? {}).filter(([id]) => id !== 'seo' || page.isPublic);
  return titles.map(([id, { title }]) => {
    const scores = getScores(reports, id);
    const score = getMedian(scores);
    const isPerformance = id === 'performance';
    const { performance } = page;
    const minimum = !isPerformance ? 100 : typeof performance === 'number' ? performance : baseline - performance.belowStatic;
    const details = isPerformance
      ? ` (${scores.join(', ')}; ${formatBlockingTimes(reports)}; a static page ${baseline}; load ${loadavg()[0]?.toFixed(1)})`
      : ` ${listFailures(reports[0], id)}`;
    return {
      title: `Lighthouse of ${page.path} (${page.as}): ${title}`,
      measured: `${score}${details}`,
      limit: `at least ${minimum}`,
      ok: score >= minimum,
    };
  });
}

/** Lists the audits of a category that lower its score. */
function listFailures(report: LighthouseReport | undefined, id: string): string {
  const refs = report?.categories[id]?.auditRefs ?? [];
  const failedAudits = refs
    .filter(({ id: audit, weight }) => weight > 0 && (report?.audits[audit]?.score ?? 1) < 1)
    .map(({ id: audit }) => audit);
  return failedAudits.length === 0 ? '' : `(${failedAudits.join(', ')})`;
}

function runLighthouse(device: MeasuredPage['as'], url: string, folder: string, port: number): LighthouseReport {
  const report = join(folder, 'report.json');
  const browserFlags = [`--port=${port}`, '--disable-storage-reset', ...(device === 'desktop' ? ['--preset=desktop'] : [])];
  const args = ['--yes', LIGHTHOUSE, url, '--quiet', '--output=json', `--output-path=${report}`, ...browserFlags];
  execFileSync('npx', args, { stdio: 'inherit', timeout: TIMEOUT_MS });
  return JSON.parse(readFileSync(report, 'utf8')) as LighthouseReport;
}

function formatBlockingTimes(reports: readonly LighthouseReport[]): string {
  return `blocked ${reports.map(({ audits }) => Math.round(audits['total-blocking-time']?.numericValue ?? 0)).join(', ')} ms`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureLighthouse();
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
