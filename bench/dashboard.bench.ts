/** The dashboard's call against two bare servers: one that answers the same bytes, and one that runs the same statements on the same driver and pool, session look-up included. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { connectedTrader } from '../apps/server/src/testing/act-as-trader.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CONNECTIONS = 8;
/** Short rounds in turn, compared pair by pair: what else the machine does then weighs on both alike. */
const ROUND_MS = 500;
const ROUNDS = 15;
/** The limit: at least 80% of the throughput of the bare server that runs the same SQL. */
const LIMIT = 0.8;

type Query = (...given: unknown[]) => Promise<unknown>;

export async function measureDashboard(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const trader = await traderWithAdvance(portal);
    const url = `${portal.url}/portal/instant-vat/dashboard?company_id=${trader.companyId}`;
    const { body, statements } = await recordStatements(portal, url, trader.cookie);
    const query = clientOf(portal).query.bind(clientOf(portal));
    const bareSql = await listen(async () => {
      // The session look-up comes first; what follows is asked side by side, as the portal does.
      const [session, ...rest] = statements;
      await query(...(session ?? []));
      await Promise.all(rest.map((statement) => query(...statement)));
      return body;
    });
    const bareBytes = await listen(() => Promise.resolve(body));
    const rates = { portal: [] as number[], sql: [] as number[], bytes: [] as number[] };
    await loadFor(url, trader.cookie, ROUND_MS);
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.portal.push(await loadFor(url, trader.cookie, ROUND_MS));
      rates.sql.push(await loadFor(bareSql.url, trader.cookie, ROUND_MS));
      rates.bytes.push(await loadFor(bareBytes.url, trader.cookie, ROUND_MS / 3));
    }
    bareSql.server.close();
    bareBytes.server.close();
    const [own, sql, bytes] = [median(rates.portal), median(rates.sql), median(rates.bytes)];
    const ratio = median(rates.portal.map((rate, round) => rate / (rates.sql[round] ?? rate)));
    return [
      {
        what: `dashboard call on ${engine}, ${statements.length} statements, against a bare server with the same SQL`,
        measured: `${own.toFixed(0)}/s of ${sql.toFixed(0)}/s = ${(100 * ratio).toFixed(0)}%`,
        limit: `at least ${LIMIT * 100}%`,
        ok: ratio >= LIMIT,
      },
      {
        what: `dashboard call on ${engine}, against a bare server that answers the same ${body.length} bytes`,
        measured: `${own.toFixed(0)}/s of ${bytes.toFixed(0)}/s`,
        limit: 'for comparison',
        ok: true,
      },
    ];
  } finally {
    await portal.close();
  }
}

async function traderWithAdvance(portal: TestPortal) {
  const trader = await connectedTrader(portal, 'bench@trader.example');
  const ids = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const { body } = await trader.browser.get('/instant-vat/vat-return', ids);
  await trader.browser.post(
    '/instant-vat/vat-return/file',
    { ...ids, figures_version: body['figures_version'], declaration_accepted: true },
    { 'idempotency-key': crypto.randomUUID() },
  );
  await portal.runJobs();
  return trader;
}

/** Drizzle's driver client, the same object on which every statement of the portal runs. */
export function clientOf(portal: TestPortal): { query: Query } {
  return (portal.deps.database.db as unknown as { $client: { query: Query } }).$client;
}

/** One real call, with every statement it sends written down as it is handed to the driver. */
export async function recordStatements(portal: TestPortal, url: string, cookie: string) {
  const client = clientOf(portal);
  const original = client.query;
  const statements: unknown[][] = [];
  client.query = function record(this: unknown, ...given: unknown[]) {
    statements.push(given);
    return original.apply(client, given);
  };
  const answer = await fetch(url, { headers: { cookie } });
  const body = await answer.text();
  client.query = original;
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${body}`);
  return { body, statements };
}

export async function listen(answer: () => Promise<string>): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    void answer().then((body) => response.setHeader('content-type', 'application/json').end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

export function loadFor(url: string, cookie: string, milliseconds: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load-worker.ts', import.meta.url), {
      workerData: { url, cookie, connections: CONNECTIONS, milliseconds },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureDashboard(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
