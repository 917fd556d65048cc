/** Tests operators' access as an attacker would try it: enrolment links, stolen sessions, old factors, removed roles. */
import { NO_COMPANY } from '../audit/record-audit.ts';
import { IDLE_HEADER } from '@portal/contract/client-device.ts';
import { auditEntries, loginLinks, operators, passkeys, sessions, users } from '@portal/db/schema/schema.ts';
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { generateCode } from '@portal/sandbox/seed/authenticator-code.ts';
import { and, eq, isNull, ne } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrolOperator, readEnrolmentLink } from '../../testing/enrol-operator.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createBrowser, createOperator, makeOperator, signUp, type ApiResponse, type Browser } from '../../testing/test-trader.ts';
import { COMMAND_LINE, addOperator, createEnrolmentLink } from './operator-accounts.ts';

const MINUTE_MS = 60_000;
let portal: TestPortal;
let admin: Browser;
let second: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  admin = await createOperator(portal, 'admin@operators.example', ['administrator']);
  second = await createOperator(portal, 'second@operators.example', ['administrator']);
});
afterAll(() => portal.close());

const findUserId = async (email: string): Promise<string> => {
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? '';
};

const reason = 'Agreed with the board';

const approve = (operator: Browser, requestId: unknown) =>
  operator.post('/operator/approvals/approve', { company_id: NO_COMPANY, request_id: requestId }, createIdempotencyHeaders());

/** Sends a request as the first administrator and approves it as the second. */
async function ask(path: string, input: object): Promise<ApiResponse> {
  const response = await admin.post(path, { ...input, reason });
  expect([response.status, response.body['message']]).toEqual([200, undefined]);
  const approvedResponse = await approve(second, response.body['request_id']);
  await portal.runJobs();
  return approvedResponse;
}

async function invite(email: string, roles: OperatorRole[] = ['underwriter']): Promise<string> {
  expect((await ask('/operator/people/invite', { email, full_name: 'Nia New', roles })).status).toBe(200);
  return readEnrolmentLink(portal, email);
}

/** Backdates a user's sessions. */
async function ageSession(email: string, change: Partial<typeof sessions.$inferInsert>): Promise<void> {
  await portal.deps.database.db
    .update(sessions)
    .set(change)
    .where(eq(sessions.userId, await findUserId(email)));
}

const getTimeBefore = (ms: number) => addMilliseconds(portal.deps.wallClock.now(), -ms);
const openDesk = async (browser: Browser) => (await browser.get('/operator/desk')).status;

