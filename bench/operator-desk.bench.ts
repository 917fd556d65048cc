/**
 * Measures the operators' desk with 10,000 advances: the response times of a page, compared with a bare server that runs a bare query for
 * the same rows.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { operators } from '@portal/db/schema/schema.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { toConditions } from '../apps/server/src/features/desk/desk-filters.ts';
import { FROM_ADVANCES } from '../apps/server/src/features/desk/desk-sql.ts';
import { SORTS } from '../apps/server/src/features/desk/list-desk.ts';
import { addAdvances } from '../apps/server/src/testing/add-advances.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { createOperatorAccount } from '../apps/server/src/testing/test-trader.ts';
import { quantile } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const ADVANCES = 10_000;
const ROWS = 50;
const REQUESTS = 160;
/** The p95 is taken from the fastest round of this many requests, because other work on the machine only ever adds time. */
const ROUND_SIZE = 40;
const WARM_UP = 10;
/** The desk may take up to this many times as long as the bare query. */
const MAX_RATIO = 1.5;

const DESK_VIEWS = [
  { title: 'advances that need us', query: 'queue=needs_us', filters: { queue: 'needs_us' }, sort: 'due', direction: 'asc' },
  {
    title: 'all advances, largest first',
    query: 'queue=all&sort=refund&direction=desc',
    filters: { queue: 'all' },
    sort: 'refund',
    direction: 'desc',
  },
  {
    title: 'search among all advances',
    query: 'queue=all&q=kestrel',
    filters: { queue: 'all', q: 'kestrel' },
    sort: 'due',
    direction: 'asc',
  },
] as const;
type View = (typeof DESK_VIEWS)[number];

function writeBareQuery(portal: TestPortal, { filters, sort, direction }: View): SQL {
  const conditions = toConditions(filters, { now: portal.deps.clock.now(), me: crypto.randomUUID() });
  const order = sql`${SORTS[sort].value} ${sql.raw(direction)}, a.id ${sql.raw(direction)}`;
  return sql`select a.company_id, a.id, c.name, c.vrn, a.state, a.period_start, a.period_end, a.refund_pence, a.net_pence, a.updated_at,
    a.accepted_at, a.paid_at from ${FROM_ADVANCES} where ${conditions} order by ${order} limit ${ROWS}`;
}

export async function measureOperatorDesk(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const { cookie, operatorId } = await addOperator(portal);
    await addAdvances(portal.deps.database, { count: ADVANCES, seed: 7, now: portal.deps.clock.now(), operatorIds: [operatorId] });
    const rows: BenchRow[] = [];
    for (const view of DESK_VIEWS) rows.push(await compare(portal, view, engine, cookie));
    const summary = await measure([`${portal.url}/portal/operator/desk/summary`], cookie);
    rows.push({
      title: `counts and exposure above the desk of ${ADVANCES} advances on ${engine}`,
      measured: `p95 ${quantile(summary[0] ?? [], 0.95).toFixed(1)} ms`,
      limit: 'for comparison',
      ok: true,
    });
    return rows;
  } finally {
    await portal.close();
  }
}

async function addOperator(portal: TestPortal): Promise<{ cookie: string; operatorId: string }> {
  const cookie = await createOperatorAccount(portal, 'bench@operators.example');
  const [operator] = await portal.deps.database.db.select({ id: operators.userId }).from(operators);
  return { cookie, operatorId: operator?.id ?? '' };
}

async function compare(portal: TestPortal, view: View, engine: string, cookie: string): Promise<BenchRow> {
  const title = `${view.title} on ${engine}`;
  const url = `${portal.url}/portal/operator/desk?${view.query}&limit=${ROWS}`;
  const bareServer = await serveBare(portal, url, cookie, writeBareQuery(portal, view));
  await assertSameRows(url, bareServer.url, cookie);
  const [portalTimes = [], bareTimes = []] = await measure([url, bareServer.url], cookie);
  bareServer.close();
  const [ownMs, bareMs] = [getLowestP95(portalTimes), getLowestP95(bareTimes)];
  return {
    title: `${title} (${ADVANCES} in all), a page of ${ROWS}, against a bare query for the same rows`,
    measured: `p95 ${ownMs.toFixed(1)} ms against ${bareMs.toFixed(1)} ms = ${(ownMs / bareMs).toFixed(2)} (median ${quantile(portalTimes, 0.5).toFixed(1)} against ${quantile(bareTimes, 0.5).toFixed(1)} ms)`,
    limit: `p95 at most ${MAX_RATIO} times`,
    ok: ownMs <= bareMs * MAX_RATIO,
  };
}

/** Alternates between the URLs, so that other work on the machine affects them equally. Returns the times in ms for each URL. */
async function measure(urls: readonly string[], cookie: string): Promise<number[][]> {
  const times: number[][] = urls.map(() => []);
  for (let round = -WARM_UP; round < REQUESTS; round += 1) {
    for (const [index, url] of urls.entries()) {
      const startedAt = performance.now();
      const response = await fetch(url, { headers: { cookie } });
      await response.text();
      if (!response.ok) throw new Error(`${url} returned ${response.status}`);
      if (round >= 0) times[index]?.push(performance.now() - startedAt);
    }
  }
  return times;
}

function getLowestP95(times: readonly number[]): number {
  const rounds = Array.from({ length: Math.ceil(times.length / ROUND_SIZE) }, (_, round) =>
    times.slice(round * ROUND_SIZE, (round + 1) * ROUND_SIZE),
  );
  return Math.min(...rounds.map((round) => quantile(round, 0.95)));
}

type Client = { query(...args: unknown[]): Promise<{ rows: unknown[] }> };

/**
 * Runs the portal's own session check, then a plain statement for the same advances, and returns its rows as JSON. The conditions and order
 * are the same, but it selects only stored columns, without the step, the notes, the assignee or other computed fields.
 */
async function serveBare(portal: TestPortal, url: string, cookie: string, conditions: SQL): Promise<{ url: string; close: () => void }> {
  const client = (portal.deps.database.db as unknown as { $client: Client }).$client;
  const [session = []] = await recordStatements(client, url, cookie);
  const { db } = portal.deps.database;
  const server = createServer((_request, response) => {
    void (async () => {
      await client.query(...session);
      const { rows } = await db.execute(conditions);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}

/** Checks that the bare statement returns the same advances in the same order. Otherwise the comparison would be meaningless. */
async function assertSameRows(url: string, bareUrl: string, cookie: string): Promise<void> {
  const deskPage = (await (await fetch(url, { headers: { cookie } })).json()) as { advances: { advance_id: string }[] };
  const bareRows = (await (await fetch(bareUrl)).json()) as { id: string }[];
  const ids = deskPage.advances.map(({ advance_id }) => advance_id);
  if (ids.length === 0 || ids.join() !== bareRows.map(({ id }) => id).join())
    throw new Error(`${url} lists other rows than the bare query`);
}

async function recordStatements(client: Client, url: string, cookie: string): Promise<unknown[][]> {
  const original = client.query;
  const statements: unknown[][] = [];
  client.query = function record(this: unknown, ...args: unknown[]) {
    statements.push(args);
    return original.apply(client, args);
  };
  await (await fetch(url, { headers: { cookie } })).text();
  client.query = original;
  return statements;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureOperatorDesk(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
