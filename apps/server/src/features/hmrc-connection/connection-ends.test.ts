/**
 * Tests connections that end: recorded once, emailed once to everyone who can reconnect, and shown on every page until reconnected. Also
 * tests failures that must not end a connection.
 */
import { randomUUID } from 'node:crypto';
import { hmrcConnections, memberships, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds, toInstant } from '@portal/domain/clock.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { NoConnectionError } from '@portal/db/database-outage.ts';
import { eq, sql, type SQL } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createConnectedTrader, authorisePortal } from '../../testing/test-trader.ts';
import { createOaklinePractice, getAgentTokens, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { endConnection } from './end-connection.ts';
import { waitForTokenRefreshes, withAccessToken } from './with-access-token.ts';
import { checkConnectionExpiry } from './check-connection-expiry.ts';
import { sealTokens } from './seal-tokens.ts';

const START_TIME = '2026-11-10T10:00:00.000Z';
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
afterEach(() => {
  portal.faults.clear();
  portal.moveClock(START_TIME);
});

const getDb = () => portal.deps.database.db;
const findConnection = async (companyId: string) =>
  (await getDb().select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId)))[0];
const updateConnection = (companyId: string, set: Partial<typeof hmrcConnections.$inferInsert>) =>
  getDb().update(hmrcConnections).set(set).where(eq(hmrcConnections.companyId, companyId));
const getEmail = async (id: string) => (await getDb().select().from(users).where(eq(users.id, id)))[0]?.email ?? '';
const listEmailsTo = (email: string) => portal.sentEmails.filter(({ to, subject }) => to === email && subject.includes('HMRC'));
const getNotices = async (person: { get: OaklinePractice['admin']['get'] }) => (await person.get('/v2/check-login')).body['grant_notices'];

/** Creates a practice with two admins, a team member and a user of a client. */
async function createPracticeOfFour() {
  const practice = await createOaklinePractice(portal, { isIncluded: ({ situation }) => situation === 'overdue_payment' });
  const addUser = async (role: 'practice_admin' | 'client') => {
    const id = randomUUID();
    await getDb()
      .insert(users)
      .values({ id, email: `${id}@oakline.example`, fullName: role, createdAt: portal.deps.clock.now() });
    await getDb().insert(memberships).values({ companyId: practice.companyId, userId: id, role, createdAt: portal.deps.clock.now() });
    return getEmail(id);
  };
  return {
    ...practice,
    connectorEmails: [await getEmail(practice.adminId), await addUser('practice_admin')],
    otherEmails: [await getEmail(practice.memberId), await addUser('client')],
  };
}

/** Stores a new connection, as another authorisation would. */
async function reconnect(companyId: string): Promise<void> {
  const { clock } = portal.deps;
  await updateConnection(companyId, {
    status: 'connected',
    ...sealTokens(portal.deps, companyId, await getAgentTokens(portal)),
    accessExpiresAt: addMilliseconds(clock.now(), 4 * 3_600_000),
    connectedAt: clock.now(),
    endedAt: null,
    endReason: null,
    warnedDays: null,
  });
}

const makeTokenStale = (companyId: string) =>
  updateConnection(companyId, { accessToken: portal.deps.tokenCipher.seal('stale', `hmrc_access_token:${companyId}`) });
/** Calls HMRC and counts the open obligations of the practice's client. */
const countOpenObligations = ({ companyId, list }: OaklinePractice, token?: string) =>
  withAccessToken(portal.deps, companyId, async (accessToken) => {
    const call = { accessToken: token ?? accessToken, fraudHeaders: {} };
    return (await portal.deps.hmrc.listObligations(call, list[0]?.client.vat?.vrn ?? '', { status: 'open' })).length;
  });