describe('an enrolment link', () => {
  it('leads only to setting up a second factor, which then opens the operators’ pages', async () => {
    const token = await invite('nia@operators.example');
    const usedCodeResponse = await createBrowser(portal).post('/v2/auth/use-link', { token });
    expect(usedCodeResponse.body).toMatchObject({ type: 'operator', home_path: '/admin/enrolment' });
    const enrolling = createBrowser(portal, usedCodeResponse.cookie);
    expect(await openDesk(enrolling)).toBe(404);
    const secret = String((await enrolling.post('/v2/security/authenticator/begin', {})).body['secret']);
    const confirmedResponse = await enrolling.post('/v2/security/authenticator/confirm', { code: generateCode(secret) });
    expect(await openDesk(createBrowser(portal, confirmedResponse.cookie))).toBe(200);
    const actions = await portal.deps.database.db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.subject, await findUserId('nia@operators.example')));
    expect(actions.map(({ action }) => action)).toEqual(expect.arrayContaining(['operator.invited', 'operator.enrolled']));
  });

  it('works once, expires an hour after it was issued on the command line, and stops working when another is sent', async () => {
    const first = await invite('once@operators.example');
    expect((await createBrowser(portal).post('/v2/auth/use-link', { token: first })).status).toBe(200);
    expect((await createBrowser(portal).post('/v2/auth/use-link', { token: first })).body['code']).toBe('identity.link_invalid');
    const { database } = portal.deps;
    const lateTransaction = await database.db.transaction(async (tx) => {
      const person = { email: 'late@operators.example', fullName: 'Lea Late', roles: ['support'] as const, privateEmail: null };
      return createEnrolmentLink(portal.deps, tx, await addOperator(portal.deps, tx, COMMAND_LINE, person), 3_600_000);
    });
    await database.db
      .update(loginLinks)
      .set({ expiresAt: getTimeBefore(1) })
      .where(eq(loginLinks.email, 'late@operators.example'));
    expect((await createBrowser(portal).post('/v2/auth/use-link', { token: lateTransaction })).status).toBe(400);
    const second = await invite('again@operators.example');
    await ask('/operator/people/link', { user_id: await findUserId('again@operators.example') });
    expect((await createBrowser(portal).post('/v2/auth/use-link', { token: second })).status).toBe(400);
    expect(
      (await createBrowser(portal).post('/v2/auth/use-link', { token: readEnrolmentLink(portal, 'again@operators.example') })).status,
    ).toBe(200);
    const stored = await database.db
      .select({ hash: loginLinks.tokenHash })
      .from(loginLinks)
      .where(eq(loginLinks.email, 'once@operators.example'));
    expect(JSON.stringify(stored)).not.toContain(first);
  });

  it('is required: someone with the password of an older account can’t enrol in the operator’s place', async () => {
    const { browser: thief } = await signUp(portal, 'older@operators.example');
    await invite('older@operators.example', ['administrator']);
    const secret = String((await thief.post('/v2/security/authenticator/begin', {})).body['secret']);
    const confirmedResponse = await thief.post('/v2/security/authenticator/confirm', { code: generateCode(secret) });
    expect(confirmedResponse.body['code']).toBe('operator.link_needed');
    expect(await openDesk(thief)).toBe(404);
  });

  it('removes what others have set up with an older account: passkeys, sessions and a change of its email', async () => {
    const email = 'planted@operators.example';
    const { browser: thief } = await signUp(portal, email);
    const userId = await findUserId(email);
    const plantedPasskey = {
      id: 'planted',
      userId,
      name: 'Key',
      publicKey: '',
      counter: 0,
      transports: [],
      createdAt: portal.deps.clock.now(),
    };
    await portal.deps.database.db.insert(passkeys).values(plantedPasskey);
    const token = await invite(email, ['administrator']);
    const response = await ageSession(email, { confirmedAt: portal.deps.wallClock.now() }).then(() =>
      thief.post('/v2/security/email', { email: 'thief@elsewhere.example' }),
    );
    expect(response.status).toBe(200);
    await portal.runJobs();
    const links = [email, 'thief@elsewhere.example'].map((address) => readEnrolmentLink(portal, address));
    const { person } = await enrolOperator(portal, token);
    expect(await openDesk(person)).toBe(200);
    expect(await portal.deps.database.db.select().from(passkeys).where(eq(passkeys.userId, userId))).toEqual([]);
    expect((await thief.get('/v2/security')).status).toBe(401);
    for (const link of links) expect((await createBrowser(portal).post('/v2/auth/confirm-email', { token: link })).status).toBe(400);
  });
});

