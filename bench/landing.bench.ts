/** What a visitor's browser must fetch before the landing page can be used, and how soon a second start is ready. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { findProgram } from '../scripts/testing/debian.ts';
import { freePort } from '../scripts/testing/free-port.ts';
import { repositoryRoot } from '../scripts/testing/run-command.ts';
import type { BenchRow } from './bench-row.ts';

/** What each page may weigh before anything is clicked or typed. */
const SCRIPT_LIMITS = [
  { name: 'the landing page', path: '/v2/instant-vat', bytes: 130_000 },
  { name: 'the login page', path: '/login', bytes: 150_000 },
] as const;
const SECOND_START_LIMIT_MS = 3_000;
const STARTS = 3;

export async function measureLanding(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const environment = { DATA_DIR: folder, PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
  try {
    const first = await start(environment);
    const rows: BenchRow[] = [];
    for (const page of SCRIPT_LIMITS) rows.push(await weighScripts(first.address, page));
    await stop(first.process);
    const times: number[] = [];
    for (let count = 0; count < STARTS; count += 1) {
      const again = await start(environment);
      times.push(again.milliseconds);
      await stop(again.process);
    }
    const seen = times.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0;
    rows.push({
      what: 'second start of the server with its doubles, to the ready line',
      measured: `${(seen / 1000).toFixed(1)} s`,
      limit: `${SECOND_START_LIMIT_MS / 1000} s`,
      ok: seen <= SECOND_START_LIMIT_MS,
    });
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const LIGHTHOUSE = 'lighthouse@13.5.0';
const LIGHTHOUSE_LIMIT = 95;

/** Lighthouse's own verdict, by npx at a pinned version: it weighs 176 MB, so the lock file does without it. */
export async function measureLighthouse(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-lighthouse-'));
  const environment = { DATA_DIR: folder, PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
  const portal = await start(environment);
  try {
    const rows: BenchRow[] = [];
    for (const page of ['/v2/instant-vat']) {
      const report = join(folder, 'report.json');
      const flags = ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])].join(' ');
      const given = [
        '--yes',
        LIGHTHOUSE,
        `${portal.address}${page}`,
        '--quiet',
        '--output=json',
        `--output-path=${report}`,
        `--chrome-flags=${flags}`,
      ];
      const chrome = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
      execFileSync('npx', given, { stdio: 'inherit', env: { ...process.env, ...(chrome ? { CHROME_PATH: chrome } : {}) } });
      const { categories } = JSON.parse(readFileSync(report, 'utf8')) as { categories: Record<string, { title: string; score: number }> };
      for (const { title, score } of Object.values(categories)) {
        const points = Math.round(score * 100);
        rows.push({
          what: `Lighthouse of ${page}: ${title}`,
          measured: `${points}`,
          limit: `at least ${LIGHTHOUSE_LIMIT}`,
          ok: points >= LIGHTHOUSE_LIMIT,
        });
      }
    }
    return rows;
  } finally {
    await stop(portal.process);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Started = { readonly process: ChildProcess; readonly address: string; readonly milliseconds: number };

function start(environment: Readonly<Record<string, string>>): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(repositoryRoot, 'apps/server/src/main.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      const [, address] = /^ready (\S+)/m.exec(String(text)) ?? [];
      if (address) resolve({ process: child, address, milliseconds: performance.now() - startedAt });
    });
    child.once('exit', () => reject(new Error('the portal ended before it was ready')));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** Every script that a browser loads by itself, packed as gzip packs it: nothing is clicked or typed. */
async function weighScripts(address: string, { name, path, bytes: most }: (typeof SCRIPT_LIMITS)[number]): Promise<BenchRow> {
  const executablePath = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  const what = `JavaScript of ${name} before the first interaction, gzip`;
  const limit = `${most / 1000} kB`;
  if (!executablePath) return { what, measured: 'not measured: no Chromium', limit, ok: false };
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  const page = await browser.newPage();
  const weights: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') weights.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  await page.goto(`${address}${path}`, { waitUntil: 'networkidle' });
  const bytes = (await Promise.all(weights)).reduce((sum, weight) => sum + weight, 0);
  await browser.close();
  return { what, measured: `${(bytes / 1000).toFixed(1)} kB`, limit, ok: bytes <= most };
}
