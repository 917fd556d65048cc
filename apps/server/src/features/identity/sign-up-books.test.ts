/** Tests signing up with Xero and connecting its books with one permission (decision 70), as users and attackers would try it. */
import { waitingBooksGrants, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedOrganisation } from '../../testing/books-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { runTick } from '../../testing/short-refund.ts';
import { openAccount, openTestBrowser, type TestBrowser } from '../../testing/test-browser.ts';
import { makeOrganisation } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const SIGN_UP = '/xero_sso_signup?partner_signup=xero';
const CHECK_MAIL = '/portal/v2/auth/check-mail?provider=xero';
const NUMBER = '09482716';
const period = { periodStart: plainDate('2026-07-01'), periodEnd: plainDate('2026-09-30') };
let count = 0;
const createEmail = (): string => `xero-${(count += 1)}@books.example`;

const getDb = () => portal.deps.database.db;
const listGrants = () => getDb().select().from(waitingBooksGrants);
const getProgress = async (browser: TestBrowser) => (await browser.get('/instant-vat/steps')).body;
const useLink = async (browser: TestBrowser, email: string) =>
  browser.post('/v2/auth/use-link', { token: await browser.findEmailedToken(email) });

/** Adds a user at Xero with one organisation, and returns its VAT number. */
async function seedPerson(email: string, settings: { readonly name?: string } = {}) {
  const { vrn } = await makeOrganisation(portal);
  const obligation = period as Parameters<typeof seedOrganisation>[2]['obligation'];
  const { organisationId } = seedOrganisation(
    portal,
    'xero',
    { vrn, obligation },
    { ...settings, ownerEmail: email, companyNumber: NUMBER },
  );
  return { vrn, organisationId };
}

async function addCompany(browser: TestBrowser, vrn: string, organisation: { readonly organisation_id?: string | null } = {}) {
  const { body } = await browser.post('/instant-vat/steps/company', {
    name: 'Tess Exports Ltd',
    company_number: NUMBER,
    vrn,
    ...organisation,
  });
  const companyId = String(body['company_id']);
  await portal.runJobs();
  const { body: state } = await browser.get('/instant-vat/books/connection', { company_id: companyId });
  return { companyId, connection: state['connection'] as Record<string, unknown> | null };
}

