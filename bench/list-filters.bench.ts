/**
 * Measures the client-list filters that other screens link to, with 10,000 clients. Compares each filter's first page and count with an
 * ordinary filter of the list and with a bare query for the same clients.
 */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { median, quantile } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CLIENT_COUNT = 10_000;
const SAMPLES = 20;
const ROUNDS = 3;
const WARM_UP = 5;
/** Relative to the slower of the ordinary filter and the bare query, which does without a session check and HTTP. */
const MAX_RATIO = 1.5;
/** Below this, a ratio reflects only the fixed cost of a request. */
const NEGLIGIBLE_MS = 5;

type Practice = { readonly companyId: string; readonly adminId: string; readonly cookie: string };
/**
 * `bare` is the condition on `clients c` that an engineer would write for the same clients. `items` is the condition on `due_items`, whose
 * first date orders the list and whose amounts the count adds up.
 */
type BenchFilter = { readonly name: string; readonly query: string } & ({ readonly bare: string } | { readonly items: string });

export async function measureListFilters(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const { companyId, adminId, cookies } = await addPractice(portal);
    const practice = { companyId, adminId, cookie: cookies.admin };
    const ids = { run: randomUUID(), change: randomUUID(), statement: randomUUID(), requests: randomUUID() };
    await addClients(portal, practice, ids);
    const rows: BenchRow[] = [];
    for (const kind of ['list', 'count'] as const) rows.push(...(await measureKind(portal, practice, listFilters(ids), { kind, engine })));
    return rows;
  } finally {
    await portal.close();
  }
}

type Ids = Readonly<Record<'run' | 'change' | 'statement' | 'requests', string>>;

const hasSync = (condition: string): string =>
  `exists (select from client_syncs s where s.company_id = c.company_id and s.client_id = c.id and s.tax = 'vat' and ${condition})`;
const hasStatus = (condition: string): string =>
  `exists (select from client_authorisations a where a.company_id = c.company_id and a.client_id = c.id and a.tax = 'vat' and ${condition})`;

/** Lists the filters. The first is an ordinary filter of the list, as the baseline for the rest. */
function listFilters({ run, change, statement, requests }: Ids): readonly [BenchFilter, ...BenchFilter[]] {
  return [
    {
      name: 'authorisation',
      query: 'tax=vat&authorisation=missing',
      bare: `c.has_vat and ${hasStatus("a.status in ('not_started', 'revoked')")}`,
    },
    {
      name: 'request_plan, ready',
      query: 'request_plan=vat:ready',
      bare: `c.has_vat and c.status <> 'closed' and c.vrn is not null and c.vat_registered_on is not null and ${hasStatus("a.status = 'not_started'")}`,
    },
    {
      name: 'request_plan, authorised',
      query: 'request_plan=vat:authorised',
      bare: `c.has_vat and ${hasStatus("a.status = 'authorised'")}`,
    },
    {
      name: 'refresh, failed',
      query: 'tax=vat&refresh=failed',
      bare: hasSync("s.state = 'failed' and s.retry_at is null and s.reason <> 'not_authorised'"),
    },
    { name: 'refresh, run_done', query: 'tax=vat&refresh=run_done', bare: hasSync(`s.run_id = '${run}' and s.state = 'completed'`) },
    {
      name: 'refresh_reason',
      query: 'tax=vat&refresh=failed&refresh_reason=hmrc_error',
      bare: hasSync("s.state = 'failed' and s.reason = 'hmrc_error'"),
    },
    {
      name: 'action, a change of 5,000',
      query: `action=change:${change}`,
      bare: `c.id in (select (e ->> 'id')::uuid from client_changes x, jsonb_array_elements(x.clients) e where x.id = '${change}')`,
    },
    {
      name: 'action, a statement of 5,000',
      query: `action=statement_updated:${statement}`,
      bare: `exists (select from tax_statement_clients x where x.company_id = c.company_id and x.client_id = c.id and x.statement_id = '${statement}')`,
    },
    {
      name: 'action, requests to 5,000',
      query: `action=requests_created:${requests}`,
      bare: `exists (select from authorisation_run_clients x where x.company_id = c.company_id and x.client_id = c.id and x.run_id = '${requests}')`,
    },
    { name: 'due_before, 7 days', query: 'due_before=2026-11-17', items: "due_on between '2026-11-10' and '2026-11-17'" },
    { name: 'due_before, 90 days', query: 'due_before=2027-02-08', items: "due_on between '2026-11-10' and '2027-02-08'" },
    {
      name: 'pay_in, a month',
      query: 'pay_in=2026-12-01',
      items: "what = 'payment' and amount_pence > 0 and due_on between '2026-12-01' and '2026-12-31'",
    },
    {
      name: 'invitation, never',
      query: 'invitation=none',
      bare: `not exists (select from client_invitations i where i.company_id = c.company_id and i.client_id = c.id)
        and not exists (select from client_people p where p.company_id = c.company_id and p.client_id = c.id)`,
    },
    {
      name: 'invitation, opened, 5 of 5,000',
      query: 'invitation=opened',
      bare: `exists (select from client_invitations i where i.company_id = c.company_id and i.client_id = c.id and i.opened_at is not null
        and i.accepted_at is null and i.revoked_at is null and i.bounced_at is null and i.expires_at > now())`,
    },
  ];
}

