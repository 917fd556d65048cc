/** Tests closing the account of a user, a trader's company or a practice: what prevents it, what ends, and what is kept. */
import { randomUUID } from 'node:crypto';
import {
  advances,
  auditEntries,
  calendarFeeds,
  clients,
  closedAccounts,
  companies,
  contactMessages,
  formerMemberships,
  hmrcConnections,
  mandates,
  memberships,
  passkeys,
  sessions,
  users,
  vrnClaims,
} from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addHmrcConnection, addPractice, assignClient } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { runTick, setUpDirectDebit } from '../../testing/short-refund.ts';
import { acceptAdvance, createTraderWithFiledReturn, findAdvance } from '../../testing/take-advance.ts';
import { createBrowser, createOperator, signUp, type Trader } from '../../testing/test-trader.ts';
import { verifyAudit } from '../audit/verify-audit.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;
const getUser = async (email: string) => {
  const [user] = await getDb().select().from(users).where(eq(users.email, email));
  if (!user) throw new Error(`there is no account of ${email}`);
  return user;
};
const closeCompany = (trader: Trader, name = 'Tess Exports Ltd') =>
  trader.browser.post('/v2/company/close', { company_id: trader.companyId, confirm_with: name });
const listBlockers = async (trader: Trader) =>
  ((await trader.browser.get('/v2/company/closing', { company_id: trader.companyId })).body['blockers'] as {
    kind: string;
    text: string;
  }[]) ?? [];

describe('a trader’s company', () => {
  it('is closed with its offer, its connection and its mandate; the records stay and the owner is notified', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'tess@close.example', 900);
    await setUpDirectDebit(portal, trader);
    const [offer] = await getDb().select().from(advances).where(eq(advances.companyId, trader.companyId));
    expect(offer?.state).toBe('quoted');
    expect((await closeCompany(trader, 'Another Ltd')).status).toBe(400);
    expect(await listBlockers(trader)).toEqual([]);
    expect((await closeCompany(trader, ' tess exports  LTD ')).status).toBe(200);
    await portal.runJobs();
    expect((await trader.browser.get('/instant-vat/dashboard', { company_id: trader.companyId })).status).toBe(404);
    expect(await getDb().select().from(hmrcConnections).where(eq(hmrcConnections.companyId, trader.companyId))).toEqual([]);
    expect(await getDb().select().from(vrnClaims).where(eq(vrnClaims.companyId, trader.companyId))).toEqual([]);
    const [withdrawnAdvance] = await getDb().select().from(advances).where(eq(advances.companyId, trader.companyId));
    expect(withdrawnAdvance?.state).toBe('withdrawn');
    const [mandate] = await getDb().select().from(mandates).where(eq(mandates.companyId, trader.companyId));
    expect(mandate?.status).toBe('cancelled');
    expect(portal.directDebits.listMandates().find(({ id }) => id === mandate?.providerMandateId)?.status).toBe('cancelled');
    const [formerMembership] = await getDb().select().from(formerMemberships).where(eq(formerMemberships.companyId, trader.companyId));
    expect(formerMembership).toMatchObject({ role: 'trader_owner', userId: (await getUser('tess@close.example')).id });
    const [company] = await getDb().select().from(companies).where(eq(companies.id, trader.companyId));
    expect(company).toMatchObject({ name: 'Tess Exports Ltd', closedBy: formerMembership?.userId, erasedAt: null });
    const email = portal.sentEmails.findLast(({ subject }) => subject.startsWith('Tess Exports Ltd’s Tidewater account was closed'));
    expect(email).toMatchObject({ to: 'tess@close.example', text: expect.stringContaining('10 November 2032') });
    const auditTrail = await getDb().select().from(auditEntries).where(eq(auditEntries.companyId, trader.companyId));
    expect(auditTrail.map(({ action }) => action)).toContain('company.closed');
  });

  it('stays open while there is an accepted advance, which is named', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'busy@close.example', 800);
    await acceptAdvance(portal, trader);
    expect(await listBlockers(trader)).toMatchObject([{ kind: 'advance', text: expect.stringMatching(/Withdraw from it first/) }]);
    const response = await closeCompany(trader);
    expect([response.status, response.body['code']]).toEqual([409, 'closing.blocked']);
    const { advance_id } = await findAdvance(trader);
    await trader.browser.post('/instant-vat/advance/withdraw', { company_id: trader.companyId, advance_id });
    expect((await closeCompany(trader)).status).toBe(200);
  });

  it('needs a factor that was confirmed recently', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'stale@close.example', 700);
    const confirmedAt = addMilliseconds(portal.deps.wallClock.now(), -11 * 60_000);
    await getDb()
      .update(sessions)
      .set({ confirmedAt })
      .where(eq(sessions.userId, (await getUser('stale@close.example')).id));
    expect((await closeCompany(trader)).status).toBe(403);
  });
});