describe('signing up with Xero', () => {
  it('leads from the emailed link to choosing the organisation, whose books are then read without a second permission', async () => {
    const [email, browser] = [createEmail(), openTestBrowser(portal)];
    const { vrn, organisationId } = await seedPerson(email);
    expect(await browser.signInWith(SIGN_UP, email)).toBe(CHECK_MAIL);
    expect(await getDb().select().from(users).where(eq(users.email, email))).toEqual([]);

    expect((await useLink(browser, email)).body).toMatchObject({ home_path: '/v2/instant-vat/signup/company' });
    expect((await getProgress(browser))['granted_books']).toEqual({
      program: 'xero',
      organisations: [{ organisation_id: organisationId, name: 'Tess Exports Ltd', vrn, company_number: NUMBER }],
    });

    const { companyId, connection } = await addCompany(browser, vrn, { organisation_id: organisationId });
    expect(connection).toMatchObject({ status: 'connected', organisation_name: 'Tess Exports Ltd', vat_number: vrn, problem: null });
    const progress = (await browser.get('/instant-vat/steps', { company_id: companyId })).body;
    expect(progress).toMatchObject({
      granted_books: null,
      books: { file_name: 'Xero: Tess Exports Ltd' },
      next_step: 'government-gateway',
    });
    expect(await listGrants()).toEqual([]);
  });

  it('keeps the tokens sealed for the Xero user, and only for a day', async () => {
    const [email, browser] = [createEmail(), openTestBrowser(portal)];
    const { vrn } = await seedPerson(email);
    await browser.signInWith(SIGN_UP, email);
    await useLink(browser, email);
    const [grant] = await listGrants();
    if (!grant) throw new Error('nothing is stored');
    expect(() => portal.deps.tokenCipher.open(grant.refreshToken, 'books_refresh_token:grant:someone else')).toThrow(/./);
    await getDb()
      .update(waitingBooksGrants)
      .set({ expiresAt: addMilliseconds(portal.deps.clock.now(), -1) });
    expect((await getProgress(browser))['granted_books']).toBeNull();
    expect((await addCompany(browser, vrn)).connection).toBeNull();
    await runTick(portal, 'rows.purge');
    expect(await listGrants()).toEqual([]);
  });

  it.each([
    ['the one with the VAT number without a choice', {}, 'Second Ltd'],
    ['none if the person says so', { organisation_id: null }, undefined],
    ['the one with the VAT number if another that wasn’t granted is named', { organisation_id: 'another' }, 'Second Ltd'],
  ])('with several organisations connects %s', async (_case, choice, name) => {
    const [email, browser] = [createEmail(), openTestBrowser(portal)];
    await seedPerson(email, { name: 'First Ltd' });
    const { vrn } = await seedPerson(email, { name: 'Second Ltd' });
    await browser.signInWith(SIGN_UP, email);
    await useLink(browser, email);
    const { connection } = await addCompany(browser, vrn, choice);
    expect(connection?.['organisation_name']).toBe(name);
    expect(await listGrants()).toEqual([]);
  });

  it('continues without the books if Xero has none, or doesn’t list them', async () => {
    const [email, browser] = [createEmail(), openTestBrowser(portal)];
    portal.identity.signIn.xero.seedPerson({ email, fullName: 'Pat Provided', emailVerified: false });
    expect(await browser.signInWith(SIGN_UP, email)).toBe(CHECK_MAIL);
    expect((await useLink(browser, email)).status).toBe(200);
    expect((await getProgress(browser))['granted_books']).toBeNull();
  });

  it('says how to sign up instead after the user declined', async () => {
    const browser = openTestBrowser(portal);
    const state = new URL((await browser.get(SIGN_UP)).location ?? '').searchParams.get('state') ?? '';
    const { location } = await browser.get('/v2/auth/callback/xero', { error: 'access_denied', state });
    expect(location).toBe('/portal/v2/auth/login?outcome=sign_up_declined&provider=xero');
  });

  it.each([
    ['log in', '/v2/auth/provider/xero'],
    ['sign a practice up', '/v2/auth/provider/xero?next=%2Fv2%2Fopen-tax%2Fsteps%2Fpractice'],
    ['sign a practice up at the sign-up address', '/xero_sso_signup?next=%2Fv2%2Fopen-tax%2Fsteps%2Fpractice'],
  ])('doesn’t ask for permission to read books to %s', async (_case, path) => {
    const scope = new URL((await openTestBrowser(portal).get(path)).location ?? '').searchParams.get('scope');
    expect(scope).toBe('openid profile email');
  });
});

describe('a stranger who signs up at Xero with someone else’s address', () => {
  it('gets no account and connects nothing, before and after the owner signs up', async () => {
    const [email, outsiderBrowser, owner] = [createEmail(), openTestBrowser(portal), openTestBrowser(portal)];
    const { vrn } = await seedPerson(email);
    await outsiderBrowser.signInWith(SIGN_UP, email);
    expect((await useLink(owner, email)).body['code']).toBe('identity.other_browser');
    expect((await outsiderBrowser.get('/v2/check-login')).body['email']).toBeUndefined();

    await openAccount(owner, email);
    expect((await getProgress(owner))['granted_books']).toBeNull();
    expect((await addCompany(owner, vrn)).connection).toBeNull();
    await getDb().delete(waitingBooksGrants);
  });

  it('can’t connect their books to an account that has a company, and the account’s owner isn’t connected without asking', async () => {
    const [email, owner] = [createEmail(), openTestBrowser(portal)];
    const { vrn } = await seedPerson(email);
    await openAccount(owner, email);
    expect((await addCompany(owner, vrn)).connection).toBeNull();
    const outsiderBrowser = openTestBrowser(portal);
    expect(await outsiderBrowser.signInWith(SIGN_UP, email)).toBe(CHECK_MAIL);
    expect((await useLink(owner, email)).body['code']).toBe('identity.other_browser');
    expect((await getProgress(owner))['granted_books']).toBeNull();

    // The owner signs up in the same way in their own browser.
    expect(await owner.signInWith(SIGN_UP, email)).toBe(CHECK_MAIL);
    expect((await useLink(owner, email)).status).toBe(200);
    expect((await getProgress(owner))['granted_books']).toBeNull();
    expect(await listGrants()).toEqual([]);
    expect(await owner.signInWith(SIGN_UP, email)).not.toContain('check-mail');
    expect(await listGrants()).toEqual([]);
  });
});
