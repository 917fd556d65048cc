/** The client list and the dashboard's totals of a practice: their times, the list's share of a bare server, and what a hundred times the clients cost. */
import { pathToFileURL } from 'node:url';
import { positionJobs } from '../apps/server/src/features/positions/position-jobs.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { compareWithBare, inTurn, median } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const SAMPLES = 200;
/** The growth is measured so often, in turn. */
const GROWTH_ROUNDS = 5;
/** The limits: the times on PostgreSQL, the share and the growth on both. */
const LIST_P95_MS = 25;
const TOTALS_P95_MS = 30;
const GROWTH = 1.5;

type Practice = {
  readonly companyId: string;
  readonly memberId: string;
  readonly cookies: { readonly admin: string; readonly member: string };
};
type Address = { readonly url: string; readonly cookie: string };

export async function measureClientList(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    // Made again below: growing it row by row would take minutes, and nothing here searches.
    const search = await withoutSearchIndex(portal);
    const { executeSql } = portal.deps.database;
    const small = await practiceOf(portal, 1_000);
    const middle = await practiceOf(portal, 10_000);
    const large = await practiceOf(portal, 100_000);
    await addFigures(portal, middle);
    await executeSql(search);
    await executeSql('analyze');
    await executeSql('checkpoint');
    const timesCount = engine === 'PostgreSQL';
    const [list = 0] = await timesOf([listOf(portal, middle)]);
    return [
      timeRow(`first page of the client list of 10,000, by next due, filtered, on ${engine}`, list, LIST_P95_MS, timesCount),
      ...(await compareWithBare(portal, `client list on ${engine}`, listOf(portal, middle), inTurn)),
      await growthRow(portal, small, large, engine),
      ...(await totalsRows(portal, middle, engine, timesCount)),
    ];
  } finally {
    await portal.close();
  }
}

function timeRow(what: string, p95: number, limitMs: number, counts: boolean): BenchRow {
  const limit = counts ? `at most ${limitMs} ms` : `for comparison; ${limitMs} ms on PostgreSQL`;
  return { what, measured: `p95 ${p95.toFixed(1)} ms`, limit, ok: !counts || p95 <= limitMs };
}

