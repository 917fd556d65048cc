/**
 * Measures the list of a practice's 10,000 invitations: its first page with the counts, the deepest page, a page of the rarest status and a
 * search, each compared with a bare, hand-written query.
 */
import { pathToFileURL } from 'node:url';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { median } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const INVITATIONS = 10_000;
const PAGE = 50;
const ROUNDS = 40;
const WARM_UP = 5;
/** The bare query does without a session check, HTTP and row-level security. */
const MAX_RATIO = 1.5;
/** Below this, a ratio reflects only the fixed cost of a request. */
const NEGLIGIBLE_MS = 25;

type Practice = Awaited<ReturnType<typeof addPractice>>;

const STATE_SQL = `case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked' when sent_at is null then 'draft'
  when bounced_at is not null then 'bounced' when expires_at <= now() then 'expired' when opened_at is null then 'sent' else 'opened' end`;

export async function measureInvitations(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const practice = await addPractice(portal);
    await addInvitations(portal, practice);
    const { companyId } = practice;
    const cursor = await findDeepestCursor(practice);
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [string, string];
    const buildPageQuery = (condition: string) =>
      `select i.*, r.name from client_invitations i join client_rows r on r.company_id = i.company_id and r.client_id = i.client_id
        where i.company_id = '${companyId}' and ${condition} order by i.invited_at desc, i.id desc limit ${PAGE}`;
    const buildCountsQuery = (condition: string) =>
      `select state, count(*) from (select ${STATE_SQL} as state from client_invitations i join client_rows r on r.company_id = i.company_id
        and r.client_id = i.client_id where i.company_id = '${companyId}' and ${condition}) s group by state`;
    const matchesSearch = `(r.search like '%client 77%' or lower(i.email) like '%client 77%')`;
    const runs: readonly { name: string; query: Record<string, string>; bare: readonly string[] }[] = [
      { name: 'first page with counts', query: {}, bare: [buildPageQuery('true'), buildCountsQuery('true')] },
      { name: 'deepest page', query: { cursor }, bare: [buildPageQuery(`(i.invited_at, i.id) < ('${at}', '${id}')`)] },
      {
        name: 'rarest status with counts',
        query: { state: 'bounced' },
        bare: [buildPageQuery(`(${STATE_SQL}) = 'bounced'`), buildCountsQuery('true')],
      },
      { name: 'search with counts', query: { q: 'client 77' }, bare: [buildPageQuery(matchesSearch), buildCountsQuery(matchesSearch)] },
    ];
    const times = runs.map(() => ({ own: [] as number[], bare: [] as number[] }));
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      for (const [place, { query, bare }] of runs.entries()) {
        const [ownTimes, plainTimes] = [
          await time(() => read(practice, query)),
          await time(async () => {
            for (const statement of bare) await portal.deps.database.executeSql(statement);
          }),
        ];
        if (round < WARM_UP) continue;
        times[place]?.own.push(ownTimes);
        times[place]?.bare.push(plainTimes);
      }
    }
    return runs.map(({ name }, place): BenchRow => {
      const [ownMedian, bareMs] = [median(times[place]?.own ?? []), median(times[place]?.bare ?? [])];
      return {
        title: `${INVITATIONS} invitations, ${name}, on ${engine}`,
        measured: `${ownMedian.toFixed(1)} ms; ${(ownMedian / bareMs).toFixed(2)} times a bare query (${bareMs.toFixed(1)} ms)`,
        limit: `at most ${MAX_RATIO} times, or ${NEGLIGIBLE_MS} ms`,
        ok: ownMedian / bareMs <= MAX_RATIO || ownMedian <= NEGLIGIBLE_MS,
      };
    });
  } finally {
    await portal.close();
  }
}

/** Adds the invitations, of which one in a thousand bounced. */
async function addInvitations(portal: TestPortal, { companyId, adminId }: Practice): Promise<void> {
  await portal.deps.database.executeSql(`begin; set local session_replication_role = replica;
    insert into clients (company_id, id, name, kind, status, email, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
      select '${companyId}', gen_random_uuid(), 'Client ' || n, 'company', 'active', 'c' || n || '@clients.example', true, false, true, false, now(), now()
      from generate_series(1, ${INVITATIONS}) as n;
    insert into client_rows (company_id, client_id, name, sort_name, kind, status, has_vat, has_paye, has_ct, has_sa, next_due_on, owed_pence, overdue_pence,
      refund_pence, attention, members, search)
      select company_id, id, name, lower(name), kind, status, has_vat, has_paye, has_ct, has_sa, date '2099-01-01', 0, 0, 0, 'none', '[]', lower(name)
      from clients where company_id = '${companyId}';
    insert into client_invitations (company_id, id, client_id, email, invited_by, invited_at, sent_at, expires_at, opened_at, accepted_at, bounced_at)
      select company_id, gen_random_uuid(), id, email, '${adminId}', now() - n * interval '1 second', now(), now() + interval '20 days',
        case when n % 3 = 0 then now() end, case when n % 2 = 0 then now() end, case when n % 1000 = 1 then now() end
      from (select *, substr(name, 8)::int as n from clients where company_id = '${companyId}') as made; commit`);
  await portal.deps.database.executeSql('analyze');
}

async function read({ admin, companyId }: Practice, query: Record<string, string>) {
  const { status, body } = await admin.get('/open-tax/client-invitations', { company_id: companyId, limit: String(PAGE), ...query });
  if (status !== 200 || (body['rows'] as unknown[]).length === 0) throw new Error(`not a page: ${JSON.stringify(body).slice(0, 200)}`);
  return body;
}

async function findDeepestCursor(practice: Practice): Promise<string> {
  let last = '';
  for (let cursor: string | null | undefined; cursor !== null;) {
    if (cursor !== undefined) last = cursor;
    const query = { limit: '200', ...(cursor === undefined ? {} : { cursor }) };
    cursor = (await read(practice, query))['next_cursor'] as string | null;
  }
  return last;
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureInvitations(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
