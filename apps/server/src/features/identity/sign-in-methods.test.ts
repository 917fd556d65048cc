/**
 * Tests sign-in by link, password and provider (docs/product/specification.md sections 7.1 and 7.5, docs/product/decisions.md section 6),
 * as users and attackers would try it.
 */
import { auditEntries, companies, identities, users } from '@portal/db/schema/schema.ts';
import { toEpochMs, toInstant } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectedTrader, makeOrganisation } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser, type TestBrowser } from '../../testing/test-browser.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const getSignedInEmail = async (browser: TestBrowser) => (await browser.get('/v2/check-login')).body['email'];
let count = 0;
const createEmail = (): string => `person-${(count += 1)}@ways.example`;

describe('a password reset', () => {
  it('sets a password once by the link, and ends every session and every other link', async () => {
    const [email, owner, otherBrowser] = [createEmail(), openTestBrowser(portal), openTestBrowser(portal)];
    await openAccount(owner, email);
    await otherBrowser.get('/send-auth-magic-link', { email });
    const olderToken = await owner.findEmailedToken(email);
    await otherBrowser.post('/password-reset-request', { email });
    const token = await otherBrowser.findEmailedToken(email);
    const reset = { token, password: 'quite another one' };
    expect((await otherBrowser.post('/v2/auth/use-link', { token })).status).toBe(400);
    expect((await otherBrowser.post('/password-reset', reset)).status).toBe(200);
    expect((await otherBrowser.post('/password-reset', reset)).body['code']).toBe('identity.link_invalid');
    expect(await getSignedInEmail(owner)).toBeUndefined();
    expect((await otherBrowser.post('/v2/auth/use-link', { token: olderToken })).status).toBe(400);
    expect((await owner.post('/v2/login', { email, password: 'a long enough one' })).status).toBe(401);
    expect((await owner.post('/v2/login', { email, password: 'quite another one' })).status).toBe(200);
  });

  it('gives the same response for a known and an unknown address, and emails the unknown one without a link', async () => {
    const [registeredEmail, unknownEmail, browser] = [createEmail(), createEmail(), openTestBrowser(portal)];
    await openAccount(browser, registeredEmail);
    const responses = [
      await browser.post('/password-reset-request', { email: registeredEmail }),
      await browser.post('/password-reset-request', { email: unknownEmail }),
    ];
    expect(responses.map(({ status, body }) => [status, Object.keys(body)])).toEqual([
      [200, ['sent_to']],
      [200, ['sent_to']],
    ]);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ to }) => to === unknownEmail)?.text).not.toContain('token=');
  });
});

describe('a sign-up by email', () => {
  it('does not give the owner of the address a stranger’s password', async () => {
    const [email, outsiderBrowser, owner] = [createEmail(), openTestBrowser(portal), openTestBrowser(portal)];
    await outsiderBrowser.post('/v2/sign-up', { email, full_name: 'Not Me', password: 'known to a stranger' });
    expect((await owner.post('/v2/auth/use-link', { token: await owner.findEmailedToken(email) })).status).toBe(200);
    expect((await outsiderBrowser.post('/v2/login', { email, password: 'known to a stranger' })).status).toBe(401);
  });
});

