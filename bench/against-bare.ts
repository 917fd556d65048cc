/**
 * Compares an endpoint of the portal with a bare server in the same process. The bare server runs the same statements through the same
 * driver and pool, including the session check, and returns the rows as JSON. The machine is noisy, so the two are loaded alternately in
 * short slices and compared pair by pair. Also reports CPU time per request, which other processes affect less.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import type { BenchRow } from './bench-row.ts';
import type { LoadResult, LoadRequest } from './load-worker.ts';

/** Use many short slices, because noise varies from second to second but hardly affects the median of a hundred pairs. */
const CONNECTIONS = 8;
const SLICE_MS = 150;
const PAIR_COUNT = 100;
const WARM_UP_PAIRS = 10;
/** Target: at least 80% of the throughput of a bare server with the same SQL. */
const MIN_SHARE = 0.8;

type RunQuery = (...args: unknown[]) => Promise<{ readonly rows: unknown[] }>;
type RunStatements = (statements: readonly (() => Promise<{ readonly rows: unknown[] }>)[]) => Promise<unknown>;
type LoadSlice = { readonly perSecond: number; readonly cpuUs: number };

/** Runs the statements sequentially, as most handlers do. */
export const runInSequence: RunStatements = async (statements) => {
  const responses: unknown[] = [];
  for (const send of statements) responses.push((await send()).rows);
  return responses.at(-1);
};

/** Runs the session check first and the other statements in parallel, as the dashboard does. */
export const runInParallel: RunStatements = async ([session, ...otherStatements]) => {
  await session?.();
  const responses = await Promise.all(otherStatements.map((send) => send()));
  return responses.map(({ rows }) => rows);
};

export async function compareWithBare(
  portal: TestPortal,
  title: string,
  { url, cookie }: { url: string; cookie: string },
  run: RunStatements,
): Promise<BenchRow[]> {
  const statements = (await recordStatements(portal, url, cookie)).map(requestObjectRows);
  const query = getDriverClient(portal).query.bind(getDriverClient(portal));
  const bareServer = await listen(async () => JSON.stringify(await run(statements.map((args) => () => query(...args)))));
  const { portalSlices, bareSlices } = await loadAlternately(url, bareServer.url, cookie);
  bareServer.server.close();
  const shares = portalSlices.map(({ perSecond }, pair) => perSecond / (bareSlices[pair]?.perSecond ?? perSecond));
  const share = median(shares);
  const cpuShare = median(portalSlices.map(({ cpuUs }, pair) => (bareSlices[pair]?.cpuUs ?? cpuUs) / cpuUs));
  const [formatRate, formatCpu] = [
    (slices: LoadSlice[]) => median(slices.map((slice) => slice.perSecond)).toFixed(0),
    (slices: LoadSlice[]) => median(slices.map((slice) => slice.cpuUs)).toFixed(0),
  ];
  const formatPercent = (fraction: number): string => `${(100 * fraction).toFixed(0)}%`;
  return [
    {
      title: `${title}, ${statements.length} statements, against a bare server with the same SQL`,
      measured: `${formatRate(portalSlices)}/s of ${formatRate(bareSlices)}/s = ${formatPercent(share)} (half of ${PAIR_COUNT} pairs between ${formatPercent(quantile(shares, 0.25))} and ${formatPercent(quantile(shares, 0.75))})`,
      limit: `at least ${formatPercent(MIN_SHARE)}`,
      ok: share >= MIN_SHARE,
    },
    {
      title: `${title}, processor time of the server's thread for a request, against the same`,
      measured: `${formatCpu(portalSlices)} us against ${formatCpu(bareSlices)} us = ${formatPercent(cpuShare)}`,
      limit: `for comparison; ${formatPercent(MIN_SHARE)} of the throughput`,
      ok: true,
    },
  ];
}

async function loadAlternately(
  url: string,
  bareUrl: string,
  cookie: string,
): Promise<{ portalSlices: LoadSlice[]; bareSlices: LoadSlice[] }> {
  const load = createLoadWorker(cookie);
  const [portalSlices, bareSlices]: [LoadSlice[], LoadSlice[]] = [[], []];
  for (let pair = -WARM_UP_PAIRS; pair < PAIR_COUNT; pair += 1) {
    // Alternate the order, so that neither always runs after the other's garbage collection.
    for (const isOwn of pair % 2 === 0 ? [true, false] : [false, true]) {
      const slice = await loadSlice(load, isOwn ? url : bareUrl);
      if (pair >= 0) (isOwn ? portalSlices : bareSlices).push(slice);
    }
  }
  await load.close();
  return { portalSlices, bareSlices };
}

async function loadSlice(load: LoadWorker, url: string): Promise<LoadSlice> {
  const before = process.threadCpuUsage();
  const { servedCount, milliseconds } = await load.run(url);
  const { user, system } = process.threadCpuUsage(before);
  return { perSecond: (servedCount * 1000) / milliseconds, cpuUs: (user + system) / servedCount };
}

/** Returns the driver's client, which runs all of the portal's statements. */
export function getDriverClient(portal: TestPortal): { query: RunQuery } {
  return (portal.deps.database.db as unknown as { $client: { query: RunQuery } }).$client;
}

/** Records the driver arguments of one real request. */
async function recordStatements(portal: TestPortal, url: string, cookie: string): Promise<unknown[][]> {
  const client = getDriverClient(portal);
  const original = client.query;
  const statements: unknown[][] = [];
  client.query = function record(this: unknown, ...args: unknown[]) {
    statements.push(args);
    return original.apply(client, args);
  };
  const response = await fetch(url, { headers: { cookie } });
  const body = await response.text();
  client.query = original;
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${body}`);
  return statements;
}

/** Requests rows as objects, as a server without an ORM would. Drizzle requests arrays, whose JSON would lack the column names. */
function requestObjectRows(args: unknown[]): unknown[] {
  return args.map((arg) => (typeof arg === 'object' && arg !== null && 'rowMode' in arg ? { ...arg, rowMode: 'object' } : arg));
}

async function listen(createBody: () => Promise<string>): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    void createBody().then((body) => response.setHeader('content-type', 'application/json').end(body));
  });
  // The same as Fastify's keep-alive timeout.
  server.keepAliveTimeout = 72_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

type LoadWorker = { run(url: string): Promise<LoadResult>; close(): Promise<unknown> };

/** Creates one worker thread for all slices, because a new thread would be cold at the start of each measurement. */
function createLoadWorker(cookie: string): LoadWorker {
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: { cookie, connections: CONNECTIONS } });
  return {
    run: async (url) => {
      worker.postMessage({ url, milliseconds: SLICE_MS } satisfies LoadRequest);
      // `once` also rejects on the worker's error event.
      const [loadResult] = (await once(worker, 'message')) as [LoadResult];
      return loadResult;
    },
    close: () => worker.terminate(),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], fraction: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * fraction)] ?? 0;
}
