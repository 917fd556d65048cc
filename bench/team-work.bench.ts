/**
 * Compares "My work", the workload and the tasks of a practice with 10,000 clients and 200 members with a bare server, which runs only one
 * purpose-written statement for the same result. Requests alternate, and the results are compared first.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { pathToFileURL } from 'node:url';
import { MAX_BOARD_COLUMN_ITEMS, WORK_STATUSES } from '@portal/domain/work-items/work-item.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { getDriverClient, median, quantile } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CLIENT_COUNT = 10_000;
const MEMBERS = 200;
const ROUNDS = 9;
const SAMPLES = 30;
const WARM_UP = 10;
const MAX_RATIO = 1.5;
/** The number of rows that the screen loads. */
const PAGE_ROWS = 100;

type BenchPractice = {
  readonly companyId: string;
  readonly memberId: string;
  readonly cookies: { readonly admin: string; readonly member: string };
};
type Rows = readonly Record<string, unknown>[];
type BenchCase = {
  readonly title: string;
  readonly path: string;
  readonly cookie: string;
  readonly sql: string;
  /** Converts the portal's response to the statement's rows. */
  readonly toRows: (body: Record<string, unknown>) => Rows;
};

export async function measureTeamWork(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const practice = await addPractice(portal);
    await addTeam(portal, practice);
    const rows: BenchRow[] = [];
    for (const testCase of listCases(portal, practice)) rows.push(await measureCase(portal, testCase, engine));
    return rows;
  } finally {
    await portal.close();
  }
}

function listCases(portal: TestPortal, { companyId, memberId, cookies }: BenchPractice): readonly BenchCase[] {
  const filters = `company_id=${companyId}&status=in_hand&member=${memberId}`;
  const ownClientsSql = `from client_rows r where r.company_id = '${companyId}' and r.status not in ('inactive', 'closed')
    and exists (select from client_members m where m.company_id = r.company_id and m.client_id = r.client_id and m.user_id = '${memberId}')`;
  const today = `date '${portal.deps.clock.today()}'`;
  return [
    {
      title: 'My work, first page',
      path: `/open-tax/client-companies?${filters}&sort=next_due&limit=${PAGE_ROWS}`,
      cookie: cookies.member,
      sql: `select r.client_id, r.name, r.kind, r.status, r.vrn, r.utr, r.company_number, r.client_code,
          array_remove(array[case when has_vat then 'vat' end, case when has_paye then 'paye' end, case when has_ct then 'ct' end, case when has_sa then 'sa' end], null) as taxes,
          r.next_due_on::text as next_due_on, r.next_due_tax, r.next_due_what, r.next_due_pence, r.owed_pence, r.overdue_pence, r.refund_pence,
          null as matched, r.attention, r.members, case when r.figures <> 'read' then r.figures when r.stale_on <= ${today} then 'stale' else 'current' end as figures_state,
          r.unread_taxes, r.refresh_failed, to_char(r.as_of at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as as_of
        ${ownClientsSql} order by r.next_due_on, r.client_id limit ${PAGE_ROWS}`,
      toRows: ({ clients }) => clients as Rows,
    },
    {
      title: 'My work, its number of clients and that of all',
      path: `/open-tax/client-companies/count?${filters}`,
      cookie: cookies.member,
      sql: `select (select count(*)::int ${ownClientsSql}) as count, (select count(*)::int from client_rows r where r.company_id = '${companyId}'
        and exists (select from client_members m where m.company_id = r.company_id and m.client_id = r.client_id and m.user_id = '${memberId}')) as "all"`,
      toRows: ({ count, all }) => [{ count, all }],
    },
    {
      title: 'workload of the team',
      path: `/open-tax/team-workload?company_id=${companyId}`,
      cookie: cookies.admin,
      sql: `with mine as (select distinct user_id, client_id from client_members where company_id = '${companyId}'),
        active as (select client_id, overdue_pence > 0 as is_late from client_rows where company_id = '${companyId}' and status not in ('inactive', 'closed')),
        late as (select distinct client_id from tax_positions where company_id = '${companyId}' and overdue_returns + overdue_updates > 0),
        due as (select client_id, count(*) filter (where due_on <= ${today} + 7) as due_7, count(*) as due_30 from due_items
          where company_id = '${companyId}' and what <> 'refund' and due_on between ${today} and ${today} + 30 group by client_id)
        select m.user_id, u.full_name, m.groups, count(active.client_id)::int as clients, coalesce(sum(due.due_7) filter (where active.client_id is not null), 0)::int as due_7,
          coalesce(sum(due.due_30) filter (where active.client_id is not null), 0)::int as due_30,
          (count(*) filter (where active.is_late or (active.client_id is not null and late.client_id is not null)))::int as overdue_clients
        from memberships m join users u on u.id = m.user_id left join mine on mine.user_id = m.user_id left join active on active.client_id = mine.client_id
          left join late on late.client_id = mine.client_id left join due on due.client_id = mine.client_id
        where m.company_id = '${companyId}' group by m.user_id, u.full_name, m.groups order by due_30 desc, clients desc, u.full_name, m.user_id`,
      toRows: ({ members }) => members as Rows,
    },
    ...listTaskCases({ companyId, memberId, cookies }),
  ];
}