describe.each(['google', 'microsoft', 'xero', 'intuit', 'freeagent'] as const)('signing in with %s', (provider) => {
  const path = `/v2/auth/provider/${provider}`;
  const seed = (email: string, emailVerified = true) =>
    portal.identity.signIn[provider].seedPerson({ email, fullName: 'Pat Provided', emailVerified });

  it('signs in the same user after their address at the provider has changed', async () => {
    const email = createEmail();
    seed(email);
    const first = openTestBrowser(portal);
    await first.signInWith(path, email);
    if ((await getSignedInEmail(first)) === undefined)
      await first.post('/v2/auth/use-link', { token: await first.findEmailedToken(email) });
    expect(await getSignedInEmail(first)).toBe(email);
    portal.identity.signIn[provider].changePerson(email, { email: `moved-${email}` });
    const laterBrowser = openTestBrowser(portal);
    await laterBrowser.signInWith(path, `moved-${email}`);
    expect(await getSignedInEmail(laterBrowser)).toBe(email);
  });

  it('links an existing account only by a link used in the same browser, never by the address alone', async () => {
    const [email, owner] = [createEmail(), openTestBrowser(portal)];
    await openAccount(owner, email);
    seed(email);
    const outsiderBrowser = openTestBrowser(portal);
    expect(await outsiderBrowser.signInWith(path, email)).toBe(`/portal/v2/auth/login?outcome=needs_link&provider=${provider}`);
    expect(await getSignedInEmail(outsiderBrowser)).toBeUndefined();
    const token = await owner.findEmailedToken(email);
    expect((await owner.post('/v2/auth/use-link', { token })).body['code']).toBe('identity.other_browser');
    expect(await outsiderBrowser.signInWith(path, email)).toContain('needs_link');
    await outsiderBrowser.post('/v2/auth/use-link', { token });
    expect(await getSignedInEmail(outsiderBrowser)).toBe(email);
  });

  it('shows that the user declined', async () => {
    const browser = openTestBrowser(portal);
    const startResponse = new URL((await browser.get(path)).location ?? '');
    const query = { error: 'access_denied', state: startResponse.searchParams.get('state') ?? '' };
    expect((await browser.get(`/v2/auth/callback/${provider}`, query)).location).toBe(
      `/portal/v2/auth/login?outcome=declined&provider=${provider}`,
    );
  });
});