describe('an administrator who wants to act as several people', () => {
  const countEmails = (to: string) => portal.sentEmails.filter((email) => email.to === to).length;

  it('can’t invite an account, assign a role or send a link alone', async () => {
    const newOperator = { email: 'puppet@operators.example', full_name: 'Pip Puppet', roles: ['releaser'], reason };
    const response = await admin.post('/operator/people/invite', newOperator);
    await portal.runJobs();
    expect(countEmails(newOperator.email)).toBe(0);
    expect((await approve(admin, response.body['request_id'])).body['code']).toBe('approval.wrong_person');
    expect(JSON.stringify((await admin.get('/operator/people')).body)).not.toContain(newOperator.email);
    const clerk = await createOperator(portal, 'clerk@operators.example', ['support']);
    expect((await approve(clerk, response.body['request_id'])).body['code']).toBe('operator.role_missing');
    const target = { user_id: await findUserId('clerk@operators.example'), reason };
    for (const [path, input] of [
      ['/operator/people/roles', { ...target, roles: ['releaser'] }],
      ['/operator/people/link', target],
    ] as const) {
      const { body } = await admin.post(path, input);
      expect((await approve(admin, body['request_id'])).body['code']).toBe('approval.wrong_person');
    }
    await portal.runJobs();
    const decision = { company_id: crypto.randomUUID(), advance_id: crypto.randomUUID(), decision: 'approve', reason };
    expect((await clerk.post('/operator/advance/release', decision)).body['code']).toBe('operator.role_missing');
    expect(await openDesk(clerk)).toBe(200);
    expect(portal.sentEmails.filter(({ to, subject }) => to === 'clerk@operators.example' && subject.startsWith('Set up'))).toEqual([]);
    // The invitation is sent only once the other administrator has approved it.
    expect((await approve(second, response.body['request_id'])).status).toBe(200);
    await portal.runJobs();
    expect(readEnrolmentLink(portal, newOperator.email)).not.toBe('');
    const [entry] = await portal.deps.database.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.action, 'operator.invited'), eq(auditEntries.subject, await findUserId(newOperator.email))));
    expect([entry?.actor, entry?.after]).toMatchObject([
      await findUserId('second@operators.example'),
      { requested_by: await findUserId('admin@operators.example') },
    ]);
  });

  it('is visible to the other administrators and the reporting officer, when they request it and when it is approved', async () => {
    await createOperator(portal, 'other-admin@operators.example', ['administrator']);
    await createOperator(portal, 'officer@operators.example', ['mlro']);
    const from = portal.sentEmails.length;
    await invite('seen@operators.example', ['underwriter']);
    const emails = portal.sentEmails.slice(from);
    const listRecipients = (subject: string) => emails.filter((email) => email.subject === subject).map(({ to }) => to);
    const otherOperators = ['officer@operators.example', 'other-admin@operators.example'];
    expect(listRecipients('Operators’ access: approval needed')).toEqual(
      expect.arrayContaining(['other-admin@operators.example', 'second@operators.example']),
    );
    expect(listRecipients('Operators’ access: change requested')).toContain('officer@operators.example');
    expect(listRecipients('Operators’ access: Nia New')).toEqual(expect.arrayContaining([...otherOperators, 'admin@operators.example']));
    expect(emails.find(({ subject }) => subject === 'Operators’ access: Nia New')?.text).toContain('Underwriter');
  });

  it('has one open request at a time, however often it is repeated', async () => {
    // Clear the queue of emails from other tests' requests.
    await portal.runJobs();
    const from = portal.sentEmails.length;
    const input = { email: 'twice@operators.example', full_name: 'Tia Twice', roles: ['support'], reason };
    const response = await admin.post('/operator/people/invite', input);
    expect((await admin.post('/operator/people/invite', input)).body).toEqual(response.body);
    await portal.runJobs();
    expect(portal.sentEmails.slice(from).filter(({ to }) => to === 'second@operators.example')).toHaveLength(1);
  });

  it('can’t approve a change of their own access, or one based on roles that have changed since', async () => {
    // A request needs an approver other than the operator concerned, or it can't be made.
    await createOperator(portal, 'third@operators.example', ['administrator']);
    const ownResponse = await admin.post('/operator/people/roles', {
      user_id: await findUserId('second@operators.example'),
      roles: ['administrator', 'releaser'],
      reason,
    });
    expect((await approve(second, ownResponse.body['request_id'])).body['code']).toBe('operator.own_account');
    await second.post('/operator/approvals/reject', { company_id: NO_COMPANY, request_id: ownResponse.body['request_id'], reason });
    await createOperator(portal, 'moved@operators.example', ['support']);
    const user_id = await findUserId('moved@operators.example');
    const staleResponse = await admin.post('/operator/people/roles', { user_id, roles: ['finance'], reason });
    await portal.deps.database.db
      .update(operators)
      .set({ roles: ['underwriter'] })
      .where(eq(operators.userId, user_id));
    expect((await approve(second, staleResponse.body['request_id'])).body['code']).toBe('operator.roles_changed');
  });

  it('is sent to the command line when no other administrator is active', async () => {
    const { db } = portal.deps.database;
    const before = await db.select().from(operators);
    const adminId = await findUserId('admin@operators.example');
    await db.update(operators).set({ enrolledAt: null }).where(ne(operators.userId, adminId));
    const response = await admin.post('/operator/people/invite', { email: 'x@operators.example', full_name: 'X', roles: ['mlro'], reason });
    expect([response.status, response.body['code']]).toEqual([409, 'operator.no_second_administrator']);
    expect(response.body['message']).toContain('npm run operator');
    for (const { userId, enrolledAt } of before) await db.update(operators).set({ enrolledAt }).where(eq(operators.userId, userId));
  });
});

