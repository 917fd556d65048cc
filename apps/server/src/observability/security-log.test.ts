/** Tests the log entries that a security team and support rely on. */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutgoingEmail } from '../mail/mailer.ts';
import { createLogger } from '../start/create-logger.ts';
import { openTestPortal, type TestInstance, type TestPortal } from '../testing/open-test-portal.ts';
import { createBrowser, createOperatorAccount, signUp, type Browser } from '../testing/test-trader.ts';
import { createSecurityLog } from './security-log.ts';

const USER_EMAIL = 'sam@security.example';
let portal: TestPortal;
let instance: TestInstance;
let lines: Record<string, unknown>[] = [];
let emails: OutgoingEmail[] = [];
let cookie: string;
let userId: string;
let counted: string;

beforeAll(async () => {
  portal = await openTestPortal();
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  // Creates the instance's own logger, as the portal does.
  const logger = createLogger({ logLevel: 'info' }, destination as never);
  const { metrics } = portal.deps;
  const send = async (email: OutgoingEmail): Promise<void> => {
    logger.info('an email was sent');
    emails.push(email);
  };
  instance = await portal.openInstance({
    logger,
    recordSecurityEvent: createSecurityLog(logger, metrics, 'key'),
    mailer: { send, close: () => undefined, address: 'portal@portal.example' },
  });
  const signedUp = await signUp(portal, USER_EMAIL);
  const changedResponse = await signedUp.browser.post('/v2/security/password', { new_password: 'a password of their own' });
  cookie = changedResponse.cookie ?? '';
  await portal.runJobs();
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, USER_EMAIL));
  userId = user?.id ?? '';
});
afterEach(() => {
  lines = [];
  emails = [];
});
afterAll(async () => {
  await instance.close();
  await portal.close();
});

const listEvents = (): Record<string, unknown>[] => lines.filter((line) => line['security_event'] !== undefined);
const openBrowser = (): Browser => createBrowser(instance, cookie);
const openVisitorBrowser = (): Browser => createBrowser(instance);

describe('a security event', () => {
  it.each<[string, () => Promise<unknown>, Record<string, unknown>]>([
    [
      'a wrong password',
      () => openVisitorBrowser().post('/v2/login', { email: USER_EMAIL, password: 'wrong' }),
      { security_event: 'sign_in_failed', reason: 'identity.wrong_credentials', user_id: 'the user' },
    ],
    [
      'an address without an account',
      () => openVisitorBrowser().post('/v2/login', { email: 'no.one@security.example', password: 'wrong' }),
      { security_event: 'sign_in_failed', reason: 'identity.wrong_credentials' },
    ],
    [
      'a guessed link',
      () => openVisitorBrowser().post('/v2/auth/use-link', { token: 'guessed' }),
      { security_event: 'sign_in_failed', reason: 'identity.link_invalid' },
    ],
    [
      "another tenant's id",
      () => openBrowser().get('/instant-vat/advance', { company_id: randomUUID() }),
      { security_event: 'access_refused', reason: 'company.read', user_id: 'the user' },
    ],
    [
      "an operators' page",
      () => openBrowser().get('/operator/people'),
      { security_event: 'access_refused', reason: 'operator', user_id: 'the user' },
    ],
    [
      'a request that another site made',
      () => openBrowser().post('/v2/logout', {}, { 'sec-fetch-site': 'cross-site' }),
      { security_event: 'cross_site_refused', reason: 'request.other_origin' },
    ],
    [
      'a forged webhook',
      () => openVisitorBrowser().post('/webhooks/identity-check', {}),
      { security_event: 'webhook_signature_rejected', reason: 'identity-check' },
    ],
    [
      'a wrong current password',
      () => openBrowser().post('/v2/security/password', { current_password: 'wrong', new_password: 'another long one' }),
      { security_event: 'second_factor_rejected', reason: 'password', user_id: 'the user' },
    ],
  ])('is logged for %s, with its request', async (_case, refuseCall, expected) => {
    await refuseCall();
    const shownEvents = listEvents().map(({ user_id: eventUserId, ...event }) => ({
      ...event,
      ...(eventUserId === userId ? { user_id: 'the user' } : {}),
    }));
    expect(shownEvents).toEqual([expect.objectContaining({ ...expected, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })]);
  });

  it('is logged and counted when a limit is exceeded', async () => {
    for (let attempt = 0; attempt < 6; attempt++)
      await openVisitorBrowser().post('/password-reset-request', { email: 'flood@security.example' });
    expect(listEvents()).toEqual([expect.objectContaining({ security_event: 'limit_exceeded', reason: 'identity.too_many_attempts' })]);
    counted = await portal.deps.metrics.registry.metrics();
    expect(counted).toContain('portal_security_events_total{event="limit_exceeded",reason="identity.too_many_attempts"} 1');
  });

  it('is logged when an operator removes access', async () => {
    const admin = createBrowser(instance, await createOperatorAccount(portal, 'ada@security.example', ['administrator']));
    await createOperatorAccount(portal, 'otto@security.example', ['support']);
    const [otto] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, 'otto@security.example'));
    expect((await admin.post('/operator/people/disable', { user_id: otto?.id, reason: 'Left us' })).status).toBe(200);
    expect(listEvents()).toEqual([
      expect.objectContaining({ security_event: 'operator_access_changed', reason: 'operator.disabled', user_id: otto?.id }),
    ]);
  });

  it('shows which events have one source, but neither its address nor an email', async () => {
    for (const ip of ['203.0.113.7', '203.0.113.7', '203.0.113.8'])
      await instance.app.inject({
        method: 'POST',
        url: '/portal/v2/login',
        payload: { email: USER_EMAIL, password: 'wrong' },
        headers: { 'x-forwarded-for': ip },
      });
    const [first, second, otherNetwork] = listEvents().map(({ network }) => network);
    expect([first === second, first === otherNetwork]).toEqual([true, false]);
    expect(JSON.stringify(lines)).not.toMatch(/203\.0\.113|security\.example|wrong"/);
  });
});

describe('the id of a request', () => {
  it('is in its response, in the log of the job that it enqueued, and in the email to support', async () => {
    // Clear the queue of emails from other tests.
    await portal.runJobs();
    const response = await instance.app.inject({
      method: 'POST',
      url: '/portal/contact-message',
      payload: { name: 'Sam', email: 'sam@visitors.example', topic: 'other', message: 'The page shows an error.' },
    });
    expect(response.statusCode).toBe(200);
    const requestId = String(response.headers['x-request-id']);
    await instance.runJobs();
    expect(lines.filter(({ msg }) => msg === 'an email was sent').map((line) => line['request_id'])).toEqual([requestId]);
    expect(emails.map(({ text }) => text).join('\n')).toContain(requestId);
  });

  it('is the one that an error shows', async () => {
    const response = await instance.app.inject({ url: '/portal/v2/nowhere' });
    expect(response.json<{ request_id: string }>().request_id).toBe(response.headers['x-request-id']);
  });
});
