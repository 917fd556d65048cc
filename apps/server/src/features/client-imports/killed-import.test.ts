/** An import in the real process, killed at random moments: it goes on by itself, and no client is lost or doubled. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { createTestPostgresDatabase, testServerUrl } from '@portal/db/testing/test-postgres.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { generatePortfolio } from '@portal/providers/portfolio/generate-portfolio.ts';
import { formatImportFile, makeImportFile } from '@portal/providers/portfolio/import-file.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts, startPortalProcess, type PortalProcess } from '../../testing/start-portal-process.ts';

const CLIENTS = 6_000;
/** On PostgreSQL a dead worker is waited for until its heartbeat is missed: one death is enough there. */
const KILLS = testServerUrl() === undefined ? 5 : 1;
/** From the moment the portal is ready: within so long the import is still under way. */
const LATEST_KILL_MS = 900;

const dataDir = mkdtempSync(join(tmpdir(), 'portal-killed-import-'));
let running: PortalProcess | undefined;
let environment: Readonly<Record<string, string>> = {};
let dropDatabase: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  if (testServerUrl() === undefined) return;
  const database = await createTestPostgresDatabase('empty');
  environment = { DATABASE_URL: database.url };
  dropDatabase = database.drop;
});
afterAll(async () => {
  running?.process.kill('SIGKILL');
  await running?.ended;
  await dropDatabase();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function send(path: string, cookie: string, init: RequestInit = {}): Promise<Response> {
  const headers = { cookie, 'idempotency-key': randomUUID(), ...(init.headers as Record<string, string> | undefined) };
  const answer = await fetch(`${running?.url}/portal${path}`, { ...init, headers });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function signIn(): Promise<{ cookie: string; companyId: string }> {
  const body = JSON.stringify({ email: 'priya@oakline.example', password: 'Sandbox-2026!' });
  const answer = await send('/v2/login', '', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const cookie = (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const [company] = (await (await send('/user-companies', cookie)).json()) as { company_id: string }[];
  return { cookie, companyId: company?.company_id ?? '' };
}

describe('an import', () => {
  it(`killed ${KILLS} times ends with every client once`, async () => {
    const ports = await freePorts();
    const begin = async (): Promise<PortalProcess> => {
      const portal = startPortalProcess(dataDir, ports, environment);
      await portal.untilReady();
      return portal;
    };
    running = await begin();
    const { cookie, companyId } = await signIn();
    const of = `company_id=${companyId}`;
    const info = async (): Promise<ClientImport> =>
      ((await (await send(`/open-tax/import-clients/info?${of}`, cookie)).json()) as { import: ClientImport }).import;
    const file = formatImportFile(makeImportFile(generatePortfolio({ clients: CLIENTS, seed: 9, today: plainDate('2026-11-21') })));
    const upload = `/open-tax/client-imports?${of}&file_name=clients.csv`;
    const judged = (await (
      await send(upload, cookie, { method: 'POST', body: file, headers: { 'content-type': 'text/csv' } })
    ).json()) as ClientImport;
    const wanted = judged.counts.new + judged.counts.matched;
    const start = JSON.stringify({ company_id: companyId, import_id: judged.import_id });
    await send('/open-tax/import-clients/start', cookie, { method: 'POST', body: start, headers: { 'content-type': 'application/json' } });
    const doneBefore: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(Math.random() * LATEST_KILL_MS);
      doneBefore.push((await info()).rows_done);
      running.process.kill('SIGKILL');
      await running.ended;
      running = await begin();
    }
    let last = await info();
    while (last.state === 'importing') {
      await pause(200);
      last = await info();
    }
    expect(last).toMatchObject({ state: 'completed', applied: { new: judged.counts.new, matched: judged.counts.matched } });
    expect(last.rows_done).toBe(last.rows_total);
    expect(doneBefore).toEqual(doneBefore.toSorted((a, b) => a - b));
    // At least the first death came before the end: otherwise nothing was tried.
    expect(doneBefore[0]).toBeLessThan(last.rows_total);
    expect(wanted).toBeGreaterThan(CLIENTS - 100);
  }, 110_000);
});
