/** Checks what the stories of a practice's team left in the database and in the recipients' mailboxes. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import type { PracticeTestBed } from './practice-test-bed.ts';
import type { TeamStory } from './team-story.ts';

const SETTLE_TIMEOUT_MS = 240_000;

/** Waits until nothing is queued. The queue pauses for five minutes after an unknown outcome, which the stories don't wait for. */
export async function waitForEmails(testBed: PracticeTestBed): Promise<boolean> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  const waiting = ['client_emails', 'client_message_recipients'];
  while (performance.now() < deadline) {
    await testBed.revive();
    for (const table of waiting) {
      await testBed.queryRunning(`update ${table} set attempted_at = attempted_at - interval '6 minutes'
        where status = 'unknown' and attempted_at > now() - interval '6 minutes'`);
    }
    const open = await testBed.queryRunning(
      waiting.map((table) => `select status from ${table} where status in ('queued', 'sending')`).join(' union all '),
    );
    if (open.length === 0) return true;
    await pause(500);
  }
  return false;
}

type Check = readonly [what: string, found: number, expected: number];

/** Returns one sentence for each fact that is lost or doubled. */
export async function verifyTeamStory(db: Db, { companyId }: { readonly companyId: string }, story: TeamStory): Promise<string[]> {
  const { tag, clientId, colleagueId, itemId, requestId, messageId, postIds } = story;
  const count = async (rows: ReturnType<typeof sql>): Promise<number> => {
    const result = await db.execute<{ count: string }>(sql`select count(*) as count from (${rows}) found`);
    return Number(result.rows[0]?.count);
  };
  const countAudits = (action: string, subject: string): Promise<number> =>
    count(sql`select from audit_entries where company_id = ${companyId}::uuid and action = ${action} and subject = ${subject}`);
  const [director, colleague] = [`director-${tag}@team.example`, `colleague-${tag}@team.example`];
  const checks: Check[] = [
    ['accounts of the colleague', await count(sql`select from users where email = ${colleague}`), 1],
    ['times that the colleague joined', await countAudits('team.joined', colleagueId), 1],
    ['memberships of the colleague who left', await count(sql`select from memberships where user_id = ${colleagueId}::uuid`), 0],
    ['times that the colleague was deactivated', await countAudits('team.deactivated', colleagueId), 1],
    ['duties left with the colleague', await count(sql`select from client_members where user_id = ${colleagueId}::uuid`), 0],
    ['clients', await count(sql`select from clients where company_id = ${companyId}::uuid and name = ${`Story ${tag} Ltd`}`), 1],
    ['times that the client was invited', await countAudits('client.invited', clientId), 1],
    ['times that the client’s user joined', await countAudits('client.person_joined', clientId), 1],
    [
      'people of the client',
      await count(
        sql`select from client_people p join users u on u.id = p.user_id where p.client_id = ${clientId}::uuid and u.email = ${director}`,
      ),
      1,
    ],
    ['finished tasks', await count(sql`select from work_items where id = ${itemId}::uuid and status = 'done'`), 1],
    ['comments', await count(sql`select from work_item_comments where work_item_id = ${itemId}::uuid`), 1],
    ['requests', await count(sql`select from client_requests where id = ${requestId}::uuid and completed_at is not null`), 1],
    ['times that the request was sent', await countAudits('request.sent', clientId), 1],
    ['times that the request was completed', await countAudits('request.completed', clientId), 1],
    ['posts', await count(sql`select from client_posts where client_id = ${clientId}::uuid`), postIds.length],
    ['recipients of the message', await count(sql`select from client_message_recipients where message_id = ${messageId}::uuid`), 1],
    // The invitation, the request, and the colleague's post. The request's email isn't sent if the client answered before.
    [
      'emails to the client’s user',
      await count(sql`select from client_emails where client_id = ${clientId}::uuid and email = ${director}`),
      3,
    ],
    [
      'emails that were neither sent nor pointless',
      await count(sql`select from client_emails where client_id = ${clientId}::uuid
        and not (status in ('sent', 'unknown') or status = 'not_sent' and needed_for = 'request')`),
      0,
    ],
  ];
  return checks
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `${tag}: ${what}: ${found}, not ${expected}`);
}

type StoredEmail = { readonly email: string; readonly subject: string; readonly status: string };

/** Every email through the practice's mailbox left at most once, and exactly once if it is shown as sent. */
export async function verifyMailbox(testBed: PracticeTestBed, db: Db, office: string): Promise<{ violations: string[]; unknown: number }> {
  const { rows } = await db.execute<StoredEmail>(sql`
    select email, subject, status from client_emails where sent_from = ${office}
    union all select email, subject, status from client_message_recipients where sent_from = ${office}`);
  const { messages } = (await (await fetch(`${testBed.sandbox.url}/mailbox.json`)).json()) as {
    messages: { to: string; from: string; subject: string }[];
  };
  const violations = rows.flatMap(({ email, subject, status }) => {
    const received = messages.filter((mail) => mail.to === email && mail.subject === subject && mail.from.includes(office)).length;
    const isRight = status === 'sent' ? received === 1 : status === 'unknown' && received <= 1;
    return isRight ? [] : [`“${subject}” to ${email} is ${status} and arrived ${received} times`];
  });
  return { violations, unknown: rows.filter(({ status }) => status === 'unknown').length };
}
