/**
 * Compares the portal's client list, started as by `npm start`, with a bare server that shares only the database. Each runs in its own
 * process, and they are loaded alternately. The machine is noisy, so every comparison is the median of many rounds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createPortalDatabase } from '../apps/server/src/testing/create-portal-database.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import pg from 'pg';
import { median } from './against-bare.ts';
import type { BenchRow } from './bench-row.ts';
import { fillListLimit, SEARCHES, getSessionToken, type PracticeSize } from './list-limit-data.ts';
import type { LoadOrder, LoadResult } from './list-limit-load.ts';
import { startPortal, stopPortal } from './start-portal.ts';

const ROUNDS = 9;
const ROUND_MS = 1_000;
const WARM_UP_MS = 2_000;
/** Limits of the comparison, as ratios. */
const MIN_THROUGHPUT_RATIO = 0.95;
const MAX_P95_RATIO = 1.2;
const MAX_GROWTH = 1.2;
const MAX_SEARCH_GROWTH = 1.5;
const MAX_PALETTE_GROWTH = 1.5;

type LoadTarget = Pick<LoadOrder, 'urls' | 'cookie'>;
type LoadComparison = { readonly first: LoadResult[]; readonly second: LoadResult[] };

export async function compareWithBareList(): Promise<BenchRow[]> {
  const database = await createPortalDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-list-limit-'));
  const bareProcess = fork(new URL('./list-limit-server.ts', import.meta.url), {
    env: { ...process.env, BARE_DATABASE_URL: database.url },
  });
  const portal = await startPortal({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    PORT: String(await findFreePort()),
    SANDBOX_PORT: String(await findFreePort()),
    SANDBOX_SMTP_PORT: String(await findFreePort()),
  });
  try {
    const [bareUrl] = (await once(bareProcess, 'message')) as [string];
    await fill(database.url);
    return await measure({ portalUrl: new URL(portal.address).origin, bareUrl });
  } finally {
    bareProcess.kill();
    await stopPortal(portal.process);
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await fillListLimit(client);
  await client.end();
}

async function measure({ portalUrl, bareUrl }: { readonly portalUrl: string; readonly bareUrl: string }): Promise<BenchRow[]> {
  const worker = new Worker(new URL('./list-limit-load.ts', import.meta.url));
  const toPortalSide = (size: PracticeSize, queries = ['status=active']): LoadTarget => ({
    urls: queries.map((query) => `${portalUrl}/portal/open-tax/client-companies?limit=50&${query}`),
    cookie: `portal_session=${getSessionToken(size)}`,
  });
  const toBareSide = (size: PracticeSize, queries = ['status=active']): LoadTarget => ({
    urls: queries.map((query) => `${bareUrl}/?${query}`),
    cookie: `session=${getSessionToken(size)}`,
  });
  const searchQueries = SEARCHES.map((text) => `q=${encodeURIComponent(text)}`);
  const rows: BenchRow[] = [];
  for (const connections of [10, 50]) {
    const comparison = await loadAlternately(worker, connections, toPortalSide(10_000), toBareSide(10_000));
    rows.push(...listComparisonRows(comparison, connections));
  }
  const sizes = await loadAlternately(worker, 10, toPortalSide(100_000), toPortalSide(1_000));
  rows.push(toRatioRow('client list on PostgreSQL, 100,000 clients against 1,000', sizes, MAX_GROWTH));
  const searchComparison = await loadAlternately(worker, 10, toPortalSide(10_000, searchQueries), toBareSide(10_000, searchQueries));
  rows.push(
    toRatioRow('search of 10,000 clients by part of a name, against the same on a bare server', searchComparison, MAX_SEARCH_GROWTH),
  );
  const paletteLoad = await loadAlternately(
    worker,
    10,
    { ...toPortalSide(10_000), urls: searchQueries.map((query) => `${portalUrl}/portal/client/companies?limit=8&${query}`) },
    { ...toBareSide(10_000), urls: searchQueries.map((query) => `${bareUrl}/palette?${query}`) },
  );
  rows.push(toRatioRow('command palette: search of 10,000 clients, against the same on a bare server', paletteLoad, MAX_PALETTE_GROWTH));
  await worker.terminate();
  return rows;
}

/** Loads the two sides alternately in short rounds, so that noise affects both. */
async function loadAlternately(worker: Worker, connections: number, first: LoadTarget, second: LoadTarget): Promise<LoadComparison> {
  const load = async (side: LoadTarget, milliseconds: number): Promise<LoadResult> => {
    worker.postMessage({ ...side, connections, milliseconds } satisfies LoadOrder);
    const [result] = (await once(worker, 'message')) as [LoadResult];
    return result;
  };
  const comparison: LoadComparison = { first: [], second: [] };
  for (const side of [first, second]) await load(side, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Alternate the order, so that neither always runs second.
    for (const isFirst of round % 2 === 0 ? [true, false] : [false, true]) {
      comparison[isFirst ? 'first' : 'second'].push(await load(isFirst ? first : second, ROUND_MS));
    }
  }
  return comparison;
}

function listComparisonRows(comparison: LoadComparison, connections: number): BenchRow[] {
  const { firstMedian, secondMedian, ratio } = getMedians(comparison, ({ perSecond }) => perSecond);
  const title = `client list on PostgreSQL, ${connections} connections, against a bare server`;
  return [
    {
      title: `${title}: requests served`,
      measured: `${firstMedian.toFixed(0)}/s against ${secondMedian.toFixed(0)}/s = ${ratio.toFixed(2)}`,
      limit: `at least ${MIN_THROUGHPUT_RATIO}`,
      ok: ratio >= MIN_THROUGHPUT_RATIO,
    },
    toRatioRow(title, comparison, MAX_P95_RATIO),
  ];
}

function toRatioRow(title: string, comparison: LoadComparison, limit: number): BenchRow {
  const { firstMedian, secondMedian, ratio } = getMedians(comparison, ({ p95Ms }) => p95Ms);
  return {
    title: `${title}: p95`,
    measured: `${firstMedian.toFixed(1)} ms against ${secondMedian.toFixed(1)} ms = ${ratio.toFixed(2)} times, median of ${ROUNDS} rounds`,
    limit: `at most ${limit} times`,
    ok: ratio <= limit,
  };
}

/** Returns the median of each side's rounds, and the median of the rounds' ratios. */
function getMedians(
  { first, second }: LoadComparison,
  read: (result: LoadResult) => number,
): { firstMedian: number; secondMedian: number; ratio: number } {
  const ratios = first.flatMap((result, round) => {
    const reference = second[round];
    return reference ? [read(result) / read(reference)] : [];
  });
  return { firstMedian: median(first.map(read)), secondMedian: median(second.map(read)), ratio: median(ratios) };
}
