/**
 * Lighthouse scores of the first pages people see. Lighthouse runs through npx at a pinned version, because its 176 MB do not belong in the
 * lock file.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser } from '@playwright/test';
import { findProgram } from '../scripts/testing/debian.ts';
import { freePort } from '@portal/sandbox/testing/free-port.ts';
import type { BenchRow } from './bench-row.ts';
import { startPortal, stopPortal } from './start-portal.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const MIN_SCORE = 95;
/** Runs for each page; the median counts. */
const RUNS_PER_PAGE = 3;
const TIMEOUT_MS = 150_000;

type Run = { readonly path: string; readonly as: 'phone' | 'desktop' };

/**
 * Lighthouse's default is a phone on a slow network. The dashboard is also measured as a desktop, where most people use it. Public pages
 * come first.
 */
const RUNS: readonly Run[] = [
  { path: '/v2/instant-vat', as: 'phone' },
  { path: '/login', as: 'phone' },
];
const DASHBOARD_RUNS: readonly Run['as'][] = ['phone', 'desktop'];

export async function measureLighthouse(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-lighthouse-'));
  const environment = { DATA_DIR: folder, PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
  const portal = await startPortal(environment);
  const chrome = await startChromium(join(folder, 'profile'));
  try {
    const rows = RUNS.flatMap((run) => scorePage(run, `${portal.address}${run.path}`, folder, chrome.port));
    const address = await chrome.use((browser) => openDashboard(browser, portal.address));
    for (const as of DASHBOARD_RUNS) {
      await chrome.use(clearScripts);
      rows.push(...scorePage({ path: '/v2/instant-vat/dashboard', as }, address, folder, chrome.port));
    }
    return rows;
  } finally {
    await chrome.stop();
    await stopPortal(portal.process);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Chromium = {
  readonly port: number;
  /** Connects to the browser and disconnects afterwards, because Lighthouse's tabs wait while another client is connected. */
  use<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
};

/**
 * One Chromium for the sign-in and for Lighthouse. A session cookie passed as a header would not reach the requests that the page makes.
 */
async function startChromium(profile: string): Promise<Chromium> {
  const program = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (!program) throw new Error('Lighthouse needs Chromium: the README names the package.');
  const port = await freePort();
  const flags = ['--headless=new', `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`];
  const child = spawn(program, [...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), 'about:blank'], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
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
      await ended;
    },
  };
}

/** Retries, because Chromium starts to listen shortly after its start. */
async function connect(port: number, tries = 50): Promise<Browser> {
  try {
    return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  } catch (error) {
    if (tries === 0) throw error;
    await pause(200);
    return connect(port, tries - 1);
  }
}

/** Logs in as a sandbox person with data on the dashboard (README, people) and returns the dashboard's URL. */
async function openDashboard(browser: Browser, address: string): Promise<string> {
  const [context] = browser.contexts();
  if (!context) throw new Error('Chromium has no browser context.');
  const page = await context.newPage();
  await page.goto(`${address}/login`);
  await page.getByLabel('Email').fill('tessa@brightwell.example');
  await page.getByLabel('Password').fill('Sandbox-2026!');
  await page.keyboard.press('Enter');
  await page.waitForURL(/dashboard/);
  const url = page.url();
  await page.close();
  return url;
}

/** Clears the cached scripts but keeps the session, so that each run loads the scripts like a first visit. */
async function clearScripts(browser: Browser): Promise<void> {
  const page = await browser.contexts()[0]?.newPage();
  const session = page && (await page.context().newCDPSession(page));
  await session?.send('Network.clearBrowserCache');
  await page?.close();
}

type Report = {
  readonly categories: Readonly<Record<string, { readonly title: string; readonly score: number }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
};

/**
 * Returns the median score of several runs for each category. Lighthouse simulates a slow CPU by multiplying times by four, which also
 * multiplies noise.
 */
function scorePage({ path, as }: Run, url: string, folder: string, port: number): BenchRow[] {
  const reports = Array.from({ length: RUNS_PER_PAGE }, () => runLighthouse(as, url, folder, port));
  return Object.entries(reports[0]?.categories ?? {}).map(([id, { title }]) => {
    const scores = reports.map(({ categories }) => Math.round((categories[id]?.score ?? 0) * 100)).toSorted((a, b) => a - b);
    const medianScore = scores[Math.floor(scores.length / 2)] ?? 0;
    const details = id === 'performance' ? ` (${scores.join(', ')}; ${blockingTimes(reports)}; load ${loadavg()[0]?.toFixed(1)})` : '';
    return {
      title: `Lighthouse of ${path} (${as}): ${title}`,
      measured: `${medianScore}${details}`,
      limit: `at least ${MIN_SCORE}`,
      ok: medianScore >= MIN_SCORE,
    };
  });
}

function runLighthouse(as: Run['as'], url: string, folder: string, port: number): Report {
  const report = join(folder, 'report.json');
  const browserFlags = [`--port=${port}`, '--disable-storage-reset', ...(as === 'desktop' ? ['--preset=desktop'] : [])];
  const args = ['--yes', LIGHTHOUSE, url, '--quiet', '--output=json', `--output-path=${report}`, ...browserFlags];
  execFileSync('npx', args, { stdio: 'inherit', timeout: TIMEOUT_MS });
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

function blockingTimes(reports: readonly Report[]): string {
  return `blocked ${reports.map(({ audits }) => Math.round(audits['total-blocking-time']?.numericValue ?? 0)).join(', ')} ms`;
}
