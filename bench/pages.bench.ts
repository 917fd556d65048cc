/** Measures pages in a browser: the scripts they load before any interaction, and how much their content shifts while loading. */
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import { findProgram } from '../scripts/testing/debian.ts';
import { MAX_LAYOUT_SHIFT, readLayoutShift, watchLayoutShifts } from '../scripts/testing/layout-shift.ts';
import { measureScriptBytes, SCRIPT_LIMITS } from '../scripts/testing/page-scripts.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { assertLoaded, logInAsPractice, logInAsTrader, PRACTICE_QUERY, startPortalWithPractice } from './portal-with-practice.ts';

type Visitor = 'nobody' | 'trader' | 'practice';
type MeasuredPage = { readonly as: Visitor; readonly path: string };

const PAGES: readonly MeasuredPage[] = [
  { as: 'nobody', path: '/v2/instant-vat' },
  { as: 'nobody', path: '/v2/open-tax' },
  { as: 'nobody', path: '/login' },
  { as: 'nobody', path: '/help' },
  { as: 'nobody', path: '/v2/instant-vat/demo' },
  { as: 'nobody', path: '/privacy' },
  { as: 'trader', path: '/v2/instant-vat/dashboard' },
  { as: 'trader', path: '/v2/instant-vat/dashboard/returns' },
  { as: 'trader', path: '/v2/instant-vat/dashboard/advance' },
  { as: 'trader', path: '/v2/instant-vat/dashboard/books' },
  { as: 'trader', path: '/connections' },
  { as: 'trader', path: '/pending-tasks' },
  { as: 'trader', path: '/profile' },
  { as: 'practice', path: '/v2/open-tax/dashboard' },
  { as: 'practice', path: '/v2/open-tax/clients' },
  { as: 'practice', path: '/v2/open-tax/calendar' },
  { as: 'practice', path: '/v2/open-tax/settings' },
];
const WIDTHS = [360, 768, 1440] as const;

export async function measurePages(): Promise<BenchRow[]> {
  const executablePath = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (!executablePath) return [{ title: 'pages in a browser', measured: 'not measured: no Chromium', limit: 'a browser', ok: false }];
  const portal = await startPortalWithPractice();
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  try {
    const rows: BenchRow[] = [];
    for (const visitor of ['nobody', 'trader', 'practice'] as const) {
      const { query, state } = await logIn(browser, portal.address, visitor);
      for (const page of PAGES.filter((candidate) => candidate.as === visitor)) {
        const url = `${portal.address}${page.path}${query}`;
        if (page.path in SCRIPT_LIMITS) rows.push(await measureScripts(browser, state, url, page.path as keyof typeof SCRIPT_LIMITS));
        rows.push(await measureShift(browser, state, url, page.path));
      }
    }
    return rows;
  } finally {
    await browser.close();
    await portal.stop();
  }
}

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

async function logIn(browser: Browser, address: string, visitor: Visitor): Promise<{ query: string; state: StorageState }> {
  const context = await browser.newContext();
  const query =
    visitor === 'trader'
      ? new URL(await logInAsTrader(await context.newPage(), address)).search
      : visitor === 'practice'
        ? PRACTICE_QUERY
        : '';
  if (visitor === 'practice') await logInAsPractice(context, address);
  const state = await context.storageState();
  await context.close();
  return { query, state };
}

export async function measureScripts(
  browser: Browser,
  state: StorageState,
  url: string,
  path: keyof typeof SCRIPT_LIMITS,
): Promise<BenchRow> {
  const bytes = await measureScriptBytes(browser, state, url, assertLoaded);
  return {
    title: `JavaScript of ${path} before any interaction, gzip`,
    measured: `${(bytes / 1000).toFixed(1)} kB`,
    limit: `at most ${SCRIPT_LIMITS[path] / 1000} kB`,
    ok: bytes <= SCRIPT_LIMITS[path],
  };
}

/** Measures the total layout shift of a first visit at each width. */
async function measureShift(browser: Browser, storageState: StorageState, url: string, path: string): Promise<BenchRow> {
  const shifts: number[] = [];
  for (const width of WIDTHS) {
    const context = await browser.newContext({ storageState, serviceWorkers: 'block', viewport: { width, height: 900 } });
    await watchLayoutShifts(context);
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    shifts.push(await readLayoutShift(page));
    await assertLoaded(page);
    await context.close();
  }
  return {
    title: `layout shift of ${path} at ${WIDTHS.join(', ')} px`,
    measured: shifts.map((shift) => shift.toFixed(3)).join(', '),
    limit: `at most ${MAX_LAYOUT_SHIFT}`,
    ok: shifts.every((shift) => shift <= MAX_LAYOUT_SHIFT),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measurePages();
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
