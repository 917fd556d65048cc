/**
 * Compares pricing 10,000 selected connections with a bare server that counts them and reads the tiers, and also with pricing 10
 * connections.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { sql } from '@portal/db/sql.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { addPriceList } from '../apps/server/src/testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { median, quantile } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CONNECTIONS = 10_000;
const FEW_CONNECTIONS = 10;
const MAX_RATIO = 1.5;
const ROUNDS = 200;
const WARM_UP = 20;

type PricedPractice = { readonly companyId: string; readonly url: string; readonly cookie: string; readonly selectMs: number };

export async function measurePricing(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    await addPriceList(portal);
    const [fewConnections, manyConnections] = [await selectAll(portal, FEW_CONNECTIONS), await selectAll(portal, CONNECTIONS)];
    await portal.deps.database.executeSql('vacuum analyze');
    const bareServer = await serveBare(portal, manyConnections);
    const [portalTimes = [], bareTimes = [], small = []] = await measure([
      manyConnections,
      { url: bareServer.url, cookie: '' },
      fewConnections,
    ]);
    bareServer.close();
    return [
      compare(`price of ${CONNECTIONS} connections against a bare query on ${engine}`, portalTimes, bareTimes),
      compare(`price of ${CONNECTIONS} connections against that of ${FEW_CONNECTIONS} on ${engine}`, portalTimes, small),
      {
        title: `selecting ${CONNECTIONS} connections on ${engine}`,
        measured: `${manyConnections.selectMs.toFixed(0)} ms`,
        limit: 'for comparison',
        ok: true,
      },
    ];
  } finally {
    await portal.close();
  }
}

function compare(title: string, portalTimes: readonly number[], otherTimes: readonly number[]): BenchRow {
  const ratio = median(portalTimes) / median(otherTimes);
  const formatTimes = (values: readonly number[]) => `${median(values).toFixed(1)} ms (p95 ${quantile(values, 0.95).toFixed(1)} ms)`;
  return {
    title,
    measured: `${formatTimes(portalTimes)} against ${formatTimes(otherTimes)}: ${ratio.toFixed(2)} times in the median`,
    limit: `${MAX_RATIO} times`,
    ok: ratio <= MAX_RATIO,
  };
}

type Client = { query(...args: unknown[]): Promise<{ readonly rows: unknown[] }> };

/** Checks the session, counts the selected connections and reads the tiers. */
async function serveBare(portal: TestPortal, { companyId, url, cookie }: PricedPractice): Promise<{ url: string; close(): void }> {
  const client = (portal.deps.database.db as unknown as { $client: Client }).$client;
  const session = await recordFirstStatement(client, url, cookie);
  const statement = sql`select t.*, (select count(*) from selected_connections s where s.company_id = ${companyId} and s.linked) as connections
    from price_tiers t order by from_connections`;
  const server = createServer((_request, response) => {
    void (async () => {
      await client.query(...session);
      const { rows } = await portal.deps.database.db.execute(statement);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** Records the first statement of a request, which is the session check. */
async function recordFirstStatement(client: Client, url: string, cookie: string): Promise<unknown[]> {
  const original = client.query;
  const statements: unknown[][] = [];
  client.query = function record(this: unknown, ...args: unknown[]) {
    statements.push(args);
    return original.apply(client, args);
  };
  await (await fetch(url, { headers: { cookie } })).text();
  client.query = original;
  return statements[0] ?? [];
}

/** Requests all URLs in turn, so that other work on the machine affects them equally. Returns the times in ms for each URL. */
async function measure(addresses: readonly { readonly url: string; readonly cookie: string }[]): Promise<number[][]> {
  const times: number[][] = addresses.map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const [index, { url, cookie }] of addresses.entries()) {
      const startedAt = performance.now();
      const response = await fetch(url, { headers: { cookie } });
      await response.text();
      if (!response.ok) throw new Error(`${url} returned ${response.status}`);
      if (round >= 0) times[index]?.push(performance.now() - startedAt);
    }
  }
  return times;
}

/** Creates a practice with this number of connections, half of them for VAT and half for PAYE, all selected. */
async function selectAll(portal: TestPortal, connections: number): Promise<PricedPractice> {
  const { companyId, admin, cookies } = await addPractice(portal);
  const { executeSql } = portal.deps.database;
  const ids = JSON.stringify(Array.from({ length: connections / 2 }, () => randomUUID()));
  const numberedClients = `jsonb_array_elements_text('${ids}'::jsonb) with ordinality as c(id, place)`;
  await executeSql(`insert into clients (company_id, id, name, kind, status, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
    select '${companyId}', id::uuid, 'Client ' || place, 'company', 'active', true, true, false, false, now(), now() from ${numberedClients}`);
  await executeSql(`insert into client_rows (company_id, client_id, name, sort_name, kind, status, has_vat, has_paye, has_ct, has_sa, next_due_on,
      owed_pence, overdue_pence, refund_pence, attention, members, search, read_taxes)
    select '${companyId}', id::uuid, 'Client ' || place, 'client ' || place, 'company', 'active', true, true, false, false, '9999-12-31',
      0, 0, 0, 'none', '[]', 'client ' || place, '{vat,paye}' from ${numberedClients}`);
  await executeSql(`insert into client_authorisations (company_id, client_id, tax, status)
    select '${companyId}', id::uuid, 'vat', 'authorised' from ${numberedClients}`);
  await executeSql('analyze');
  const startedAt = performance.now();
  const { body } = await admin.post('/open-tax/pricing-connections', { company_id: companyId, selected: true });
  const selectMs = performance.now() - startedAt;
  if (body['no_selected_connections'] !== connections) throw new Error(`selected ${JSON.stringify(body)} instead of ${connections}`);
  return { companyId, url: `${portal.url}/portal/open-tax/calculate-pricing?company_id=${companyId}`, cookie: cookies.admin, selectMs };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measurePricing(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