describe('the callback from a provider', () => {
  const getCallbackPath = async (browser: TestBrowser, email: string): Promise<string> => {
    const startResponse = await browser.get('/v2/auth/provider/google');
    const response = await fetch(`${startResponse.location}&sandbox_user=${email}`, { redirect: 'manual' });
    const url = new URL(response.headers.get('location') ?? '');
    return url.pathname + url.search;
  };

  it('works once, and only in the browser that started the sign-in', async () => {
    const email = createEmail();
    portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat Provided', emailVerified: true });
    const [browser, victim] = [openTestBrowser(portal), openTestBrowser(portal)];
    const callback = await getCallbackPath(browser, email);
    expect((await victim.get(callback)).location).toContain('outcome=failed');
    expect(await getSignedInEmail(victim)).toBeUndefined();
    const newCallback = await getCallbackPath(browser, email);
    expect((await browser.get(newCallback)).location).not.toContain('outcome');
    expect(await getSignedInEmail(browser)).toBe(email);
    expect((await browser.get(newCallback)).location).toContain('outcome=failed');
  });

  it.each([
    ['/v2/instant-vat/dashboard?company_id=1', '/portal/v2/instant-vat/dashboard?company_id=1'],
    ['https://evil.example/', '/portal/v2/instant-vat/steps/company'],
    ['//evil.example/', '/portal/v2/instant-vat/steps/company'],
    ['/\\evil.example', '/portal/v2/instant-vat/steps/company'],
    ['/nowhere', '/portal/v2/instant-vat/steps/company'],
  ])('redirects to the requested page only if it is one of ours: %s', async (next, page) => {
    const email = createEmail();
    portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat Provided', emailVerified: true });
    const browser = openTestBrowser(portal);
    expect(await browser.signInWith(`/v2/auth/provider/google?next=${encodeURIComponent(next)}`, email)).toBe(page);
  });

  // docs/product/specification.md section 7.5: four navigations, each with its own parameter for the partner.
  it.each([
    ['google', '/google_signup?partner_signup=Swoop'],
    ['microsoft', '/microsoft_signup?partner_signup=Swoop'],
    ['intuit', '/intuit_signup?partner_id=Swoop'],
    ['xero', '/xero_sso_signup?partner_signup=Swoop'],
  ] as const)('stores the partner of the sign-up navigation at %s: %s', async (provider, path) => {
    const email = createEmail();
    portal.identity.signIn[provider].seedPerson({ email, fullName: 'Pat Provided', emailVerified: true });
    const browser = openTestBrowser(portal);
    await browser.signInWith(path, email);
    if ((await getSignedInEmail(browser)) === undefined)
      await browser.post('/v2/auth/use-link', { token: await browser.findEmailedToken(email) });
    const [row] = await portal.deps.database.db.select().from(users).where(eq(users.email, email));
    expect(row?.partner).toBe('swoop');
  });

  // docs/product/decisions.md section 8: the first and last touch are stored; the terms are those of the partner shown.
  it('stores the first and last partner with their times, and audits them', async () => {
    const email = createEmail();
    portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat Provided', emailVerified: true });
    const now = Math.floor(toEpochMs(portal.deps.clock.now()) / 1000);
    const [days10, days2] = [now - 10 * 86_400, now - 2 * 86_400];
    const browser = openTestBrowser(portal, {
      cookies: { partner_id: 'azets', partner_touches: `azets@${days10}~acme-brokers@${days2}` },
    });
    await browser.signInWith('/google_signup?partner_signup=azets', email);
    const { db } = portal.deps.database;
    const [row] = await db.select().from(users).where(eq(users.email, email));
    expect(row).toMatchObject({
      partner: 'azets',
      firstPartner: 'azets',
      firstPartnerAt: toInstant(days10 * 1000),
      lastPartner: 'acme-brokers',
      lastPartnerAt: toInstant(days2 * 1000),
    });
    const [entry] = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.action, 'identity.account_opened'), eq(auditEntries.subject, row?.id ?? '')));
    expect(entry?.after).toMatchObject({ partner: 'azets', first: { partner: 'azets' }, last: { partner: 'acme-brokers' } });
  });

  it.each([
    ['an unknown partner', '?partner_signup=Acme-Brokers', '', 'organic', 'acme-brokers', 'acme-brokers'],
    ['no partner named, one remembered', '', 'swoop', 'swoop', 'swoop', 'swoop'],
    ['a name that is none', '?partner_signup=%3Cscript%3E', '', 'organic', 'organic', 'organic'],
    ['a name without end', `?partner_signup=${'x'.repeat(5000)}`, '', 'organic', 'organic', 'organic'],
    ['a cookie that isn’t a partner’s name', '?partner_signup=swoop', '%0d%0aset-cookie:a=b', 'swoop', 'organic', 'swoop'],
  ])('handles %s without rejecting anyone', async (_case, query, cookie, partner, firstPartner, lastPartner) => {
    const email = createEmail();
    portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat Provided', emailVerified: true });
    const browser = openTestBrowser(portal, {
      cookies: { ...(cookie === '' ? {} : { partner_id: cookie }), partner_touches: `azets@99999999999~${'y'.repeat(9000)}@1` },
    });
    await browser.signInWith(`/google_signup${query}`, email);
    const [row] = await portal.deps.database.db.select().from(users).where(eq(users.email, email));
    expect(row).toMatchObject({ partner, firstPartner, lastPartner });
  });

  it('copies the referral of an email sign-up to the company', async () => {
    const email = createEmail();
    const browser = openTestBrowser(portal, { cookies: { partner_id: 'swoop' } });
    await browser.post('/v2/sign-up', { email, full_name: 'Tess Trader', partner: 'swoop' });
    await browser.post('/v2/auth/use-link', { token: await browser.findEmailedToken(email) });
    const organisation = await makeOrganisation(portal);
    const { body } = await browser.post('/instant-vat/steps/company', {
      name: 'Referred Ltd',
      company_number: '09482716',
      vrn: organisation.vrn,
    });
    const [row] = await portal.deps.database.db
      .select()
      .from(companies)
      .where(eq(companies.id, String(body['company_id'])));
    expect(row).toMatchObject({ partner: 'swoop', firstPartner: 'swoop', lastPartner: 'swoop' });
  });

  it.each([
    '/google_signup?partner_signup=Swoop',
    '/microsoft_signup?partner_signup=Swoop',
    '/intuit_signup?partner_id=Swoop',
    '/xero_sso_signup',
  ])('also starts at the host’s own path: %s', async (path) => {
    const response = await portal.app.inject({ url: path, headers: { accept: 'text/html' } });
    expect([response.statusCode, response.headers.location]).toEqual([302, `/portal${path}`]);
  });

  it('creates no account for an address that the provider has not verified, until its owner uses the link', async () => {
    const email = createEmail();
    portal.identity.signIn.google.seedPerson({ email, fullName: 'Pat Provided', emailVerified: false });
    const browser = openTestBrowser(portal);
    expect(await browser.signInWith('/google_signup', email)).toContain('needs_link');
    expect(await portal.deps.database.db.select().from(users).where(eq(users.email, email))).toEqual([]);
  });
});