describe('a stolen session of an operator', () => {
  it('can’t make decisions ten minutes after the last factor, and can’t add a factor of its own', async () => {
    const { person, secret, usedCode } = await enrolOperator(portal, await invite('robbed@operators.example', ['administrator']));
    await createOperator(portal, 'target@operators.example');
    const change = { user_id: await findUserId('target@operators.example'), roles: ['support'], reason };
    expect((await person.post('/operator/people/roles', change)).status).toBe(200);
    const { body } = await admin.post('/operator/people/invite', { email: 'p@operators.example', full_name: 'P', roles: ['mlro'], reason });
    await ageSession('robbed@operators.example', { factorAt: getTimeBefore(11 * MINUTE_MS) });
    const refusedResponse = await person.post('/operator/people/roles', change);
    expect([refusedResponse.status, refusedResponse.body['code']]).toEqual([403, 'identity.factor_needed']);
    expect((await approve(person, body['request_id'])).body['code']).toBe('identity.factor_needed');
    expect(await openDesk(person)).toBe(200);
    for (const path of ['/v2/security/authenticator/begin', '/v2/security/passkeys/begin'])
      expect((await person.post(path, {})).body['code']).toBe('identity.factor_needed');
    expect((await person.post('/v2/auth/confirm-factor', { code: '000000' })).status).toBe(400);
    // The code from the sign-up has already been used, so it no longer confirms anything.
    expect((await person.post('/v2/auth/confirm-factor', { code: usedCode })).status).toBe(400);
    const confirmedResponse = await person.post('/v2/auth/confirm-factor', { code: generateCode(secret, 1) });
    expect(confirmedResponse.status).toBe(200);
    expect((await createBrowser(portal, confirmedResponse.cookie).post('/operator/people/roles', change)).status).toBe(200);
    // The thief's copy of the old cookie no longer works.
    expect(await openDesk(person)).toBe(401);
  });

  it('ends after 30 minutes without a request, and after eight hours in any case', async () => {
    const idleOperator = await createOperator(portal, 'idle@operators.example');
    await ageSession('idle@operators.example', { lastSeenAt: getTimeBefore(31 * MINUTE_MS) });
    expect(await openDesk(idleOperator)).toBe(401);
    const longServingOperator = await createOperator(portal, 'long@operators.example');
    await ageSession('long@operators.example', { createdAt: getTimeBefore(481 * MINUTE_MS) });
    expect(await openDesk(longServingOperator)).toBe(401);
    const trader = await signUp(portal, 'patient@trader.example');
    await ageSession('patient@trader.example', { lastSeenAt: getTimeBefore(31 * MINUTE_MS), createdAt: getTimeBefore(481 * MINUTE_MS) });
    expect((await trader.browser.get('/user-companies')).status).toBe(200);
  });

  it('is not kept alive by a page that refreshes itself on an unattended desk', async () => {
    const { cookie } = await signUp(portal, 'desk@operators.example');
    const userId = await findUserId('desk@operators.example');
    await makeOperator(portal, userId);
    const lastSeenAt = getTimeBefore(20 * MINUTE_MS);
    await ageSession('desk@operators.example', { lastSeenAt, factorAt: getTimeBefore(0) });
    const send = (headers: Record<string, string>) => portal.app.inject({ url: '/portal/operator/desk', headers: { cookie, ...headers } });
    const readLastSeen = async () =>
      (await portal.deps.database.db.select().from(sessions).where(eq(sessions.userId, userId)))[0]?.lastSeenAt;
    expect((await send({ [IDLE_HEADER]: '1' })).statusCode).toBe(200);
    expect(await readLastSeen()).toBe(lastSeenAt);
    expect((await send({})).statusCode).toBe(200);
    expect(await readLastSeen()).not.toBe(lastSeenAt);
  });

  it('keeps a second factor: the last one cannot be removed', async () => {
    const { person, secret } = await enrolOperator(portal, await invite('kept@operators.example'));
    const response = await person.post('/v2/security/authenticator/remove', { code: generateCode(secret, 1) });
    expect(response.body['code']).toBe('operator.last_factor');
    expect(await openDesk(person)).toBe(200);
  });
});

