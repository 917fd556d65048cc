/**
 * Measures a practice's client list and dashboard totals: their response times, the list against a bare server, and how times grow with a
 * hundred times as many clients.
 */
import { pathToFileURL } from 'node:url';
import { positionJobs } from '../apps/server/src/features/positions/positions-jobs.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { compareWithBare, runInSequence, median, quantile } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { compareWithBareList } from './list-limit.ts';

const SAMPLES = 80;
/** Noise only adds time, so the limit applies to the fastest round. The median is printed too. */
const ROUNDS = 5;
const WARM_UP = 10;
/** Targets: the times are for PostgreSQL; the share and growth apply to both engines. */
const LIST_P95_MS = 25;
const TOTALS_P95_MS = 30;
const MAX_GROWTH = 1.5;

type Practice = {
  readonly companyId: string;
  readonly memberId: string;
  readonly cookies: { readonly admin: string; readonly member: string };
};
type BenchAddress = { readonly url: string; readonly cookie: string };

export async function measureClientList(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const indexes = await dropIndexes(portal, ['clients', 'client_rows', 'tax_positions', 'due_items']);
    const { executeSql } = portal.deps.database;
    const smallPractice = await createPractice(portal, 1_000);
    const mediumPractice = await createPractice(portal, 10_000);
    const largePractice = await createPractice(portal, 100_000);
    await addFigures(portal, mediumPractice);
    await executeSql(indexes);
    await executeSql('analyze');
    await executeSql('checkpoint');
    return [
      ...(await measureList(portal, { small: smallPractice, medium: mediumPractice, large: largePractice }, engine)),
      // On PostgreSQL, the list is compared with a different kind of server (list-limit.ts), which isn't possible with the embedded engine.
      ...(engine === 'PostgreSQL'
        ? []
        : await compareWithBare(portal, `client list on ${engine}`, toListAddress(portal, mediumPractice), runInSequence)),
      ...(await measureTotals(portal, mediumPractice, engine)),
    ];
  } finally {
    await portal.close();
  }
}

/** Measures the three sizes alternately, so that noise affects all of them. */
async function measureList(
  portal: TestPortal,
  { small, medium, large }: { small: Practice; medium: Practice; large: Practice },
  engine: string,
): Promise<BenchRow[]> {
  const [list = [], smallTimes = [], largeTimes = []] = await measurePercentiles([
    toListAddress(portal, medium),
    toListAddress(portal, small),
    toListAddress(portal, large),
  ]);
  const growth = median(largeTimes.map((p95, round) => p95 / (smallTimes[round] ?? p95)));
  return [
    toTimeRow('first page of the client list of 10,000, by next due, filtered,', engine, list, LIST_P95_MS),
    {
      title: `first page of the client list on ${engine}, 100,000 clients against 1,000`,
      measured: `p95 ${median(largeTimes).toFixed(1)} ms against ${median(smallTimes).toFixed(1)} ms; ${growth.toFixed(2)} times in the middle of ${ROUNDS} rounds`,
      limit: `at most ${MAX_GROWTH} times`,
      ok: growth <= MAX_GROWTH,
    },
  ];
}

function toTimeRow(title: string, engine: string, rounds: readonly number[], limitMs: number): BenchRow {
  const fastestMs = Math.min(...rounds);
  const hasLimit = engine === 'PostgreSQL';
  return {
    title: `${title} on ${engine}`,
    measured: `p95 ${fastestMs.toFixed(1)} ms in the quietest of ${ROUNDS} rounds of ${SAMPLES}, ${median(rounds).toFixed(1)} ms in the middle one`,
    limit: hasLimit ? `at most ${limitMs} ms` : `for comparison; ${limitMs} ms on PostgreSQL`,
    ok: !hasLimit || fastestMs <= limitMs,
  };
}

/**
 * Measures totals for an admin, for a member with a tenth of the clients, and for that member immediately after being assigned all clients.
 */
