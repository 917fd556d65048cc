/**
 * Measures the morning digest, reminders by rule and 10,000 invitations for a practice with 10,000 clients and 200 members. Compares each
 * set of facts with one bare statement for the same result, and measures the runs until they complete. Excludes the mail server, which runs
 * on another computer.
 */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { planReminders } from '../apps/server/src/features/reminder-rules/plan-reminders.ts';
import { loadDigestFacts } from '../apps/server/src/features/staff-notifications/digest-facts.ts';
import { sendDigests } from '../apps/server/src/features/staff-notifications/send-digests.ts';
import { sendInvitations } from '../apps/server/src/features/invitation-runs/send-invitations.ts';
import { addHmrcConnection, addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { getDriverClient, median } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { addTeam } from './team-work.bench.ts';

const ROUNDS = 15;
const MAX_RATIO = 1.5;
const INVITATIONS = 10_000;

export async function measureNotifications(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const practice = await addPractice(portal);
    await addTeam(portal, practice);
    await addHmrcConnection(portal, practice.companyId, { accessToken: 'a', refreshToken: 'r' });
    const { companyId, adminId } = practice;
    await portal.deps.database.executeSql(
      `update clients set email = 'c' || substr(name, 8) || '@clients.example' where company_id = '${companyId}'`,
    );
    const rows = [await measureDigestFacts(portal, companyId, engine), await measureReminderPlan(portal, companyId, adminId, engine)];
    rows.push(await measureDigests(portal, engine), await measureInvitations(portal, practice, engine));
    return rows;
  } finally {
    await portal.close();
  }
}

async function compare(
  title: string,
  engine: string,
  runPortalQuery: () => Promise<number>,
  runBare: () => Promise<number>,
): Promise<BenchRow> {
  if ((await runPortalQuery()) !== (await runBare())) throw new Error(`${title}: the bare statement has another answer`);
  const times: { own: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push({ own: await time(runPortalQuery), bare: await time(runBare) });
  const [ownMs, bareMs] = [median(times.map((time) => time.own)), median(times.map((time) => time.bare))];
  const ratio = median(times.map((time) => time.own / time.bare));
  const hasLimit = engine === 'PostgreSQL';
  return {
    title: `${title}, 10,000 clients and 200 members on ${engine}, against bare statements`,
    measured: `${ownMs.toFixed(0)} ms against ${bareMs.toFixed(0)} ms = ${ratio.toFixed(2)} times`,
    limit: hasLimit ? `at most ${MAX_RATIO} times` : `for comparison; ${MAX_RATIO} times on PostgreSQL`,
    ok: !hasLimit || ratio <= MAX_RATIO,
  };
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function measureDigestFacts(portal: TestPortal, companyId: string, engine: string): Promise<BenchRow> {
  const client = getDriverClient(portal);
  const today = portal.deps.clock.today();
  const loadWithPortal = async () => {
    const facts = await loadDigestFacts(portal.deps.database.db, companyId, { today, isWeekly: false });
    return facts.due.length + [...facts.clientsOf.values()].reduce((sum, ids) => sum + ids.size, 0);
  };
  const runBare = async () => {
    const { rows: assignedRows } = await client.query(
      `select distinct user_id, client_id from client_members where company_id = '${companyId}'`,
    );
    const { rows: dueRows } = await client.query(`select d.client_id, c.name, d.tax, d.kind, d.due_on::text from due_items d
      join clients c on c.company_id = d.company_id and c.id = d.client_id where d.company_id = '${companyId}' and d.what <> 'refund'
      and d.due_on between date '${today}' and date '${today}' + 7 and c.status not in ('inactive', 'closed') order by d.due_on, c.name`);
    await client.query(`select owner_id, count(*) from work_items where company_id = '${companyId}' and status <> 'done' and removed_at is null
      and due_on <= date '${today}' + 7 group by owner_id`);
    return dueRows.length + assignedRows.length;
  };
  return compare('the facts of a morning’s digests', engine, loadWithPortal, runBare);
}

function measureReminderPlan(portal: TestPortal, companyId: string, authorId: string, engine: string): Promise<BenchRow> {
  const client = getDriverClient(portal);
  const today = portal.deps.clock.today();
  const rule = {
    companyId,
    ruleId: randomUUID(),
    tax: 'vat',
    item: 'return',
    daysBefore: 14,
    subject: '{client}: {deadline}',
    body: 'Due on {due date}.',
    authorId,
  } as const;
  const planWithPortal = async () => (await planReminders(portal.deps.database.db, rule, { today, daysAhead: 30 })).length;
  const runBare = async () =>
    (
      await client.query(`select d.client_id, c.name, c.email, d.key, d.due_on::text, d.amount_pence from due_items d
        join clients c on c.company_id = d.company_id and c.id = d.client_id and c.status not in ('inactive', 'closed')
        where d.company_id = '${companyId}' and d.tax = 'vat' and d.what = 'return' and d.due_on between date '${today}' and date '${today}' + 44
          and not exists (select from rule_reminders r where r.company_id = d.company_id and r.rule_id = '${rule.ruleId}' and r.client_id = d.client_id and r.key = d.key)
          and not exists (select from client_people p join users u on u.id = p.user_id where p.company_id = d.company_id and p.client_id = d.client_id
            and p.remind_days is not null and lower(u.email) = lower(c.email))
        order by d.due_on, c.name`)
    ).rows.length;
  return compare('a reminder rule’s plan for 30 days, with its texts', engine, planWithPortal, runBare);
}

async function measureDigests(portal: TestPortal, engine: string): Promise<BenchRow> {
  const ms = await time(() => sendDigests(portal.deps));
  const { rows } = await portal.deps.database.db.execute<{ sent: number }>('select count(*)::int as sent from unsubscribe_links');
  return {
    title: `the digests of 200 members with 10,000 clients on ${engine}, until all are queued`,
    measured: `${rows[0]?.sent ?? 0} in ${(ms / 1000).toFixed(1)} s`,
    limit: 'for comparison',
    ok: true,
  };
}

type Practice = Awaited<ReturnType<typeof addPractice>>;

async function measureInvitations(portal: TestPortal, { companyId, adminId }: Practice, engine: string): Promise<BenchRow> {
  const runId = randomUUID();
  await portal.deps.database.executeSql(`update clients set status = 'active' where company_id = '${companyId}';
    insert into invitation_runs (company_id, id, state, started_by, started_at, total) values ('${companyId}', '${runId}', 'running', '${adminId}', now(), ${INVITATIONS});
    insert into invitation_run_clients (company_id, run_id, client_id, position, email, status)
      select '${companyId}', '${runId}', id, substr(name, 8)::int, email, 'queued' from clients where company_id = '${companyId}'`);
  let mailCount = 0;
  const deps = { ...portal.deps, mailer: { ...portal.deps.mailer, send: async () => void (mailCount += 1) } };
  const ms = await time(async () => {
    while (mailCount < INVITATIONS) await sendInvitations(deps, { companyId, runId }, AbortSignal.timeout(3_600_000));
  });
  const { rows } = await portal.deps.database.db.execute<{ sent: number }>(
    `select count(*)::int as sent from invitation_run_clients where status = 'sent'`,
  );
  const sentCount = rows[0]?.sent ?? 0;
  return {
    title: `${INVITATIONS} invitations on ${engine}, each attempt committed before its email and its outcome after it`,
    measured: `${sentCount} in ${(ms / 1000).toFixed(0)} s, ${(ms / INVITATIONS).toFixed(1)} ms each`,
    limit: 'each sent once',
    ok: sentCount === INVITATIONS && mailCount === INVITATIONS,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureNotifications(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