type MeasuredQuery = { readonly kind: 'list' | 'count'; readonly engine: string };

async function measureKind(
  portal: TestPortal,
  { companyId, cookie }: Practice,
  filters: readonly [BenchFilter, ...BenchFilter[]],
  { kind, engine }: MeasuredQuery,
): Promise<BenchRow[]> {
  const runs = filters.flatMap((filter) => {
    const url = `${portal.url}/portal/open-tax/client-companies${kind === 'list' ? '' : '/count'}?company_id=${companyId}&${filter.query}`;
    const from = 'from clients c join client_rows r on r.company_id = c.company_id and r.client_id = c.id';
    const items = `(select client_id, min(due_on) as due_on, count(*) as items, sum(amount_pence) as amount from due_items
      where company_id = '${companyId}' and ${'items' in filter ? filter.items : 'true'} group by client_id)`;
    const [matchingSql, order, totals] =
      'items' in filter
        ? [`join ${items} i on i.client_id = c.id where c.company_id = '${companyId}'`, 'i.due_on', ', sum(i.items), sum(i.amount)']
        : [`where c.company_id = '${companyId}' and ${filter.bare}`, 'r.next_due_on, r.sort_name', ''];
    const statement =
      kind === 'list'
        ? `select r.* ${from} ${matchingSql} order by ${order}, c.id limit 50`
        : `select count(*)${totals} ${from} ${matchingSql}`;
    return [() => request(url, cookie), () => portal.deps.database.executeSql(statement)];
  });
  const times = await measureAlternately(runs);
  const baselineMs = times[0] ?? 0;
  return filters.map(({ name }, place): BenchRow => {
    const [ownMs = 0, bareMs = 0] = times.slice(2 * place, 2 * place + 2);
    const ratio = ownMs / Math.max(baselineMs, bareMs);
    return {
      title: `${kind} of ${CLIENT_COUNT} clients by ${name}, on ${engine}`,
      measured: `p95 ${ownMs.toFixed(1)} ms; ${(ownMs / baselineMs).toFixed(2)} times the list by authorisation, ${(ownMs / bareMs).toFixed(2)} times a bare query (${bareMs.toFixed(1)} ms)`,
      limit: `at most ${MAX_RATIO} times the slower of both, or ${NEGLIGIBLE_MS} ms`,
      ok: ratio <= MAX_RATIO || ownMs <= NEGLIGIBLE_MS,
    };
  });
}

/** Returns the median p95 over the rounds for each filter. The filters run in turn, so that noise affects all of them. */
async function measureAlternately(runs: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const rounds: number[][] = runs.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    const samples: number[][] = runs.map(() => []);
    for (let sample = -WARM_UP; sample < SAMPLES; sample += 1) {
      for (const [place, run] of runs.entries()) {
        const startedAt = performance.now();
        await run();
        if (sample >= 0) samples[place]?.push(performance.now() - startedAt);
      }
    }
    for (const [place, values] of samples.entries()) rounds[place]?.push(quantile(values, 0.95));
  }
  return rounds.map(median);
}