async function measureTotals(portal: TestPortal, practice: Practice, engine: string): Promise<BenchRow[]> {
  const { companyId, memberId, cookies } = practice;
  const url = `${portal.url}/portal/open-tax/dashboard?company_id=${companyId}`;
  const assign = async (condition: string): Promise<void> => {
    await portal.deps.database.executeSql(`insert into client_members (company_id, client_id, user_id, duty, assigned_at)
      select company_id, id, '${memberId}', 'manager', now() from clients where company_id = '${companyId}' and ${condition} on conflict do nothing`);
  };
  await assign("name like '%7 Ltd'");
  const startedAt = performance.now();
  const run = { id: 'bench', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };
  await positionJobs(portal.deps)['practice.refresh-totals']({ company_id: companyId }, run);
  const countMs = performance.now() - startedAt;
  const [admin = [], member = []] = await measurePercentiles([
    { url, cookie: cookies.admin },
    { url, cookie: cookies.member },
  ]);
  const filters = { tax: 'ct', status: 'active' } as const;
  const { count } = (await (
    await fetch(`${toListUrl(portal, '/count')}company_id=${companyId}&tax=ct&status=active`, { headers: { cookie: cookies.admin } })
  ).json()) as { count: number };
  const response = await fetch(toListUrl(portal, '/assign').slice(0, -1), {
    method: 'POST',
    headers: { cookie: cookies.admin, 'content-type': 'application/json' },
    body: JSON.stringify({ company_id: companyId, user_id: memberId, duty: 'vat', action: 'add', matching: { filters, count } }),
  });
  if (!response.ok) throw new Error(`assigning all clients returned ${response.status}: ${await response.text()}`);
  const [listTimes = []] = await measurePercentiles([{ url, cookie: cookies.member }]);
  const totals = 'totals of the dashboard of 10,000 clients';
  return [
    toTimeRow(totals, engine, admin, TOTALS_P95_MS),
    toTimeRow(`${totals}, of a person with 1,000 of them,`, engine, member, TOTALS_P95_MS),
    toTimeRow(`${totals}, of a person just given ${count} of them,`, engine, listTimes, TOTALS_P95_MS),
    {
      title: `counting all ${totals} on ${engine}, after changes, by a job`,
      measured: `${countMs.toFixed(0)} ms`,
      limit: 'for comparison',
      ok: true,
    },
  ];
}

/** Returns the 95th percentile of each URL in each round. The URLs are requested in turn, one request at a time. */
async function measurePercentiles(addresses: readonly BenchAddress[]): Promise<number[][]> {
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times = addresses.map((): number[] => []);
    for (let sample = -WARM_UP; sample < SAMPLES; sample += 1) {
      for (const [index, address] of addresses.entries()) {
        const milliseconds = await measureRequest(address);
        if (sample >= 0) times[index]?.push(milliseconds);
      }
    }
    rounds.push(times.map((values) => quantile(values, 0.95)));
  }
  return addresses.map((_address, index) => rounds.map((values) => values[index] ?? 0));
}

async function measureRequest({ url, cookie }: BenchAddress): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { cookie } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return performance.now() - startedAt;
}

function toListUrl(portal: TestPortal, suffix = ''): string {
  return `${portal.url}/portal/open-tax/client-companies${suffix}?`;
}

function toListAddress(portal: TestPortal, { companyId, cookies }: Practice): BenchAddress {
  return { url: `${toListUrl(portal)}company_id=${companyId}&status=active&tax=vat`, cookie: cookies.admin };
}

/**
 * Drops all indexes of these tables except primary keys, and returns the SQL that recreates them. Filling indexed tables row by row would
 * take minutes.
 */
async function dropIndexes(portal: TestPortal, tables: readonly string[]): Promise<string> {
  const { executeSql } = portal.deps.database;
  const { rows } = await executeSql(`select indexname, indexdef from pg_indexes
    where tablename in (${tables.map((table) => `'${table}'`).join(', ')}) and right(indexname, 3) <> '_pk'`);
  const indexes = rows as { indexname: string; indexdef: string }[];
  if (indexes.length === 0) throw new Error('the tables have no indexes to drop');
  await executeSql(`drop index ${indexes.map(({ indexname }) => indexname).join(', ')}`);
  return indexes.map(({ indexdef }) => indexdef).join('; ');
}

