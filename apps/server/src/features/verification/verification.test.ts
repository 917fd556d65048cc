/**
 * Tests verifying email address and phone number, company search and the identity check (docs/product/specification.md section 7.2,
 * docs/product/decisions.md sections 4 and 6).
 */
import { identityChecks } from '@portal/db/schema/schema.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, makeOrganisation, signUp } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser, type TestBrowser } from '../../testing/test-browser.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

let count = 0;
async function createPerson(): Promise<{ person: TestBrowser; email: string; phone: string }> {
  count += 1;
  const [email, browser] = [`proof-${count}@ways.example`, openTestBrowser(portal, { ip: `198.51.100.${count}` })];
  await openAccount(browser, email);
  return { person: browser, email, phone: `+4479111234${String(count).padStart(2, '0')}` };
}

describe('a mobile number', () => {
  const getSentCode = (phone: string): string => portal.identity.texts.listMessages(phone)[0]?.code ?? '';
  const toWrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('is stored in one format and verified by the code that was sent', async () => {
    const { person, phone } = await createPerson();
    expect((await person.post('/phone-number', { phone: phone.replace('+44', '0') })).body).toEqual({ phone, verified: false });
    expect((await person.post('/send-phone-number-verification')).body).toEqual({ sent_to: phone });
    const code = getSentCode(phone);
    expect((await person.post('/send-phone-verification-code', { code: toWrongCode(code) })).body).toEqual({ outcome: 'wrong_code' });
    expect((await person.post('/send-phone-verification-code', { code })).body).toEqual({ outcome: 'approved' });
    expect((await person.get('/v2/security')).body).toMatchObject({ phone, phone_verified: true });
    expect((await person.post('/phone-number', { phone })).body).toEqual({ phone, verified: true });
    expect((await person.post('/phone-number', { phone: '07911 123499' })).body).toMatchObject({ verified: false });
  });

  it.each([
    ['020 7946 0018', /landline/],
    ['07911 12345', /11 digits/],
    ['<script>', /isn’t a phone number/],
  ])('%s is rejected with a reason', async (phone, pattern) => {
    const { person } = await createPerson();
    const { status, body } = await person.post('/phone-number', { phone });
    expect([status, JSON.stringify(body['message'])]).toEqual([400, expect.stringMatching(pattern)]);
  });

  it('accepts no sixth attempt and no code after ten minutes', async () => {
    const { person, phone } = await createPerson();
    await person.post('/send-phone-number-verification', { phone });
    const code = getSentCode(phone);
    const outcomes = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      outcomes.push((await person.post('/send-phone-verification-code', { code: attempt < 5 ? toWrongCode(code) : code })).body['outcome']);
    }
    expect(outcomes.slice(0, 4)).toEqual(['wrong_code', 'wrong_code', 'wrong_code', 'wrong_code']);
    expect(outcomes[5]).toBe('too_many_attempts');
    expect((await person.post('/resend-phone-number-verification-code')).body['message']).toMatch(/wrong codes .* Wait 10 minutes/);
    portal.moveClock('2026-11-10T10:00:00.000Z');
    expect((await person.post('/send-phone-verification-code', { code })).body).toEqual({ outcome: 'expired' });
    await person.post('/resend-phone-number-verification-code');
    expect((await person.post('/send-phone-verification-code', { code: getSentCode(phone) })).body).toEqual({ outcome: 'approved' });
  });

  it('gets at most five text messages in 15 minutes, from all users together', async () => {
    const { phone } = await createPerson();
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const { person } = await createPerson();
      statuses.push((await person.post('/send-phone-number-verification', { phone })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('the company search', () => {
  it('finds companies by name and by number, and requires signing in', async () => {
    const { person } = await createPerson();
    const byName = (await person.get('/company-search', { keyword: 'brightwell' })).body['companies'];
    expect(byName).toMatchObject([{ company_number: '09482716', status: 'active', type: 'ltd' }]);
    expect((await person.get('/company-search', { keyword: '9482716' })).body['companies']).toEqual(byName);
    expect((await createBrowser(portal).get('/company-search', { keyword: 'brightwell' })).status).toBe(401);
  });

  it('rejects a dissolved or unknown company when it is added', async () => {
    const { browser } = await signUp(portal, 'adds@ways.example');
    const { vrn } = await makeOrganisation(portal);
    const add = async (company_number: string) =>
      (await browser.post('/instant-vat/steps/company', { name: 'X Ltd', company_number, vrn })).body;
    expect((await add('08814305'))['message']).toEqual({ company_number: expect.stringContaining('is dissolved at Companies House') });
    expect((await add('00000001'))['message']).toEqual({ company_number: expect.stringContaining('No company at Companies House') });
    expect(await add('09482716')).toHaveProperty('company_id');
  });
});

describe('the chat', () => {
  it('identifies only the signed-in user', async () => {
    const { person, email } = await createPerson();
    const { body } = await person.get('/chat-visitor-identification', { email });
    expect(body).toEqual({ data: { email, token: expect.any(String) } });
    expect(portal.identity.chat.findVisitor((body as { data: { token: string } }).data.token)).toEqual({ email });
    // The response is cached, so HubSpot isn't called again for each page.
    expect((await person.get('/chat-visitor-identification', { email })).body).toEqual(body);
    expect((await person.get('/chat-visitor-identification', { email: 'tessa@brightwell.example' })).status).toBe(403);
  });

  it('returns an error when it cannot identify anyone, and tries again the next time', async () => {
    const { person, email } = await createPerson();
    portal.identity.chat.setPlan('starter');
    const rejectedResponse = await person.get('/chat-visitor-identification', { email });
    expect(rejectedResponse.status).toBe(502);
    portal.identity.chat.setPlan('professional');
    expect((await person.get('/chat-visitor-identification', { email })).status).toBe(200);
  });
});

describe('an identity check', () => {
  const startCheck = async (browser: TestBrowser) => {
    const { status, body } = await browser.post('/instant-vat/identity-check/begin');
    const check = portal.identity.checks.listChecks().find(({ reference }) => reference === body['check_id']);
    return { status, url: String(body['url']), checkId: check?.id ?? '' };
  };
  const getCheckStatus = async (browser: TestBrowser) => (await browser.get('/instant-vat/identity-check')).body;

  it('is one check however often it is started, and its result arrives by webhook', async () => {
    const { person } = await createPerson();
    expect(await getCheckStatus(person)).toMatchObject({ status: 'not_started', may_begin: true, attempts_left: 3 });
    const [first, second] = [await startCheck(person), await startCheck(person)];
    expect(second).toEqual(first);
    portal.identity.checks.chooseOutcome(first.checkId, 'fine');
    const getStoredStatus = async () =>
      (await portal.deps.database.db.select().from(identityChecks)).find(({ providerCheckId }) => providerCheckId === first.checkId)
        ?.status;
    await expect.poll(getStoredStatus).toBe('passed');
    expect(await getCheckStatus(person)).toMatchObject({ status: 'passed', may_begin: false });
    expect((await startCheck(person)).status).toBe(409);
  });

  it('can be tried three times', async () => {
    const { person } = await createPerson();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { checkId } = await startCheck(person);
      for (let tries = 0; tries < 5; tries += 1) portal.identity.checks.chooseOutcome(checkId, 'another_person');
      expect(await getCheckStatus(person)).toMatchObject({ status: 'failed', attempts_left: 2 - attempt });
    }
    expect(await getCheckStatus(person)).toMatchObject({ may_begin: false });
    expect((await startCheck(person)).status).toBe(409);
  });

  it('rejects a webhook that the provider has not signed', async () => {
    const payload = JSON.stringify({ id: 'x', type: 'check.completed', created_at: '2026-11-10T09:00:00Z', check: {} });
    const response = await portal.app.inject({
      method: 'POST',
      url: '/portal/webhooks/identity-check',
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.statusCode).toBe(401);
  });
});

describe('an email address', () => {
  it('is verified by an emailed link', async () => {
    const { person, email } = await createPerson();
    expect((await person.post('/send-email-verification')).status).toBe(200);
    expect((await person.post('/v2/auth/use-link', { token: await person.findEmailedToken(email) })).status).toBe(200);
  });
});