describe('a practice', () => {
  it('is closed by its last administrator: the team loses access and its clients are deleted', async () => {
    const practice = await addPractice(portal);
    const otherPractice = await addPractice(portal);
    const otherClient = await addClient(portal, otherPractice.companyId);
    const first = await addClient(portal, practice.companyId);
    // More than one batch.
    await getDb().execute(
      sql`insert into clients (company_id, id, name, kind, status, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
        select company_id, gen_random_uuid(), name, kind, status, has_vat, has_paye, has_ct, has_sa, created_at, updated_at
        from clients, generate_series(1, 205) where id = ${first}`,
    );
    await addHmrcConnection(portal, practice.companyId, { accessToken: 'a', refreshToken: 'r' });
    await getDb()
      .insert(calendarFeeds)
      .values({ companyId: practice.companyId, userId: practice.memberId, tokenHash: 'h', createdAt: portal.deps.clock.now() });
    const close = (browser = practice.admin) =>
      browser.post('/v2/practice/close', { company_id: practice.companyId, confirm_with: 'Oakline Accounting' });
    expect((await close(practice.member)).status).toBe(404);
    const { body: closing } = await practice.admin.get('/v2/practice/closing', { company_id: practice.companyId });
    expect(closing['kept']).toContainEqual(expect.objectContaining({ what: expect.stringContaining('VAT invoices'), until: null }));
    expect((await close()).status).toBe(200);
    await portal.runJobs();
    for (const table of [clients, hmrcConnections, calendarFeeds, memberships, formerMemberships])
      expect(await getDb().select().from(table).where(eq(table.companyId, practice.companyId))).toEqual([]);
    const [remainingRow] = await getDb().select().from(companies).where(eq(companies.id, practice.companyId));
    expect(remainingRow).toMatchObject({ name: 'Closed company' });
    expect(remainingRow?.erasedAt).not.toBeNull();
    expect(await getDb().select({ id: clients.id }).from(clients).where(eq(clients.companyId, otherPractice.companyId))).toEqual([
      { id: otherClient },
    ]);
    expect(
      portal.sentEmails
        .filter(({ subject }) => subject.startsWith('Oakline Accounting’s Tidewater account was closed'))
        .map(({ to }) => to),
    ).toHaveLength(2);
    expect((await verifyAudit(getDb())).problems).toEqual([]);
  });

  it('isn’t closed while another administrator is there', async () => {
    const practice = await addPractice(portal);
    await getDb().update(memberships).set({ role: 'practice_admin' }).where(eq(memberships.userId, practice.memberId));
    const response = await practice.admin.post('/v2/practice/close', {
      company_id: practice.companyId,
      confirm_with: 'Oakline Accounting',
    });
    expect([response.status, response.body['code']]).toEqual([409, 'closing.blocked']);
    expect(JSON.stringify(response.body)).toContain('another administrator');
  });
});