/** Lists the screens' requests: a member's open tasks, and the board for a member and for the whole team. */
function listTaskCases({ companyId, memberId, cookies }: BenchPractice): readonly BenchCase[] {
  const base = `/open-tax/work-items?company_id=${companyId}`;
  const seenSql = `(exists (select from client_members m where m.company_id = w.company_id and m.client_id = w.client_id and m.user_id = '${memberId}')
    or (w.client_id is null and (w.owner_id = '${memberId}' or w.created_by = '${memberId}')))`;
  const select = (
    condition: string,
    limit: number,
    order = 'asc',
  ) => `select w.id as item_id, w.title, w.service, w.status, nullif(w.due_on, date '9999-12-31')::text as due_on,
      case when w.owner_id is not null then jsonb_build_object('user_id', w.owner_id, 'full_name', u.full_name) end as owner,
      case when w.client_id is not null then jsonb_build_object('client_id', w.client_id, 'name', c.name) end as client,
      (select count(*)::int from jsonb_array_elements(w.checklist) l where (l ->> 'is_done')::boolean) as checklist_done, jsonb_array_length(w.checklist) as checklist_total,
      (select count(*)::int from work_item_comments n where n.company_id = w.company_id and n.work_item_id = w.id) as comments,
      w.template_key is not null as is_from_obligation, w.version
    from work_items w left join clients c on c.company_id = w.company_id and c.id = w.client_id left join users u on u.id = w.owner_id
    where w.company_id = '${companyId}' and w.removed_at is null and ${condition} order by w.due_on ${order}, w.id ${order} limit ${limit}`;
  const selectBoard = (condition: string) =>
    WORK_STATUSES.map(
      (status) => `(${select(`w.status = '${status}' and ${condition}`, MAX_BOARD_COLUMN_ITEMS, status === 'done' ? 'desc' : 'asc')})`,
    ).join(' union all ');
  const toRows = ({ items }: Record<string, unknown>): Rows => items as Rows;
  const toCards = ({ columns }: Record<string, unknown>): Rows => (columns as { items: Rows }[]).flatMap(({ items }) => items);
  return [
    {
      title: 'my tasks, first page',
      path: `${base}&status=open&owner=me&limit=50`,
      cookie: cookies.member,
      sql: select(`w.status <> 'done' and w.owner_id = '${memberId}' and ${seenSql}`, 50),
      toRows,
    },
    {
      title: 'my board',
      path: `/open-tax/work-items/board?company_id=${companyId}&owner=me`,
      cookie: cookies.member,
      sql: selectBoard(`w.owner_id = '${memberId}' and ${seenSql}`),
      toRows: toCards,
    },
    {
      title: 'the team’s board, as a member sees it',
      path: `/open-tax/work-items/board?company_id=${companyId}`,
      cookie: cookies.member,
      sql: selectBoard(seenSql),
      toRows: toCards,
    },
    {
      title: 'the team’s board, as an admin sees it',
      path: `/open-tax/work-items/board?company_id=${companyId}`,
      cookie: cookies.admin,
      sql: selectBoard('true'),
      toRows: toCards,
    },
  ];
}

