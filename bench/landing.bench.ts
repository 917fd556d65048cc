/** Measures the scripts that must load before the landing page is interactive, and the time of a second start. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findProgram } from '../scripts/testing/debian.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import type { BenchRow } from './bench-row.ts';
import { measureScripts } from './pages.bench.ts';
import { startPortal, stopPortal } from './start-portal.ts';

const MAX_SECOND_START_MS = 3_000;
const STARTS = 3;

export async function measureLanding(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const environment = { DATA_DIR: folder, PORT: String(await findFreePort()), SANDBOX_PORT: String(await findFreePort()) };
  try {
    const first = await startPortal(environment);
    const rows: BenchRow[] = [];
    rows.push(...(await measureFirstPages(first.address)));
    await stopPortal(first.process);
    const times: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const restartedPortal = await startPortal(environment);
      times.push(restartedPortal.milliseconds);
      await stopPortal(restartedPortal.process);
    }
    const medianMs = times.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0;
    rows.push({
      title: 'second start of the server with its simulators, until the ready line',
      measured: `${(medianMs / 1000).toFixed(1)} s`,
      limit: `${MAX_SECOND_START_MS / 1000} s`,
      ok: medianMs <= MAX_SECOND_START_MS,
    });
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureFirstPages(address: string): Promise<BenchRow[]> {
  const executablePath = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (!executablePath) return [{ title: 'first pages in a browser', measured: 'not measured: no Chromium', limit: 'a browser', ok: false }];
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  const rows: BenchRow[] = [];
  for (const path of ['/v2/instant-vat', '/login'] as const) {
    rows.push(await measureScripts(browser, { cookies: [], origins: [] }, `${address}${path}`, path));
  }
  await browser.close();
  return rows;
}