describe('a person', () => {
  it('who never had a company leaves behind no name, address or sign-in method', async () => {
    const { cookie, browser: userBrowser } = await signUp(portal, 'gone@close.example');
    const { id } = await getUser('gone@close.example');
    expect((await userBrowser.post('/v2/account/close', { confirm_with: 'someone@else.example' })).status).toBe(400);
    expect((await userBrowser.post('/v2/account/close', { confirm_with: 'gone@close.example' })).status).toBe(200);
    expect((await createBrowser(portal, cookie).get('/v2/security')).status).toBe(401);
    const [remainingRow] = await getDb().select().from(users).where(eq(users.id, id));
    expect(remainingRow).toMatchObject({
      email: `closed-${id}@account.invalid`,
      fullName: 'Closed account',
      passwordHash: null,
      phone: null,
    });
    expect(await getDb().select().from(closedAccounts).where(eq(closedAccounts.userId, id))).toMatchObject([{ email: null }]);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ to }) => to === 'gone@close.example')?.subject).toBe('Your Tidewater account was closed');
    // The email address can open a new account that has no link to the old one.
    await signUp(portal, 'gone@close.example');
    expect((await getUser('gone@close.example')).id).not.toBe(id);
  });

  it('leaves behind no message to us, apart from complaints and what we haven’t answered', async () => {
    const { browser: userBrowser } = await signUp(portal, 'wrote@close.example');
    const { id } = await getUser('wrote@close.example');
    const at = portal.deps.clock.now();
    const message = { name: 'Tess Trader', email: 'wrote@close.example', message: 'Please help.', userId: id, receivedAt: at };
    const createMessage = (reference: string, topic: 'refund' | 'complaint', state: 'open' | 'answered') => {
      return { ...message, id: randomUUID(), reference, topic, state };
    };
    await getDb()
      .insert(contactMessages)
      .values([
        createMessage('answered', 'refund', 'answered'),
        createMessage('open', 'refund', 'open'),
        createMessage('complaint', 'complaint', 'answered'),
      ]);
    const listMessages = async () => {
      await runTick(portal, 'rows.purge');
      const rows = await getDb().select().from(contactMessages).where(eq(contactMessages.userId, id));
      return rows.map(({ reference }) => reference).toSorted();
    };
    expect(await listMessages()).toEqual(['answered', 'complaint', 'open']);
    const { body } = await userBrowser.get('/v2/account/closing');
    expect(body['kept']).toContainEqual(expect.objectContaining({ what: expect.stringContaining('Complaints'), until: '2032-11-10' }));
    expect((await userBrowser.post('/v2/account/close', { confirm_with: 'wrote@close.example' })).status).toBe(200);
    expect(await listMessages()).toEqual(['complaint', 'open']);
  });

  it('who is the last owner gets the name of the company to close first', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'owner@close.example', 600);
    const { body } = await trader.browser.get('/v2/account/closing');
    expect(body['blockers']).toEqual([
      { kind: 'last_owner', text: expect.stringContaining('Tess Exports Ltd'), first: { of: 'company', company_id: trader.companyId } },
    ]);
    expect((await trader.browser.post('/v2/account/close', { confirm_with: 'owner@close.example' })).status).toBe(409);
    await closeCompany(trader);
    expect((await trader.browser.post('/v2/account/close', { confirm_with: 'owner@close.example' })).status).toBe(200);
    const [closedAccount] = await getDb().select().from(closedAccounts).where(eq(closedAccounts.email, 'owner@close.example'));
    const [remainingRow] = await getDb()
      .select()
      .from(users)
      .where(eq(users.id, closedAccount?.userId ?? ''));
    expect(remainingRow).toMatchObject({ fullName: trader.fullName, email: `closed-${closedAccount?.userId}@account.invalid` });
  });

  it('of a practice leaves their clients to the practice, unassigned', async () => {
    const practice = await addPractice(portal);
    const clientId = await addClient(portal, practice.companyId);
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    const at = portal.deps.clock.now();
    await getDb()
      .insert(passkeys)
      .values({ id: practice.memberId, userId: practice.memberId, name: 'Key', publicKey: '', counter: 0, transports: [], createdAt: at });
    const [member] = await getDb().select().from(users).where(eq(users.id, practice.memberId));
    expect((await practice.member.post('/v2/account/close', { confirm_with: member?.email ?? '' })).status).toBe(200);
    expect(await getDb().select().from(passkeys).where(eq(passkeys.userId, practice.memberId))).toEqual([]);
    const { body } = await practice.admin.get('/open-tax/clients', { company_id: practice.companyId });
    expect(JSON.stringify(body)).not.toContain(practice.memberId);
    expect((await practice.admin.get('/v2/practice/closing', { company_id: practice.companyId })).body['blockers']).toEqual([]);
  });

  it('who works for us is referred to an administrator', async () => {
    const operator = await createOperator(portal, 'staff@close.example');
    expect((await operator.get('/v2/account/closing')).body['blockers']).toMatchObject([{ kind: 'operator' }]);
    expect((await operator.post('/v2/account/close', { confirm_with: 'staff@close.example' })).status).toBe(409);
  });
});
