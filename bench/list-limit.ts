/**
 * The client list of the portal as `npm start` runs it, beside a bare server that shares nothing with it but the database: both in processes of
 * their own, loaded in turn. The machine is never quiet, so every comparison is the middle of many rounds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createTestPostgresDatabase } from '@portal/db/testing/test-postgres.ts';
import { freePort } from '@portal/sandbox/testing/free-port.ts';
import pg from 'pg';
import { median } from './against-bare.ts';
import type { BenchRow } from './bench-row.ts';
import { fillListLimit, SEARCHES, tokenOf, type PracticeSize } from './list-limit-data.ts';
import type { LoadOrder, LoadResult } from './list-limit-load.ts';
import { startPortal, stopPortal } from './start-portal.ts';

const ROUNDS = 9;
const ROUND_MS = 1_000;
const WARM_UP_MS = 2_000;
/** The limits of issue 12. */
const REQUESTS = 0.95;
const P95 = 1.2;
const GROWTH = 1.2;
const SEARCH = 1.5;

type Side = Pick<LoadOrder, 'urls' | 'cookie'>;
type Measured = { readonly own: LoadResult[]; readonly other: LoadResult[] };

export async function compareWithBareList(): Promise<BenchRow[]> {
  const database = await createTestPostgresDatabase('migrated');
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-list-limit-'));
  const bare = fork(new URL('./list-limit-server.ts', import.meta.url), { env: { ...process.env, BARE_DATABASE_URL: database.url } });
  const portal = await startPortal({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: String(await freePort()),
  });
  try {
    const [bareUrl] = (await once(bare, 'message')) as [string];
    await fill(database.url);
    return await measure({ portalUrl: new URL(portal.address).origin, bareUrl });
  } finally {
    bare.kill();
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
  const own = (size: PracticeSize, queries = ['status=active']): Side => ({
    urls: queries.map((query) => `${portalUrl}/portal/open-tax/client-companies?limit=50&${query}`),
    cookie: `portal_session=${tokenOf(size)}`,
  });
  const other = (size: PracticeSize, queries = ['status=active']): Side => ({
    urls: queries.map((query) => `${bareUrl}/?${query}`),
    cookie: `session=${tokenOf(size)}`,
  });
  const searches = SEARCHES.map((text) => `q=${encodeURIComponent(text)}`);
  const rows: BenchRow[] = [];
  for (const connections of [10, 50]) {
    const measured = await inTurn(worker, connections, own(10_000), other(10_000));
    rows.push(...againstBareRows(measured, connections));
  }
  const sizes = await inTurn(worker, 10, own(100_000), own(1_000));
  rows.push(timesRow('client list on PostgreSQL, 100,000 clients against 1,000', sizes, GROWTH));
  const searched = await inTurn(worker, 10, own(10_000, searches), other(10_000, searches));
  rows.push(timesRow('search of 10,000 clients by part of a name, against the same on a bare server', searched, SEARCH));
  await worker.terminate();
  return rows;
}

/** Both sides in short rounds in turn, so that what else the machine does weighs on both alike. */
async function inTurn(worker: Worker, connections: number, own: Side, other: Side): Promise<Measured> {
  const load = async (side: Side, milliseconds: number): Promise<LoadResult> => {
    worker.postMessage({ ...side, connections, milliseconds } satisfies LoadOrder);
    const [result] = (await once(worker, 'message')) as [LoadResult];
    return result;
  };
  const measured: Measured = { own: [], other: [] };
  for (const side of [own, other]) await load(side, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    // The one that begins changes, so that neither always follows the other.
    for (const isOwn of round % 2 === 0 ? [true, false] : [false, true]) {
      measured[isOwn ? 'own' : 'other'].push(await load(isOwn ? own : other, ROUND_MS));
    }
  }
  return measured;
}

function againstBareRows(measured: Measured, connections: number): BenchRow[] {
  const { mine, theirs, ratio } = inTheMiddle(measured, ({ perSecond }) => perSecond);
  const what = `client list on PostgreSQL, ${connections} connections, against a bare server`;
  return [
    {
      what: `${what}: requests served`,
      measured: `${mine.toFixed(0)}/s against ${theirs.toFixed(0)}/s = ${ratio.toFixed(2)}`,
      limit: `at least ${REQUESTS}`,
      ok: ratio >= REQUESTS,
    },
    timesRow(what, measured, P95),
  ];
}

function timesRow(what: string, measured: Measured, limit: number): BenchRow {
  const { mine, theirs, ratio } = inTheMiddle(measured, ({ p95Ms }) => p95Ms);
  return {
    what: `${what}: p95`,
    measured: `${mine.toFixed(1)} ms against ${theirs.toFixed(1)} ms = ${ratio.toFixed(2)} times in the middle of ${ROUNDS} rounds`,
    limit: `at most ${limit} times`,
    ok: ratio <= limit,
  };
}

/** Of each side the middle round, and the middle of the ratios of the rounds. */
function inTheMiddle({ own, other }: Measured, read: (result: LoadResult) => number): { mine: number; theirs: number; ratio: number } {
  const ratios = own.flatMap((one, round) => {
    const beside = other[round];
    return beside ? [read(one) / read(beside)] : [];
  });
  return { mine: median(own.map(read)), theirs: median(other.map(read)), ratio: median(ratios) };
}
