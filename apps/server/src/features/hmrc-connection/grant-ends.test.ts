/**
 * Connections that end: recorded once, emailed once to everyone who can reconnect, and shown on every page until reconnected. Also what
 * must not end one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { hmrcConnections, memberships, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds, instantOf } from '@portal/domain/clock.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectedTrader, grant } from '../../testing/act-as-trader.ts';
import { agentTokens, oaklinePractice, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { endGrant } from './end-grant.ts';
import { finishRenewals, lendGrant } from './lend-grant.ts';
import { watchGrants } from './watch-grants.ts';

const START = '2026-11-10T10:00:00.000Z';
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
afterEach(() => {
  portal.faults.clear();
  portal.moveClock(START);
});

const database = () => portal.deps.database.db;
const findGrant = async (companyId: string) =>
  (await database().select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId)))[0];
const setGrant = (companyId: string, set: Partial<typeof hmrcConnections.$inferInsert>) =>
  database().update(hmrcConnections).set(set).where(eq(hmrcConnections.companyId, companyId));
const emailOf = async (id: string) => (await database().select().from(users).where(eq(users.id, id)))[0]?.email ?? '';
const mailsTo = (email: string) => portal.mails.filter(({ to, subject }) => to === email && subject.includes('HMRC'));
const noticesOf = async (person: { get: OaklinePractice['admin']['get'] }) => (await person.get('/v2/check-login')).body['grant_notices'];

/** A practice with two admins, a team member and a user of a client. */
async function practiceOfFour() {
  const practice = await oaklinePractice(portal, { passes: ({ situation }) => situation === 'overdue_payment' });
  const add = async (role: 'practice_admin' | 'client') => {
    const id = randomUUID();
    await database()
      .insert(users)
      .values({ id, email: `${id}@oakline.example`, fullName: role, createdAt: portal.deps.clock.now() });
    await database().insert(memberships).values({ companyId: practice.companyId, userId: id, role, createdAt: portal.deps.clock.now() });
    return emailOf(id);
  };
  return {
    ...practice,
    mayConnect: [await emailOf(practice.adminId), await add('practice_admin')],
    others: [await emailOf(practice.memberId), await add('client')],
  };
}

/** Stores a new connection, as authorising again would. */
async function connectAgain(companyId: string): Promise<void> {
  const { accessToken, refreshToken } = await agentTokens(portal);
  const { tokenCipher, clock } = portal.deps;
  await setGrant(companyId, {
    status: 'connected',
    accessToken: tokenCipher.seal(accessToken),
    refreshToken: tokenCipher.seal(refreshToken),
    accessExpiresAt: addMilliseconds(clock.now(), 4 * 3_600_000),
    connectedAt: clock.now(),
    endedAt: null,
    endedBecause: null,
    warnedDays: null,
  });
}

const makeStale = (companyId: string) => setGrant(companyId, { accessToken: portal.deps.tokenCipher.seal('stale') });
/** A call to HMRC: counts the open obligations of the practice's client. */
const callHmrc = ({ companyId, list }: OaklinePractice, token?: string) =>
  lendGrant(portal.deps, companyId, async (accessToken) => {
    const call = { accessToken: token ?? accessToken, fraudHeaders: {} };
    return (await portal.deps.hmrc.listObligations(call, list[0]?.client.vat?.vrn ?? '', { status: 'open' })).length;
  });

describe('an authorisation that was revoked at HMRC', () => {
  it('sends one email with one link to each person who can reconnect, even when several calls fail at once', async () => {
    const practice = await practiceOfFour();
    portal.hmrc.revokeGrant(OAKLINE.hmrcUserId);
    const found = await Promise.allSettled([callHmrc(practice), callHmrc(practice), callHmrc(practice)]);
    expect(found.map((one) => one.status === 'rejected' && (one.reason as { code: string }).code)).toEqual(
      Array.from({ length: 3 }, () => 'hmrc.not_connected'),
    );
    await portal.runJobs();
    for (const email of practice.mayConnect) {
      const [mail, ...more] = mailsTo(email);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('Oakline Accounting: the connection to HMRC has ended');
      expect(mail?.text.match(/https?:\/\/\S+/g)).toEqual([
        `http://localhost/portal/v2/open-tax/settings/connections?company_id=${practice.companyId}`,
      ]);
      expect(mail?.text).toContain('Self Assessment is read from HMRC');
    }
    for (const email of practice.others) expect(mailsTo(email)).toEqual([]);
  });

  it('is shown to the whole practice until reconnected, and emailed again when the new one is revoked too', async () => {
    const practice = await practiceOfFour();
    expect(await noticesOf(practice.admin)).toBeUndefined();
    portal.hmrc.revokeGrant(OAKLINE.hmrcUserId);
    await expect(callHmrc(practice)).rejects.toMatchObject({ code: 'hmrc.not_connected' });
    const shown = { company_id: practice.companyId, kind: 'practice', state: 'ended', at: (await findGrant(practice.companyId))?.endedAt };
    expect(await noticesOf(practice.admin)).toMatchObject([
      { ...shown, may_connect: true, path: `/v2/open-tax/settings/connections?company_id=${practice.companyId}` },
    ]);
    expect(await noticesOf(practice.member)).toMatchObject([{ ...shown, may_connect: false }]);
    await connectAgain(practice.companyId);
    expect(await noticesOf(practice.admin)).toBeUndefined();
    portal.hmrc.revokeGrant(OAKLINE.hmrcUserId);
    await expect(callHmrc(practice)).rejects.toMatchObject({ code: 'hmrc.not_connected' });
    await portal.runJobs();
    expect(mailsTo(practice.mayConnect[1] ?? '')).toHaveLength(2);
  });

  it('is emailed to the trader and describes the effect on their own returns', async () => {
    const trader = await connectedTrader(portal, 'lost@grants.example');
    portal.hmrc.revokeGrant(trader.hmrcUserId);
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    await portal.runJobs();
    expect(mailsTo('lost@grants.example').map(({ text }) => text)).toEqual([expect.stringContaining('file no return')]);
    expect(await noticesOf(trader.browser)).toMatchObject([{ kind: 'company', state: 'ended', may_connect: true }]);
    expect(await grant(portal, trader.browser, trader.companyId, trader.hmrcUserId)).not.toContain('failed');
    expect(await noticesOf(trader.browser)).toBeUndefined();
    expect(await findGrant(trader.companyId)).toMatchObject({ status: 'connected', endedAt: null, endedBecause: null });
  });
});