describe('a signed-in user', () => {
  it('links and unlinks a provider, but cannot remove the last sign-in method', async () => {
    const [email, browser] = [createEmail(), openTestBrowser(portal)];
    await openAccount(browser, email);
    const providerEmail = `work-${email}`;
    portal.identity.signIn.xero.seedPerson({ email: providerEmail, fullName: 'Pat', emailVerified: true });
    expect(await browser.signInWith('/v2/auth/provider/xero?link=1', providerEmail)).toBe(
      '/portal/v2/instant-vat/profile?outcome=linked&provider=xero',
    );
    const { body } = await browser.get('/v2/security');
    expect(body['linked']).toMatchObject([{ provider: 'xero', email: providerEmail }]);
    const { db } = portal.deps.database;
    await db.update(users).set({ passwordHash: null }).where(eq(users.email, email));
    expect((await browser.post('/v2/security/unlink', { provider: 'xero' })).body['code']).toBe('identity.last_sign_in_method');
    expect(await db.select().from(identities).where(eq(identities.email, providerEmail))).toHaveLength(1);
    await browser.post('/v2/security/password', { new_password: 'a password again' });
    expect((await browser.post('/v2/security/unlink', { provider: 'xero' })).status).toBe(200);
    expect(await db.select().from(identities).where(eq(identities.email, providerEmail))).toEqual([]);
  });
});

describe('signing in with HMRC', () => {
  it('emails a link only to the owner of the connected company', async () => {
    const email = createEmail();
    const trader = await createConnectedTrader(portal, email);
    const browser = openTestBrowser(portal);
    expect(await browser.signInWith('/v2/auth/provider/hmrc', '')).toContain('outcome=needs_vrn');
    expect(await browser.signInWith(`/v2/auth/provider/hmrc?vrn=${trader.vrn}`, trader.hmrcUserId)).toBe(
      '/portal/v2/auth/check-mail?provider=hmrc',
    );
    expect(await getSignedInEmail(browser)).toBeUndefined();
    await browser.post('/v2/auth/use-link', { token: await browser.findEmailedToken(email) });
    expect(await getSignedInEmail(browser)).toBe(email);
  });

  it('creates no account for an unconnected company, and does not work for another company’s VAT number', async () => {
    const otherOrganisation = await makeOrganisation(portal);
    const trader = await createConnectedTrader(portal, createEmail());
    const browser = openTestBrowser(portal);
    expect(await browser.signInWith(`/v2/auth/provider/hmrc?vrn=${otherOrganisation.vrn}`, otherOrganisation.userId)).toContain(
      'outcome=not_linked',
    );
    expect(await browser.signInWith(`/v2/auth/provider/hmrc?vrn=${trader.vrn}`, otherOrganisation.userId)).toContain('outcome=failed');
  });
});
