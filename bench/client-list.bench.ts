/** The client list and the dashboard's totals of a practice: their times, against a bare server that runs the same statements on the same driver and pool, and against the number of clients. */
import { pathToFileURL } from 'node:url';
import { positionJobs } from '../apps/server/src/features/positions/position-jobs.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { clientOf, listen, loadFor, median, recordStatements } from './dashboard.bench.ts';

/** Short rounds in turn, compared pair by pair: what else the machine does then weighs on both alike. */
const ROUND_MS = 500;
const ROUNDS = 11;
const SAMPLES = 200;
/** The limits: the times on PostgreSQL, the share and the growth on both. */
const LIST_P95_MS = 25;
const TOTALS_P95_MS = 30;
const SHARE = 0.8;
const GROWTH = 1.5;

type Practice = { readonly companyId: string; readonly cookie: string };

export async function measureClientList(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    // Made again below: growing it row by row would take minutes, and nothing here searches.
    const search = await withoutSearchIndex(portal);
    await portal.deps.database.executeSql(
      'alter table client_rows drop constraint client_rows_company_id_client_id_clients_company_id_id_fk',
    );
    const small = await practiceOf(portal, 1_000);
    const middle = await practiceOf(portal, 10_000);
    const large = await practiceOf(portal, 100_000);
    await portal.deps.database.executeSql(search);
    await portal.deps.database.executeSql('analyze');
    await portal.deps.database.executeSql('checkpoint');
    await positionJobs(portal.deps)['practice.totals'](
      { company_id: middle.companyId },
      { id: 'bench', attempt: 1, isLastAttempt: false, signal: new AbortController().signal },
    );
    const timesCount = engine === 'PostgreSQL';
    const list = await timesOf([listUrl(portal, middle)], middle);
    const totals = await timesOf([`${portal.url}/portal/open-tax/dashboard?company_id=${middle.companyId}`], middle);
    return [
      timeRow(`first page of the client list of 10,000, by next due, filtered, on ${engine}`, list[0] ?? 0, LIST_P95_MS, timesCount),
      await shareRow(portal, middle, engine),
      await growthRow(portal, small, large, engine),
      timeRow(`totals of the dashboard of 10,000 clients on ${engine}`, totals[0] ?? 0, TOTALS_P95_MS, timesCount),
    ];
  } finally {
    await portal.close();
  }
}

function timeRow(what: string, p95: number, limitMs: number, counts: boolean): BenchRow {
  const limit = counts ? `at most ${limitMs} ms` : `for comparison; ${limitMs} ms on PostgreSQL`;
  return { what, measured: `p95 ${p95.toFixed(1)} ms`, limit, ok: !counts || p95 <= limitMs };
}

async function shareRow(portal: TestPortal, practice: Practice, engine: string): Promise<BenchRow> {
  const url = listUrl(portal, practice);
  const { body, statements } = await recordStatements(portal, url, practice.cookie);
  const query = clientOf(portal).query.bind(clientOf(portal));
  const bare = await listen(async () => {
    for (const statement of statements) await query(...statement);
    return body;
  });
  const shares: number[] = [];
  const rates: { own: number; sql: number }[] = [];
  await loadFor(url, practice.cookie, ROUND_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const own = await loadFor(url, practice.cookie, ROUND_MS);
    const sql = await loadFor(bare.url, practice.cookie, ROUND_MS);
    shares.push(own / sql);
    rates.push({ own, sql });
  }
  bare.server.close();
  const share = median(shares);
  return {
    what: `client list on ${engine}, ${statements.length} statements, against a bare server with the same SQL`,
    measured: `${median(rates.map(({ own }) => own)).toFixed(0)}/s of ${median(rates.map(({ sql }) => sql)).toFixed(0)}/s = ${(100 * share).toFixed(0)}%`,
    limit: `at least ${SHARE * 100}%`,
    ok: share >= SHARE,
  };
}

async function growthRow(portal: TestPortal, small: Practice, large: Practice, engine: string): Promise<BenchRow> {
  const [of1000 = 0, of100000 = 1] = await timesOf([listUrl(portal, small), listUrl(portal, large)], small, large);
  const growth = of100000 / of1000;
  return {
    what: `first page of the client list on ${engine}, 100,000 clients against 1,000`,
    measured: `p95 ${of100000.toFixed(1)} ms against ${of1000.toFixed(1)} ms = ${growth.toFixed(2)} times`,
    limit: `at most ${GROWTH} times`,
    ok: growth <= GROWTH,
  };
}

/** The 95th percentile of each address, asked in turn, one request at a time. */
async function timesOf(urls: readonly string[], ...practices: readonly Practice[]): Promise<number[]> {
  const times = urls.map((): number[] => []);
  for (let sample = -20; sample < SAMPLES; sample += 1) {
    for (const [place, url] of urls.entries()) {
      const began = performance.now();
      const answer = await fetch(url, { headers: { cookie: practices[place]?.cookie ?? '' } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      // The first ones warm up.
      if (sample >= 0) times[place]?.push(performance.now() - began);
    }
  }
  return times.map((of) => of.toSorted((a, b) => a - b)[Math.floor(of.length * 0.95)] ?? 0);
}

function listUrl(portal: TestPortal, { companyId }: Practice): string {
  return `${portal.url}/portal/open-tax/client-companies?company_id=${companyId}&status=active&tax=vat`;
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

/** A practice that has only the rows of its list, made by the database itself: 100,000 clients would take minutes to make. */
async function practiceOf(portal: TestPortal, clients: number): Promise<Practice> {
  const { companyId, adminId, cookies } = await addPractice(portal);
  const { executeSql } = portal.deps.database;
  await executeSql(`insert into client_rows (company_id, client_id, name, sort_name, kind, status, vrn, has_vat, has_paye, has_ct, has_sa,
      next_due_on, next_due_tax, next_due_what, next_due_pence, owed_pence, overdue_pence, refund_pence, attention, members, search, as_of)
    select '${companyId}', gen_random_uuid(), 'Client ' || n || ' Ltd', 'client ' || n || ' ltd', 'company',
      case when n % 20 = 0 then 'closed' else 'active' end, case when n % 10 < 7 then (100000000 + n)::text end, n % 10 < 7, n % 2 = 0, true, false,
      date '2026-11-10' + n % 300, 'vat', 'payment', n, n, case when n % 9 = 0 then 5000 else 0 end, 0,
      case when n % 9 = 0 then 'overdue_payment' else 'none' end,
      '[{"user_id":"${adminId}","full_name":"Priya Oakes","duty":"manager"}]', 'client ' || n || ' ltd', now() from generate_series(1, ${clients}) as n`);
  return { companyId, cookie: cookies.admin };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureClientList(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