/** An admin's totals, those of a person who looks after a tenth of the clients, and those right after all were given to that person. */
async function totalsRows(portal: TestPortal, practice: Practice, engine: string, timesCount: boolean): Promise<BenchRow[]> {
  const { companyId, memberId, cookies } = practice;
  const url = `${portal.url}/portal/open-tax/dashboard?company_id=${companyId}`;
  const assign = async (where: string): Promise<void> => {
    await portal.deps.database.executeSql(`insert into client_members (company_id, client_id, user_id, duty, assigned_at)
      select company_id, id, '${memberId}', 'manager', now() from clients where company_id = '${companyId}' and ${where} on conflict do nothing`);
  };
  await assign("name like '%7 Ltd'");
  const began = performance.now();
  const run = { id: 'bench', attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
  await positionJobs(portal.deps)['practice.totals']({ company_id: companyId }, run);
  const countedMs = performance.now() - began;
  const [admin = 0, member = 0] = await timesOf([
    { url, cookie: cookies.admin },
    { url, cookie: cookies.member },
  ]);
  const filters = { tax: 'ct', status: 'active' } as const;
  const { count } = (await (
    await fetch(`${listUrl(portal, '/count')}company_id=${companyId}&tax=ct&status=active`, { headers: { cookie: cookies.admin } })
  ).json()) as { count: number };
  const answer = await fetch(listUrl(portal, '/assign').slice(0, -1), {
    method: 'POST',
    headers: { cookie: cookies.admin, 'content-type': 'application/json' },
    body: JSON.stringify({ company_id: companyId, user_id: memberId, duty: 'vat', action: 'add', matching: { filters, count } }),
  });
  if (!answer.ok) throw new Error(`giving all into care answered ${answer.status}: ${await answer.text()}`);
  const [all = 0] = await timesOf([{ url, cookie: cookies.member }]);
  const of = `of the dashboard of 10,000 clients on ${engine}`;
  return [
    timeRow(`totals ${of}`, admin, TOTALS_P95_MS, timesCount),
    timeRow(`totals ${of}, of a person with 1,000 of them`, member, TOTALS_P95_MS, timesCount),
    timeRow(`totals ${of}, of a person just given ${count} of them`, all, TOTALS_P95_MS, timesCount),
    {
      what: `counting all totals ${of}, after changes, by a job`,
      measured: `${countedMs.toFixed(0)} ms`,
      limit: 'for comparison',
      ok: true,
    },
  ];
}

/** Beside each other in short rounds: what else the machine does then weighs on both alike. */
async function growthRow(portal: TestPortal, small: Practice, large: Practice, engine: string): Promise<BenchRow> {
  const rounds: { of1000: number; of100000: number }[] = [];
  for (let round = 0; round < GROWTH_ROUNDS; round += 1) {
    const [of1000 = 0, of100000 = 1] = await timesOf([listOf(portal, small), listOf(portal, large)]);
    rounds.push({ of1000, of100000 });
  }
  const growth = median(rounds.map(({ of1000, of100000 }) => of100000 / of1000));
  return {
    what: `first page of the client list on ${engine}, 100,000 clients against 1,000`,
    measured: `p95 ${median(rounds.map((one) => one.of100000)).toFixed(1)} ms against ${median(rounds.map((one) => one.of1000)).toFixed(1)} ms = ${growth.toFixed(2)} times`,
    limit: `at most ${GROWTH} times`,
    ok: growth <= GROWTH,
  };
}

/** The 95th percentile of each address, asked in turn, one request at a time. */
async function timesOf(addresses: readonly Address[]): Promise<number[]> {
  const times = addresses.map((): number[] => []);
  for (let sample = -20; sample < SAMPLES; sample += 1) {
    for (const [place, { url, cookie }] of addresses.entries()) {
      const began = performance.now();
      const answer = await fetch(url, { headers: { cookie } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      // The first ones warm up.
      if (sample >= 0) times[place]?.push(performance.now() - began);
    }
  }
  return times.map((of) => of.toSorted((a, b) => a - b)[Math.floor(of.length * 0.95)] ?? 0);
}

function listUrl(portal: TestPortal, more = ''): string {
  return `${portal.url}/portal/open-tax/client-companies${more}?`;
}

function listOf(portal: TestPortal, { companyId, cookies }: Practice): Address {
  return { url: `${listUrl(portal)}company_id=${companyId}&status=active&tax=vat`, cookie: cookies.admin };
}

/** Takes the search's index away and answers how to make it again. */
async function withoutSearchIndex(portal: TestPortal): Promise<string> {
  const { executeSql } = portal.deps.database;
  const { rows } = await executeSql("select indexdef from pg_indexes where indexname = 'client_rows_search'");
  const [index] = rows as { indexdef: string }[];
  if (!index) throw new Error('the search has no index');
  await executeSql('drop index client_rows_search');
  return index.indexdef;
}

/** A practice whose clients and rows of the list are made by the database itself: 100,000 by the product's own calls would take an hour. */
async function practiceOf(portal: TestPortal, clients: number): Promise<Practice> {
  const { companyId, adminId, memberId, cookies } = await addPractice(portal);
  await portal.deps.database.executeSql(`
    with made as (insert into clients (company_id, id, name, kind, status, vrn, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
      select '${companyId}', gen_random_uuid(), 'Client ' || n || ' Ltd', 'company', case when n % 20 = 0 then 'closed' else 'active' end,
        case when n % 10 < 7 then (100000000 + n)::text end, n % 10 < 7, n % 2 = 0, true, false, now(), now() from generate_series(1, ${clients}) as n
      returning *, substr(name, 8, length(name) - 11)::int as n)
    insert into client_rows (company_id, client_id, name, sort_name, kind, status, vrn, has_vat, has_paye, has_ct, has_sa,
      next_due_on, next_due_tax, next_due_what, next_due_pence, owed_pence, overdue_pence, refund_pence, attention, members, search, as_of)
    select company_id, id, name, lower(name), kind, status, vrn, has_vat, has_paye, has_ct, has_sa,
      date '2026-11-10' + n % 300, 'vat', 'payment', n, n, case when n % 9 = 0 then 5000 else 0 end, 0,
      case when n % 9 = 0 then 'overdue_payment' else 'none' end,
      '[{"user_id":"${adminId}","full_name":"Priya Oakes","duty":"manager"}]', lower(name), now() from made`);
  return { companyId, memberId, cookies };
}

/** Positions and days of every tax of the clients: what the totals are counted from. */
async function addFigures(portal: TestPortal, { companyId }: Practice): Promise<void> {
  const ofTaxes = `from clients c cross join lateral (values ('vat', c.has_vat, 16), ('paye', c.has_paye, 12), ('ct', c.has_ct, 2)) as t(tax, has, items)`;
  await portal.deps.database.executeSql(`
    insert into tax_positions (company_id, client_id, tax, owed_pence, overdue_pence, refund_pence, overdue_returns, penalty_pence, interest_pence,
      computed_on, is_estimate, source, as_of, detail)
    select c.company_id, c.id, t.tax, 50000, 5000, 0, 1, 100, 20, date '2026-11-10', false, 'hmrc', now(),
      jsonb_build_object('periods', (select jsonb_agg(jsonb_build_object('start', p, 'charged_pence', p * 1000)) from generate_series(1, 16) p))
    ${ofTaxes} where c.company_id = '${companyId}' and t.has`);
  await portal.deps.database.executeSql(`
    insert into due_items (company_id, client_id, tax, key, what, due_on, amount_pence, title, source, as_of)
    select c.company_id, c.id, t.tax, 'k' || n, (array['return', 'payment', 'payment', 'refund'])[1 + n % 4], date '2026-10-20' + (n * 25), 1000 * n,
      'Due', 'rule', now() ${ofTaxes} cross join lateral generate_series(1, t.items) as n where c.company_id = '${companyId}' and t.has`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureClientList(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
