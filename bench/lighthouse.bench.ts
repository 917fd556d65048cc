/** Lighthouse's own verdict on the pages that people meet first, by npx at a pinned version: it weighs 176 MB, so the lock file does without it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../scripts/testing/debian.ts';
import { freePort } from '../scripts/testing/free-port.ts';
import type { BenchRow } from './bench-row.ts';
import { startPortal, stopPortal } from './start-portal.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const LIMIT = 95;

/** A phone on a slow network is Lighthouse's rule; the dashboard is judged as a desk computer too, where most of its people sit. */
const RUNS = [
  { path: '/v2/instant-vat', as: 'phone' },
  { path: '/login', as: 'phone' },
  { path: '/v2/instant-vat/dashboard', as: 'phone', signedIn: true },
  { path: '/v2/instant-vat/dashboard', as: 'desktop', signedIn: true },
] as const;
type Run = { readonly path: string; readonly as: 'phone' | 'desktop'; readonly signedIn?: boolean };

export async function measureLighthouse(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-lighthouse-'));
  const environment = { DATA_DIR: folder, PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
  const portal = await startPortal(environment);
  try {
    const tessa = await signInTessa(portal.address);
    return RUNS.flatMap((run: Run) => judge(run, portal.address, folder, tessa));
  } finally {
    await stopPortal(portal.process);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Tessa = { readonly cookie: string; readonly companyId: string };

/** A sandbox person whose dashboard has something on it (README, "people"). */
async function signInTessa(address: string): Promise<Tessa> {
  const headers = { 'content-type': 'application/json', origin: new URL(address).origin };
  const body = JSON.stringify({ email: 'tessa@brightwell.example', password: 'Sandbox-2026!' });
  const answer = await fetch(`${address}/v2/login`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`Tessa could not log in: ${answer.status} ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
  const { home_path: home } = (await answer.json()) as { home_path: string };
  return { cookie, companyId: new URLSearchParams(home.split('?')[1]).get('company_id') ?? '' };
}

function judge({ path, as, signedIn = false }: Run, address: string, folder: string, tessa: Tessa): BenchRow[] {
  const report = join(folder, 'report.json');
  const flags = ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])].join(' ');
  const given = [
    '--yes',
    LIGHTHOUSE,
    `${address}${path}${signedIn ? `?company_id=${tessa.companyId}` : ''}`,
    '--quiet',
    '--output=json',
    `--output-path=${report}`,
    `--chrome-flags=${flags}`,
    ...(as === 'desktop' ? ['--preset=desktop'] : []),
    ...(signedIn ? [`--extra-headers=${JSON.stringify({ Cookie: tessa.cookie })}`] : []),
  ];
  const chrome = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  execFileSync('npx', given, { stdio: 'inherit', env: { ...process.env, ...(chrome ? { CHROME_PATH: chrome } : {}) } });
  const { categories } = JSON.parse(readFileSync(report, 'utf8')) as { categories: Record<string, { title: string; score: number }> };
  return Object.values(categories).map(({ title, score }) => {
    const points = Math.round(score * 100);
    return {
      what: `Lighthouse of ${path} (${as}): ${title}`,
      measured: `${points}`,
      limit: `at least ${LIMIT}`,
      ok: points >= LIMIT,
    };
  });
}