describe('the end of the 18 months', () => {
  const at = (text: string) => instantOf(Date.parse(text));
  const watchAt = async (text: string) => {
    portal.moveClock(text);
    await watchGrants(portal.deps);
    await watchGrants(portal.deps);
    await portal.runJobs();
  };

  it('sends one email 30 days before, one 7 days before and one when it has ended', async () => {
    const practice = await practiceOfFour();
    const subjects = () => mailsTo(practice.mayConnect[0] ?? '').map(({ subject }) => subject);
    const announced = 'Oakline Accounting: HMRC’s permission ends on 10 May 2028';
    await setGrant(practice.companyId, { consentEndsAt: at('2028-05-10T10:00:00Z') });
    await watchAt('2028-04-10T09:59:00.000Z');
    expect(subjects()).toEqual([]);
    await watchAt('2028-04-10T10:00:00.000Z');
    await watchAt('2028-05-03T09:59:00.000Z');
    expect(subjects()).toEqual([announced]);
    expect(await noticesOf(practice.admin)).toMatchObject([{ state: 'ending', at: at('2028-05-10T10:00:00Z') }]);
    expect(await noticesOf(practice.member)).toBeUndefined();
    await watchAt('2028-05-03T10:00:00.000Z');
    expect(subjects()).toEqual([announced, announced]);
    await watchAt('2028-05-10T10:00:00.000Z');
    expect(subjects()).toEqual([announced, announced, 'Oakline Accounting: the connection to HMRC has ended']);
    expect(await findGrant(practice.companyId)).toMatchObject({ status: 'lapsed', endedBecause: 'expired', refreshToken: null });
  });

  it('sends only the latest due warning after a gap, and none after a renewal', async () => {
    const practice = await practiceOfFour();
    await setGrant(practice.companyId, { consentEndsAt: at('2028-05-10T10:00:00Z') });
    await watchAt('2028-05-06T10:00:00.000Z');
    expect(mailsTo(practice.mayConnect[0] ?? '').map(({ text }) => /in \d+ days/.exec(text)?.[0])).toEqual(['in 4 days']);
    await setGrant(practice.companyId, { consentEndsAt: at('2029-11-06T10:00:00Z'), warnedDays: null });
    await watchAt('2028-05-10T10:00:00.000Z');
    expect(mailsTo(practice.mayConnect[0] ?? '')).toHaveLength(1);
  });
});

describe('a token refresh', () => {
  it('is saved a moment later when the database cannot save it at once, and the connection stays', async () => {
    const practice = await practiceOfFour();
    await makeStale(practice.companyId);
    await database().execute(sql`create function refuse_tokens() returns trigger language plpgsql as $$
      begin if new.access_token is distinct from old.access_token then raise exception 'the disk is away'; end if; return new; end $$`);
    await database().execute(
      sql`create trigger refuse_tokens before update on hmrc_connections for each row execute function refuse_tokens()`,
    );
    const back = pause(700).then(() => database().execute(sql`drop trigger refuse_tokens on hmrc_connections`));
    expect(await callHmrc(practice)).toBeGreaterThan(0);
    await back;
    await makeStale(practice.companyId);
    expect(await callHmrc(practice)).toBeGreaterThan(0);
    expect(await findGrant(practice.companyId)).toMatchObject({ status: 'connected', refreshLeaseUntil: null });
  });

  it('that is running at shutdown is waited for until it is saved', async () => {
    const practice = await practiceOfFour();
    await makeStale(practice.companyId);
    const stale = (await findGrant(practice.companyId))?.accessToken;
    portal.faults.set({ operation: 'hmrc.token', kind: 'slow', times: 1 });
    const called = callHmrc(practice);
    await expect.poll(async () => (await findGrant(practice.companyId))?.refreshLeaseUntil).not.toBeNull();
    await finishRenewals(10_000);
    expect((await findGrant(practice.companyId))?.accessToken).not.toBe(stale);
    await called;
  });

  it('of the previous authorisation does not end a newer one when HMRC rejects it', async () => {
    const practice = await practiceOfFour();
    const before = await findGrant(practice.companyId);
    if (!before) throw new Error('no connection');
    portal.moveClock('2026-11-10T10:00:01.000Z');
    await connectAgain(practice.companyId);
    expect(await database().transaction((tx) => endGrant(portal.deps, tx, before, 'refused', 'hmrc'))).toBe(false);
    await portal.runJobs();
    expect(mailsTo(practice.mayConnect[0] ?? '')).toEqual([]);
    expect(await callHmrc(practice)).toBeGreaterThan(0);
  });

  it('that succeeds keeps the connection even if HMRC rejects the new token', async () => {
    const practice = await practiceOfFour();
    await expect(callHmrc(practice, 'no token of HMRC’s')).rejects.toMatchObject({ failure: 'unavailable' });
    expect(await callHmrc(practice)).toBeGreaterThan(0);
  });
});