describe('an authorisation that was revoked at HMRC', () => {
  it('sends one email with one link to each person who can reconnect, even when several calls fail at once', async () => {
    const practice = await createPracticeOfFour();
    portal.hmrc.revokeGrant(OAKLINE.hmrcUserId);
    const results = await Promise.allSettled([
      countOpenObligations(practice),
      countOpenObligations(practice),
      countOpenObligations(practice),
    ]);
    expect(results.map((result) => result.status === 'rejected' && (result.reason as { code: string }).code)).toEqual(
      Array.from({ length: 3 }, () => 'hmrc.not_connected'),
    );
    await portal.runJobs();
    for (const email of practice.connectorEmails) {
      const [sentEmail, ...otherEmails] = listEmailsTo(email);
      expect(otherEmails).toEqual([]);
      expect(sentEmail?.subject).toBe('Oakline Accounting: the connection to HMRC has ended');
      expect(sentEmail?.text.match(/https?:\/\/\S+/g)).toEqual([
        `http://localhost/portal/v2/open-tax/settings/connections?company_id=${practice.companyId}`,
      ]);
      expect(sentEmail?.text).toContain('we can’t get your clients’ VAT and Self Assessment figures from HMRC');
    }
    for (const email of practice.otherEmails) expect(listEmailsTo(email)).toEqual([]);
  });

  it('is shown to the whole practice until reconnected, and emailed again when the new one is revoked too', async () => {
    const practice = await createPracticeOfFour();
    expect(await getNotices(practice.admin)).toBeUndefined();
    portal.hmrc.revokeGrant(OAKLINE.hmrcUserId);
    await expect(countOpenObligations(practice)).rejects.toMatchObject({ code: 'hmrc.not_connected' });
    const notice = {
      company_id: practice.companyId,
      kind: 'practice',
      state: 'ended',
      at: (await findConnection(practice.companyId))?.endedAt,
    };
    expect(await getNotices(practice.admin)).toMatchObject([
      { ...notice, may_connect: true, path: `/v2/open-tax/settings/connections?company_id=${practice.companyId}` },
    ]);
    expect(await getNotices(practice.member)).toMatchObject([{ ...notice, may_connect: false }]);
    await reconnect(practice.companyId);
    expect(await getNotices(practice.admin)).toBeUndefined();
    portal.hmrc.revokeGrant(OAKLINE.hmrcUserId);
    await expect(countOpenObligations(practice)).rejects.toMatchObject({ code: 'hmrc.not_connected' });
    await portal.runJobs();
    expect(listEmailsTo(practice.connectorEmails[1] ?? '')).toHaveLength(2);
  });

  it('is emailed to the trader and describes the effect on their own returns', async () => {
    const trader = await createConnectedTrader(portal, 'lost@grants.example');
    portal.hmrc.revokeGrant(trader.hmrcUserId);
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    await portal.runJobs();
    expect(listEmailsTo('lost@grants.example').map(({ text }) => text)).toEqual([
      expect.stringContaining('file a return or offer you an early refund'),
    ]);
    expect(await getNotices(trader.browser)).toMatchObject([{ kind: 'company', state: 'ended', may_connect: true }]);
    expect(await authorisePortal(portal, trader.browser, trader.companyId, trader.hmrcUserId)).not.toContain('failed');
    expect(await getNotices(trader.browser)).toBeUndefined();
    expect(await findConnection(trader.companyId)).toMatchObject({ status: 'connected', endedAt: null, endReason: null });
  });
});

describe('the end of the 18 months', () => {
  const toTime = (text: string) => toInstant(Date.parse(text));
  const checkAt = async (text: string) => {
    portal.moveClock(text);
    await checkConnectionExpiry(portal.deps);
    await checkConnectionExpiry(portal.deps);
    await portal.runJobs();
  };

  it('sends one email 30 days before, one 7 days before and one when it has ended', async () => {
    const practice = await createPracticeOfFour();
    const listSubjects = () => listEmailsTo(practice.connectorEmails[0] ?? '').map(({ subject }) => subject);
    const warningSubject = 'Oakline Accounting: your HMRC connection ends on 10 May 2028';
    await updateConnection(practice.companyId, { consentEndsAt: toTime('2028-05-10T10:00:00Z') });
    await checkAt('2028-04-10T09:59:00.000Z');
    expect(listSubjects()).toEqual([]);
    await checkAt('2028-04-10T10:00:00.000Z');
    await checkAt('2028-05-03T09:59:00.000Z');
    expect(listSubjects()).toEqual([warningSubject]);
    expect(await getNotices(practice.admin)).toMatchObject([{ state: 'ending', at: toTime('2028-05-10T10:00:00Z') }]);
    expect(await getNotices(practice.member)).toBeUndefined();
    await checkAt('2028-05-03T10:00:00.000Z');
    expect(listSubjects()).toEqual([warningSubject, warningSubject]);
    await checkAt('2028-05-10T10:00:00.000Z');
    expect(listSubjects()).toEqual([warningSubject, warningSubject, 'Oakline Accounting: the connection to HMRC has ended']);
    expect(await findConnection(practice.companyId)).toMatchObject({ status: 'lapsed', endReason: 'expired', refreshToken: null });
  });

  it('sends only the latest due warning after a gap, and none after a renewal', async () => {
    const practice = await createPracticeOfFour();
    await updateConnection(practice.companyId, { consentEndsAt: toTime('2028-05-10T10:00:00Z') });
    await checkAt('2028-05-06T10:00:00.000Z');
    expect(listEmailsTo(practice.connectorEmails[0] ?? '').map(({ text }) => /in \d+ days/.exec(text)?.[0])).toEqual(['in 4 days']);
    await updateConnection(practice.companyId, { consentEndsAt: toTime('2029-11-06T10:00:00Z'), warnedDays: null });
    await checkAt('2028-05-10T10:00:00.000Z');
    expect(listEmailsTo(practice.connectorEmails[0] ?? '')).toHaveLength(1);
  });
});