async function request(url: string, cookie: string): Promise<void> {
  const response = await fetch(url, { headers: { cookie } });
  const body = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${body}`);
  if (/^\{"(?:count|all)":0/.test(body)) throw new Error(`${url} found no clients`);
}

/**
 * Adds 7,000 clients with VAT: a third authorised, a third not, and a third with a pending request. A refresh covered all of them, and one
 * in four failed.
 */
async function addClients(portal: TestPortal, { companyId, adminId }: Practice, ids: Ids): Promise<void> {
  const fill = (statement: string): Promise<unknown> =>
    portal.deps.database.executeSql(`begin; set local session_replication_role = replica; ${statement}; commit`);
  await fill(`insert into clients (company_id, id, name, kind, status, vrn, vat_registered_on, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
      select '${companyId}', gen_random_uuid(), 'Client ' || n || ' Ltd', 'company', case when n % 20 = 0 then 'closed' else 'active' end,
        case when n % 10 < 7 then (100000000 + n)::text end, case when n % 4 > 0 then date '2020-01-01' end, n % 10 < 7, true, true, false, now(), now()
      from generate_series(1, ${CLIENT_COUNT}) as n;
    insert into client_rows (company_id, client_id, name, sort_name, kind, status, vrn, has_vat, has_paye, has_ct, has_sa,
      next_due_on, next_due_tax, next_due_what, next_due_pence, owed_pence, overdue_pence, refund_pence, attention, members, search, as_of, read_taxes, stale_on)
    select company_id, id, name, lower(name), kind, status, vrn, has_vat, has_paye, has_ct, has_sa, date '2026-11-10' + n % 300, 'vat', 'payment', n, n, 0, 0,
      'none', '[]', lower(name), now(), array['paye', 'ct'], date '2026-12-31'
    from (select *, substr(name, 8, length(name) - 11)::int as n from clients where company_id = '${companyId}') as made`);
  // Add three items for each client, spread over 120 days.
  await fill(`insert into due_items (company_id, client_id, tax, key, what, kind, due_on, amount_pence, title, source, as_of)
    select '${companyId}', id, tax, 'k', what, what, date '2026-11-10' + ((n * 7 + days) % 120)::int, amount, 'Item', 'hmrc', now()
    from (select id, row_number() over (order by id) as n from clients where company_id = '${companyId}') as c
      cross join (values ('vat', 'return', 0, null::bigint), ('paye', 'payment', 30, 12345), ('ct', 'payment', 60, 67890)) as v(tax, what, days, amount)`);
  const numberedClients = `(select id, row_number() over (order by id) as n from clients where company_id = '${companyId}' and has_vat) as c`;
  const half = `(select id from clients where company_id = '${companyId}' order by id limit 5000) as c`;
  await fill(`insert into client_authorisations (company_id, client_id, tax, status, client_action_url, sent_at, expires_on)
      select '${companyId}', id, 'vat', (array['authorised', 'not_started', 'link_sent'])[1 + n % 3], 'https://example.test/' || n, now(), date '2099-01-01' from ${numberedClients};
    insert into sync_runs (company_id, id, tax, state, started_by, started_at, ended_at, total, fraud_headers)
      values ('${companyId}', '${ids.run}', 'vat', 'completed', '${adminId}', now() - interval '1 hour', now(), 7000, '{}');
    insert into client_syncs (company_id, client_id, tax, state, reason, run_id, attempts, read_at)
      select '${companyId}', id, 'vat', case when n % 4 = 0 then 'failed' else 'completed' end, case when n % 4 = 0 then 'hmrc_error' end, '${ids.run}', 1, now()
      from ${numberedClients};
    insert into client_changes (company_id, id, kind, clients, "to", made_by, made_at, state)
      select '${companyId}', '${ids.change}', 'status', jsonb_agg(jsonb_build_object('id', id, 'was', 'lead')), '{"status":"active"}', '${adminId}', now(), 'made' from ${half};
    insert into tax_statements (company_id, id, tax, file_name, imported_by, imported_at, rows)
      values ('${companyId}', '${ids.statement}', 'paye', 'paye.csv', '${adminId}', now(), 5000);
    insert into tax_statement_clients (company_id, statement_id, client_id, outcome) select '${companyId}', '${ids.statement}', id, 'taken' from ${half};
    insert into authorisation_runs (company_id, id, tax, started_by, started_at, ended_at, fraud_headers)
      values ('${companyId}', '${ids.requests}', 'vat', '${adminId}', now(), now(), '{}');
    insert into authorisation_run_clients (company_id, run_id, client_id, outcome) select '${companyId}', '${ids.requests}', id, 'created' from ${half}`);
  await fill(`insert into client_invitations (company_id, id, client_id, email, invited_by, invited_at, sent_at, expires_at, opened_at)
      select '${companyId}', gen_random_uuid(), id, 'c' || n || '@list.example', '${adminId}', now(), now(), now() + interval '20 days',
        case when n % 1000 = 1 then now() end
      from (select id, row_number() over (order by id) as n from clients where company_id = '${companyId}' order by id limit 5000) as c`);
  await portal.deps.database.executeSql('analyze');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureListFilters(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