/**
 * Inserts rows without foreign-key checks. The rows are valid by construction, and a check planned while the table was empty would scan the
 * whole table for each row.
 */
async function insertUnchecked(portal: TestPortal, statement: string): Promise<void> {
  await portal.deps.database.executeSql(`begin; set local session_replication_role = replica; ${statement}; commit`);
}

/** Creates a practice with clients and list rows in SQL, because creating 100,000 clients through the API would take an hour. */
async function createPractice(portal: TestPortal, clients: number): Promise<Practice> {
  const { companyId, adminId, memberId, cookies } = await addPractice(portal);
  await insertUnchecked(
    portal,
    `insert into clients (company_id, id, name, kind, status, vrn, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
      select '${companyId}', gen_random_uuid(), 'Client ' || n || ' Ltd', 'company', case when n % 20 = 0 then 'closed' else 'active' end,
        case when n % 10 < 7 then (100000000 + n)::text end, n % 10 < 7, n % 2 = 0, true, false, now(), now() from generate_series(1, ${clients}) as n;
    insert into client_rows (company_id, client_id, name, sort_name, kind, status, vrn, has_vat, has_paye, has_ct, has_sa,
      next_due_on, next_due_tax, next_due_what, next_due_pence, owed_pence, overdue_pence, refund_pence, attention, members, search, as_of, read_taxes, stale_on)
    select company_id, id, name, lower(name), kind, status, vrn, has_vat, has_paye, has_ct, has_sa,
      date '2026-11-10' + n % 300, 'vat', 'payment', n, n, case when n % 9 = 0 then 5000 else 0 end, 0,
      case when n % 9 = 0 then 'overdue_payment' else 'none' end,
      '[{"user_id":"${adminId}","full_name":"Priya Oakes","duty":"manager"}]', lower(name), now(),
      array_remove(array[case when has_vat then 'vat' end, case when has_paye then 'paye' end, 'ct'], null), date '2026-12-31'
    from (select *, substr(name, 8, length(name) - 11)::int as n from clients where company_id = '${companyId}') as made`,
  );
  return { companyId, memberId, cookies };
}

/** Adds tax positions and due items to the clients, from which the totals are calculated. */
async function addFigures(portal: TestPortal, { companyId }: Practice): Promise<void> {
  const taxesSql = `from clients c cross join lateral (values ('vat', c.has_vat, 16), ('paye', c.has_paye, 12), ('ct', c.has_ct, 2)) as t(tax, has, items)`;
  await insertUnchecked(
    portal,
    `insert into tax_positions (company_id, client_id, tax, owed_pence, overdue_pence, refund_pence, overdue_returns, penalty_pence, interest_pence,
      computed_on, is_estimate, source, as_of, detail)
    select c.company_id, c.id, t.tax, 50000, 5000, 0, 1, 100, 20, date '2026-11-10', false, 'hmrc', now(),
      jsonb_build_object('periods', (select jsonb_agg(jsonb_build_object('start', p, 'charged_pence', p * 1000)) from generate_series(1, 16) p))
    ${taxesSql} where c.company_id = '${companyId}' and t.has;
    insert into due_items (company_id, client_id, tax, key, what, due_on, amount_pence, title, source, as_of)
    select c.company_id, c.id, t.tax, 'k' || n, (array['return', 'payment', 'payment', 'refund'])[1 + n % 4], date '2026-10-20' + (n * 25), 1000 * n,
      'Due', 'rule', now() ${taxesSql} cross join lateral generate_series(1, t.items) as n where c.company_id = '${companyId}' and t.has`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isPostgres = Boolean(process.env['TEST_DATABASE_URL']);
  const rows = await measureClientList(isPostgres ? 'PostgreSQL' : 'the embedded database');
  if (isPostgres) rows.push(...(await compareWithBareList()));
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