async function measureCase(portal: TestPortal, { title, path, cookie, sql, toRows }: BenchCase, engine: string): Promise<BenchRow> {
  const client = getDriverClient(portal);
  const select = async (): Promise<string> => JSON.stringify((await client.query(sql)).rows);
  const server = createServer((_request, response) => {
    void select().then((body) => response.setHeader('content-type', 'application/json').end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const url = `${portal.url}/portal${path}`;
  const [portalRows, bareRows] = [
    toRows(JSON.parse(await request(url, cookie)) as Record<string, unknown>),
    JSON.parse(await request(bareUrl, '')) as Rows,
  ];
  if (portalRows.length === 0 || !isDeepStrictEqual(portalRows, bareRows))
    throw new Error(`${title}: the bare statement has another answer`);
  const rounds: { readonly own: number; readonly bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: Record<'own' | 'bare', number[]> = { own: [], bare: [] };
    for (let sample = -WARM_UP; sample < SAMPLES; sample += 1) {
      for (const side of sample % 2 === 0 ? (['own', 'bare'] as const) : (['bare', 'own'] as const)) {
        const startedAt = performance.now();
        await (side === 'own' ? request(url, cookie) : request(bareUrl, ''));
        if (sample >= 0) times[side].push(performance.now() - startedAt);
      }
    }
    rounds.push({ own: median(times.own), bare: median(times.bare) });
  }
  server.close();
  const ratios = rounds.map(({ own: ownMs, bare: bareMs }) => ownMs / bareMs);
  const [ownMs, bareMs, ratio] = [median(rounds.map((round) => round.own)), median(rounds.map((round) => round.bare)), median(ratios)];
  const hasLimit = engine === 'PostgreSQL';
  return {
    title: `${title}, ${CLIENT_COUNT} clients and ${MEMBERS} members on ${engine}, against a bare server with one statement`,
    measured: `${ownMs.toFixed(1)} ms against ${bareMs.toFixed(1)} ms = ${ratio.toFixed(2)} times (half of ${ROUNDS} rounds between ${quantile(ratios, 0.25).toFixed(2)} and ${quantile(ratios, 0.75).toFixed(2)})`,
    limit: hasLimit ? `at most ${MAX_RATIO} times` : `for comparison; ${MAX_RATIO} times on PostgreSQL`,
    ok: !hasLimit || ratio <= MAX_RATIO,
  };
}

async function request(url: string, cookie: string): Promise<string> {
  const response = await fetch(url, { headers: { cookie } });
  const body = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${body}`);
  return body;
}

/** Gives every client two members. A fifth of the clients are overdue or have a late return, and the items are spread over 80 days. */
export async function addTeam(portal: TestPortal, { companyId, memberId }: BenchPractice): Promise<void> {
  const today = portal.deps.clock.today();
  const fill = (statement: string): Promise<unknown> =>
    portal.deps.database.executeSql(`begin; set local session_replication_role = replica; ${statement}; commit`);
  const members = `(select user_id, row_number() over (order by user_id) - 1 as place from memberships where company_id = '${companyId}') as m`;
  const numberedClients = `(select id, name, substr(name, 8)::int as n from clients where company_id = '${companyId}') as c`;
  await fill(`insert into users (id, email, full_name, created_at)
      select md5('member ' || n)::uuid, 'member' || n || '@team.example', 'Member ' || lpad(n::text, 3, '0'), now() from generate_series(3, ${MEMBERS}) as n;
    insert into memberships (company_id, user_id, role, created_at)
      select '${companyId}', md5('member ' || n)::uuid, 'team_member', now() from generate_series(3, ${MEMBERS}) as n;
    insert into clients (company_id, id, name, kind, status, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
      select '${companyId}', gen_random_uuid(), 'Client ' || n, 'company', case when n % 20 = 0 then 'closed' else 'active' end, true, false, true, false, now(), now()
      from generate_series(1, ${CLIENT_COUNT}) as n`);
  await fill(`insert into client_members (company_id, client_id, user_id, duty, assigned_at)
      select '${companyId}', c.id, m.user_id, duty.name, now() from ${numberedClients}
      cross join (values ('manager', 0), ('vat', 7)) as duty(name, shift) join ${members} on m.place = (c.n + duty.shift) % ${MEMBERS};
    insert into client_members (company_id, client_id, user_id, duty, assigned_at)
      select '${companyId}', c.id, '${memberId}', 'deputy', now() from ${numberedClients} where c.n % 20 = 1;
    insert into client_rows (company_id, client_id, name, sort_name, kind, status, has_vat, has_paye, has_ct, has_sa, next_due_on, next_due_tax, next_due_what,
      next_due_pence, owed_pence, overdue_pence, refund_pence, attention, members, search, as_of, read_taxes, stale_on)
      select '${companyId}', c.id, c.name, lower(c.name), 'company', case when n % 20 = 0 then 'closed' else 'active' end, true, false, true, false,
        date '${today}' + n % 80, 'vat', 'payment', 12000, 12000, case when n % 10 = 3 then 5000 else 0 end, 0, 'none',
        (select jsonb_agg(jsonb_build_object('user_id', a.user_id, 'full_name', u.full_name, 'duty', a.duty) order by u.full_name, a.user_id, a.duty)
          from client_members a join users u on u.id = a.user_id where a.company_id = '${companyId}' and a.client_id = c.id),
        lower(c.name), now(), array['vat', 'ct'], date '2099-12-31' from ${numberedClients};
    insert into tax_positions (company_id, client_id, tax, owed_pence, overdue_pence, refund_pence, overdue_returns, penalty_pence, interest_pence,
      computed_on, is_estimate, source, as_of, detail)
      select '${companyId}', c.id, t.tax, 12000, 0, 0, case when n % 10 = 7 then 1 else 0 end, 0, 0, date '${today}', false, 'hmrc', now(), '{}'
      from ${numberedClients} cross join (values ('vat'), ('ct')) as t(tax);
    insert into due_items (company_id, client_id, tax, key, what, due_on, amount_pence, title, source, as_of)
      select '${companyId}', c.id, 'vat', 'k' || item, (array['return', 'payment', 'refund'])[1 + item % 3], date '${today}' + (n * item) % 80, 1000, 'Due', 'rule', now()
      from ${numberedClients} cross join generate_series(1, 8) as item`);
  // Add three tasks for each client, a quarter of them done, with comments on some.
  await fill(`insert into work_items (company_id, id, client_id, title, service, status, due_on, owner_id, checklist, created_at, updated_at, template_key, step, tax, kind, period_end)
      select '${companyId}', gen_random_uuid(), c.id, 'Step ' || step, 'vat', (array['todo', 'in_progress', 'waiting', 'done'])[1 + (c.n / 7 + step) % 4], date '${today}' + (c.n * step) % 80,
        (select a.user_id from client_members a where a.company_id = '${companyId}' and a.client_id = c.id order by a.duty limit 1),
        '[{"id": "9b2f4c1e-0000-4000-8000-000000000001", "text": "Checked", "is_done": true}]', now(), now(), 'vat_return', step, 'vat', 'return', date '${today}'
      from ${numberedClients} cross join generate_series(0, 2) as step;
    insert into work_item_comments (company_id, work_item_id, id, author_id, text, written_at)
      select company_id, id, gen_random_uuid(), '${memberId}', 'Comment', now() from work_items where company_id = '${companyId}' and step = 1`);
  await portal.deps.database.executeSql('analyze');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureTeamWork(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