describe('an administrator', () => {
  it('changes roles with a second one’s approval, and ends access and sessions by disabling', async () => {
    const roleless = await createOperator(portal, 'roleless@operators.example', ['underwriter']);
    const decision = { company_id: crypto.randomUUID(), advance_id: crypto.randomUUID(), decision: 'approve', reason: 'Looks right' };
    expect((await roleless.post('/operator/advance/decide', decision)).status).toBe(404);
    const target = { user_id: await findUserId('roleless@operators.example') };
    expect((await ask('/operator/people/roles', { ...target, roles: ['support'] })).status).toBe(200);
    expect((await roleless.post('/operator/advance/decide', decision)).body['code']).toBe('operator.role_missing');
    await admin.post('/operator/people/disable', target);
    expect(await openDesk(roleless)).toBe(401);
    const loginResponse = await createBrowser(portal).post('/v2/login', {
      email: 'roleless@operators.example',
      password: 'a long enough one',
    });
    expect(loginResponse.status === 200 && (await openDesk(createBrowser(portal, loginResponse.cookie)))).not.toBe(200);
  });

  it('cannot change their own access, and the last one stays, even when two disable each other at once', async () => {
    const ownKey = { user_id: await findUserId('admin@operators.example') };
    expect((await admin.post('/operator/people/roles', { ...ownKey, roles: ['administrator', 'releaser'], reason })).body['code']).toBe(
      'operator.own_account',
    );
    expect((await admin.post('/operator/people/disable', ownKey)).body['code']).toBe('operator.own_account');
    const { db } = portal.deps.database;
    const rolesBefore = await db.select().from(operators);
    await db.update(operators).set({ roles: ['support'] });
    const competingAdministrators = [
      await createOperator(portal, 'anna@operators.example'),
      await createOperator(portal, 'berta@operators.example'),
    ] as const;
    const responses = await Promise.all([
      competingAdministrators[0].post('/operator/people/disable', { user_id: await findUserId('berta@operators.example') }),
      competingAdministrators[1].post('/operator/people/disable', { user_id: await findUserId('anna@operators.example') }),
    ]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const enabledOperators = await db.select().from(operators).where(isNull(operators.disabledAt));
    expect(enabledOperators.filter(({ roles }) => roles.includes('administrator'))).toHaveLength(1);
    for (const { userId, roles } of rolesBefore) await db.update(operators).set({ roles }).where(eq(operators.userId, userId));
  });
});