describe('a token refresh', () => {
  it('is saved later when the database can’t save it for half a minute, and the connection is kept', async () => {
    const practice = await createPracticeOfFour();
    await makeTokenStale(practice.companyId);
    await getDb().execute(sql`create function refuse_tokens() returns trigger language plpgsql as $$
      begin if new.access_token is distinct from old.access_token then raise exception 'the disk is away'; end if; return new; end $$`);
    await getDb().execute(
      sql`create trigger refuse_tokens before update on hmrc_connections for each row execute function refuse_tokens()`,
    );
    const { pause } = portal.deps;
    let waitedMs = 0;
    const waitAndRepair = async (ms: number): Promise<void> => {
      waitedMs += ms;
      // The time that another database server may need to take over.
      if (waitedMs === 30_000) await getDb().execute(sql`drop trigger refuse_tokens on hmrc_connections`);
    };
    Object.assign(portal.deps, { pause: waitAndRepair });
    expect(await countOpenObligations(practice).finally(() => Object.assign(portal.deps, { pause }))).toBeGreaterThan(0);
    expect(waitedMs).toBe(30_000);
    await makeTokenStale(practice.companyId);
    expect(await countOpenObligations(practice)).toBeGreaterThan(0);
    expect(await findConnection(practice.companyId)).toMatchObject({ status: 'connected', refreshLeaseUntil: null });
  });

  it('whose lease was stored although the database’s response was lost doesn’t make the next one wait for two minutes', async () => {
    const practice = await createPracticeOfFour();
    await makeTokenStale(practice.companyId);
    const { database: realDatabase } = portal.deps;
    const db = Object.create(realDatabase.db) as typeof realDatabase.db;
    type ConnectionUpdate = ReturnType<typeof realDatabase.db.update<typeof hmrcConnections>>;
    const loseResponse = (values: Parameters<ConnectionUpdate['set']>[0]) => ({
      where: (condition: SQL) => ({
        returning: async () => {
          Object.assign(portal.deps, { database: realDatabase });
          await realDatabase.db.update(hmrcConnections).set(values).where(condition);
          throw new NoConnectionError(new Error('Connection terminated unexpectedly'));
        },
      }),
    });
    db.update = (() => ({ set: loseResponse })) as unknown as typeof db.update;
    Object.assign(portal.deps, { database: { ...realDatabase, db } });
    await expect(countOpenObligations(practice)).rejects.toBeInstanceOf(NoConnectionError);
    expect(await countOpenObligations(practice)).toBeGreaterThan(0);
  });

  it('that is running at shutdown is completed and saved first', async () => {
    const practice = await createPracticeOfFour();
    await makeTokenStale(practice.companyId);
    const staleToken = (await findConnection(practice.companyId))?.accessToken;
    portal.faults.set({ operation: 'hmrc.token', kind: 'slow', times: 1 });
    const callResult = countOpenObligations(practice);
    // On a busy machine, the test may see only the end of the token refresh.
    const hasStarted = (connection: Awaited<ReturnType<typeof findConnection>>) =>
      connection?.refreshLeaseUntil !== null || connection.accessToken !== staleToken;
    await expect.poll(async () => hasStarted(await findConnection(practice.companyId))).toBe(true);
    await waitForTokenRefreshes(10_000);
    expect((await findConnection(practice.companyId))?.accessToken).not.toBe(staleToken);
    await callResult;
  });

  it('of the previous authorisation does not end a newer one when HMRC rejects it', async () => {
    const practice = await createPracticeOfFour();
    const previousConnection = await findConnection(practice.companyId);
    if (!previousConnection) throw new Error('no connection');
    portal.moveClock('2026-11-10T10:00:01.000Z');
    await reconnect(practice.companyId);
    expect(await getDb().transaction((tx) => endConnection(portal.deps, tx, previousConnection, 'refused', 'hmrc'))).toBe(false);
    await portal.runJobs();
    expect(listEmailsTo(practice.connectorEmails[0] ?? '')).toEqual([]);
    expect(await countOpenObligations(practice)).toBeGreaterThan(0);
  });

  it('that succeeds keeps the connection even if HMRC rejects the new token', async () => {
    const practice = await createPracticeOfFour();
    await expect(countOpenObligations(practice, 'no token of HMRC’s')).rejects.toMatchObject({ failure: 'unavailable' });
    expect(await countOpenObligations(practice)).toBeGreaterThan(0);
  });
});
