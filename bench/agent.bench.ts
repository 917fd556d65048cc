/**
 * Compares a run of the assistant's rules over 10,000 clients with only reading the same facts, using the same statement and batches. The
 * first run stores its findings; later runs find them unchanged.
 */
import { agentSettings } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { pathToFileURL } from 'node:url';
import { loadNextFacts } from '../apps/server/src/features/agent/load-facts.ts';
import { runAgent } from '../apps/server/src/features/agent/run-agent.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { median } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { addTeam } from './team-work.bench.ts';

const ROUNDS = 5;
const MAX_RATIO = 3;
/** The batch size that the job uses. */
const BATCH_SIZE = 250;

export async function measureAgent(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const practice = await addPractice(portal);
    await addTeam(portal, practice);
    await addClientRecords(portal, practice);
    const { companyId, adminId } = practice;
    await portal.deps.database.db
      .insert(agentSettings)
      .values({ companyId, mode: 'suggest', enabledBy: adminId, draftsPerDay: 100, actsPerDay: 50 });
    await readAll(portal, companyId);
    const first = { bare: await time(() => readAll(portal, companyId)), own: await time(() => runAll(portal, companyId)) };
    const laterTimes: { bare: number; own: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      laterTimes.push({ bare: await time(() => readAll(portal, companyId)), own: await time(() => runAll(portal, companyId)) });
    }
    return [
      toRow(`all rules over 10,000 clients on ${engine}, the first run, which stores what it finds`, [first], 'for comparison'),
      toRow(`all rules over 10,000 clients on ${engine}, against the bare read of their facts`, laterTimes, MAX_RATIO),
    ];
  } finally {
    await portal.close();
  }
}

/** Gives each client a user, a letter, nine quarters of returns with one pending, and a request with two items. */
async function addClientRecords({ deps }: TestPortal, { companyId, adminId }: { companyId: string; adminId: string }): Promise<void> {
  const today = `date '${deps.clock.today()}'`;
  const boxes = `jsonb_build_object('box1_pence', 500000, 'box2_pence', 0, 'box3_pence', 500000, 'box4_pence', 100000, 'box5_pence', 400000,
    'box6_pounds', 25000, 'box7_pounds', 5000, 'box8_pounds', 0, 'box9_pounds', 0, 'direction', 'payment')`;
  await deps.database.executeSql(`begin; set local session_replication_role = replica;
    insert into client_people (company_id, client_id, user_id, joined_at) select '${companyId}', id, '${adminId}', now() from clients where company_id = '${companyId}';
    insert into engagement_letters (company_id, id, client_id, text, digest, sent_by, sent_at)
      select '${companyId}', gen_random_uuid(), id, 'Letter', 'd', '${adminId}', ${today} - 20 from clients where company_id = '${companyId}';
    insert into return_approvals (company_id, id, client_id, obligation_id, period_start, period_end, due_on, boxes, digest, state, requested_by, requested_at, decided_at, filed_at)
      select '${companyId}', gen_random_uuid(), c.id, gen_random_uuid(), (q.first - interval '3 months' * n)::date, (q.first - interval '3 months' * (n - 1))::date - 1,
        (q.first - interval '3 months' * (n - 1))::date + 37, ${boxes}, 'd', case when n = 1 then 'sent' else 'approved' end, '${adminId}', ${today} - 20 - 91 * (n - 1),
        case when n > 1 then ${today} - 10 - 91 * (n - 1) end, case when n > 1 then ${today} - 10 - 91 * (n - 1) end
      from clients c cross join generate_series(1, 9) as n cross join (select date_trunc('quarter', ${today})::date as first) as q where c.company_id = '${companyId}';
    insert into client_requests (company_id, id, client_id, title, due_on, created_by, created_at)
      select '${companyId}', md5('request ' || id)::uuid, id, 'Bank statements', ${today} - 9, '${adminId}', ${today} - 20 from clients where company_id = '${companyId}';
    insert into client_request_items (company_id, id, request_id, position, kind, text)
      select company_id, gen_random_uuid(), id, n, 'paper', 'Statement' from client_requests cross join generate_series(1, 2) as n where company_id = '${companyId}';
    commit`);
  await deps.database.executeSql('analyze');
}

function toRow(title: string, rounds: readonly { bare: number; own: number }[], limit: number | string): BenchRow {
  const [portalMs, bareMs] = [median(rounds.map((round) => round.own)), median(rounds.map((round) => round.bare))];
  const ratio = median(rounds.map((round) => round.own / round.bare));
  return {
    title,
    measured: `${portalMs.toFixed(0)} ms against ${bareMs.toFixed(0)} ms = ${ratio.toFixed(2)} times`,
    limit: typeof limit === 'number' ? `at most ${limit} times` : limit,
    ok: typeof limit !== 'number' || ratio <= limit,
  };
}

async function time(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function readAll({ deps }: TestPortal, companyId: string): Promise<void> {
  const scope = { companyId, today: deps.clock.today(), publicUrl: deps.site.publicUrl };
  for (let afterId = '00000000-0000-0000-0000-000000000000'; ;) {
    const last = (await loadNextFacts(deps.database.db, scope, afterId, BATCH_SIZE)).at(-1);
    if (!last) return;
    afterId = last.client_id;
  }
}

async function runAll({ deps }: TestPortal, companyId: string): Promise<void> {
  await deps.database.db.update(agentSettings).set({ sweptOn: null }).where(eq(agentSettings.companyId, companyId));
  await runAgent(deps, companyId, new AbortController().signal);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureAgent(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
