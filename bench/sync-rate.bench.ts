/**
 * Measures the refresh of a practice's clients at HMRC's rate limit, with real portal processes and the simulator, which rejects the fourth
 * call in a second. Refreshing 300 clients takes ten minutes, so it measures only a window in the middle, from the arrival of one call to
 * that of another: first with one process, then (on PostgreSQL) with three that share a database. VAT and Self Assessment run at the same
 * time, so four sync workers move between the processes.
 */
import { Blob } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CLIENTS_UPLOAD_PATH, clientImportsApi, clientsUploadOutput } from '@portal/contract/client-imports.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { createPortalDatabase } from '../apps/server/src/testing/create-portal-database.ts';
import { createSite, removeSite, startSandbox, type Site } from '../scripts/chaos/processes.ts';
import { createAgentSimulatorClient } from '../scripts/portfolio/agent-simulator-client.ts';
import { ensureAgentConnected, signInAsPriya, type Admin } from '../scripts/portfolio/oakline-admin.ts';
import { waitWhileProgressing } from '../scripts/portfolio/wait-while-progressing.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { startPortal, stopPortal } from './start-portal.ts';

const CLIENT_COUNT = 300;
const INSTANCES = 3;
/** HMRC's limit per application (docs/reference/hmrc.md section 1), and the share of it that the refresh must reach. */
const ALLOWED_PER_SECOND = 3;
const MIN_SHARE = 0.95;
const WINDOW_MS = 75_000;
/** Longer than a sync worker's time budget, so that every process can claim work before the window starts. */
const WARM_UP_MS = 20_000;
const POLL_MS = 10;

type CallCounts = { readonly calls: number; readonly throttled: number };

export async function measureSyncRate(engine: string): Promise<BenchRow[]> {
  const database = process.env['TEST_DATABASE_URL'] ? await createPortalDatabase() : undefined;
  const site = await createSite(database?.url);
  const sandbox = await startSandbox(site);
  const portals = [await startPortal(site.environment)];
  try {
    await startRefresh(site);
    const rows = [await measureWindow(site, `one process on ${engine}`)];
    if (database) {
      while (portals.length < INSTANCES) portals.push(await startPortal({ ...site.environment, PORT: String(await findFreePort()) }));
      rows.push(await measureWindow(site, `${INSTANCES} processes on one ${engine}`));
    }
    return rows;
  } finally {
    await Promise.all(portals.map((portal) => stopPortal(portal.process)));
    await sandbox.stop();
    removeSite(site);
    await database?.drop();
  }
}

async function startRefresh({ sandboxUrl, portalUrl }: Site): Promise<void> {
  const agents = createAgentSimulatorClient(sandboxUrl);
  const { hmrc_user_id } = await agents.loadPortfolio(CLIENT_COUNT, 1);
  const admin = await signInAsPriya(portalUrl);
  await ensureAgentConnected(admin, hmrc_user_id);
  await importClients(admin, await agents.readFile('clients.csv'));
  const params = { company_id: admin.companyId };
  await admin.caller.call(syncApi.start, { ...params, tax_type: 'vat' });
  await admin.caller.call(syncApi.start, { ...params, tax_type: 'sa' });
}

async function importClients({ caller, companyId }: Admin, text: string): Promise<void> {
  const query = { company_id: companyId, file_name: 'clients.csv' };
  const { import_id } = clientsUploadOutput.parse(await caller.upload(CLIENTS_UPLOAD_PATH, query, new Blob([text])));
  const params = { company_id: companyId, import_id };
  await caller.call(clientImportsApi.start, params, { idempotencyKey: randomUUID() });
  const finishedSync = await waitWhileProgressing(
    async () => (await caller.call(clientImportsApi.info, params)).import,
    (current) => current?.state !== 'importing',
    (current) => current?.rows_done,
  );
  if (finishedSync?.state !== 'completed') throw new Error(`the import is ${finishedSync?.state ?? 'gone'}: ${finishedSync?.reason ?? ''}`);
}

async function measureWindow(site: Site, label: string): Promise<BenchRow> {
  await pause(WARM_UP_MS);
  const first = await waitForNextCall(site);
  await pause(WINDOW_MS);
  const last = await waitForNextCall(site);
  const seconds = (last.arrivedAt - first.arrivedAt) / 1000;
  const rejectedCount = last.throttled - first.throttled;
  const perSecond = (last.calls - first.calls - rejectedCount) / seconds;
  const share = perSecond / ALLOWED_PER_SECOND;
  return {
    title: `refresh of ${CLIENT_COUNT} clients in full flow, ${seconds.toFixed(0)} s of it, ${label}`,
    measured: `${perSecond.toFixed(2)} calls/s = ${(100 * share).toFixed(1)}% of ${ALLOWED_PER_SECOND}, ${rejectedCount} refused with 429`,
    limit: `at least ${100 * MIN_SHARE}%, none refused`,
    ok: share >= MIN_SHARE && rejectedCount === 0,
  };
}

/** Waits for the simulator to count the next call. Returns the call's time and all counts. */
async function waitForNextCall({ sandboxUrl }: Site): Promise<CallCounts & { readonly arrivedAt: number }> {
  const readCounts = async (): Promise<CallCounts> => (await (await fetch(`${sandboxUrl}/control/hmrc/statistics`)).json()) as CallCounts;
  const before = await readCounts();
  const deadline = performance.now() + 15_000;
  for (;;) {
    const counts = await readCounts();
    if (counts.calls > before.calls) return { ...counts, arrivedAt: performance.now() };
    if (performance.now() > deadline) throw new Error('no call arrived in 15 s, so the refresh has stopped');
    await pause(POLL_MS);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureSyncRate(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
