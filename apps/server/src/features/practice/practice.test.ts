/** Tests signing up a practice, its details and its HMRC connection (docs/product/decisions.md section 5). */
import { auditEntries, companies, hmrcConnections, memberships, practices, users } from '@portal/db/schema/schema.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrganisation } from '../../testing/test-trader.ts';
import { addClient, addPractice, assignClient } from '../../testing/add-practice.ts';
import { createOaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser, type TestBrowser } from '../../testing/test-browser.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  // Oakline's agent services account at the HMRC simulator.
  await createOaklinePractice(portal, { clients: 3 });
});
afterAll(() => portal.close());

let count = 0;
async function createPerson(): Promise<TestBrowser & { email: string }> {
  const browser = openTestBrowser(portal);
  const email = `founder-${(count += 1)}@practice.example`;
  await openAccount(browser, email);
  return { ...browser, email };
}

async function createFounder(arn?: string) {
  const browser = await createPerson();
  const { body } = await browser.post('/open-tax/practice', { name: 'Marsh & Reed' });
  const company_id = String(body['company_id']);
  if (arn !== undefined) expect((await browser.post('/open-tax/accountant-profile', { company_id, arn })).status).toBe(200);
  return { person: browser, company_id };
}

const toStepStatuses = (body: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries((body['steps'] as { step: string; status: string }[]).map(({ step, status }) => [step, status]));

/** Sends the browser to HMRC as the given user and through the callback. Without a user, declines permission. */
async function authoriseAtHmrc(browser: TestBrowser, company_id: string, sandboxUser: string | undefined, returnTo = 'steps') {
  const { body } = await browser.post('/open-tax/connect-hmrc', { company_id, return_to: returnTo });
  const url = new URL(String(body['authorize_url']));
  if (sandboxUser === undefined) {
    const state = url.searchParams.get('state') ?? '';
    return browser.get('/portal/hmrc/callback', { state, error: 'access_denied', error_code: 'USER_DENIED_AUTHORIZATION' });
  }
  url.searchParams.set('sandbox_user', sandboxUser);
  const response = await fetch(url, { redirect: 'manual' });
  const callbackUrl = new URL(response.headers.get('location') ?? 'http://nothing');
  return browser.get('/portal/hmrc/callback', Object.fromEntries(callbackUrl.searchParams));
}

describe('signing up for OpenTax', () => {
  it('continues with the practice step, even when the link is opened on another device', async () => {
    const email = 'two-devices@practice.example';
    const [desktopBrowser, phone] = [openTestBrowser(portal), openTestBrowser(portal)];
    await desktopBrowser.post('/v2/sign-up', { email, full_name: 'Two Devices', product: 'open_tax' });
    const { body } = await phone.post('/v2/auth/use-link', { token: await desktopBrowser.findEmailedToken(email) });
    expect(body).toEqual({ type: 'new', home_path: '/v2/open-tax/steps/practice' });
    // The choice is stored with the account, so it still applies on a later day.
    expect((await phone.get('/v2/check-login')).body).toMatchObject({ type: 'new', home_path: '/v2/open-tax/steps/practice' });
  });
});

describe('declining permission at a sign-in provider', () => {
  it.each(['google', 'microsoft', 'intuit', 'freeagent'])('returns from %s to the practice sign-up page', async (provider) => {
    const browser = openTestBrowser(portal);
    const next = '/v2/open-tax/steps/practice';
    const authorizeUrl = new URL((await browser.get(`/v2/auth/provider/${provider}`, { next })).location ?? '');
    const query = { error: 'access_denied', state: authorizeUrl.searchParams.get('state') ?? '' };
    const { location } = await browser.get(`/v2/auth/callback/${provider}`, query);
    expect(location).toBe(`/portal/v2/open-tax/signup?outcome=declined&provider=${provider}`);
  });

  it('returns to the login page when the person only logged in', async () => {
    const browser = openTestBrowser(portal);
    const authorizeUrl = new URL((await browser.get('/v2/auth/provider/google', { next: '/v2/open-tax/clients' })).location ?? '');
    const query = { error: 'access_denied', state: authorizeUrl.searchParams.get('state') ?? '' };
    expect((await browser.get('/v2/auth/callback/google', query)).location).toBe('/portal/v2/auth/login?outcome=declined&provider=google');
  });
});

describe('declining permission at Xero', () => {
  it("returns a practice's user to an explanation and a trader to the login page", async () => {
    const browser = openTestBrowser(portal);
    for (const [next, page] of [
      ['/v2/open-tax/steps/practice', '/portal/v2/open-tax/xero-declined'],
      ['/v2/instant-vat/steps/company', '/portal/v2/auth/login?outcome=declined&provider=xero'],
    ]) {
      const authorizeUrl = new URL((await browser.get('/v2/auth/provider/xero', { next: next ?? '' })).location ?? '');
      const query = { error: 'access_denied', state: authorizeUrl.searchParams.get('state') ?? '' };
      expect((await browser.get('/v2/auth/callback/xero', query)).location).toBe(page);
    }
  });
});

describe('practice settings', () => {
  it("store the postal address and the practice's own dates before HMRC's", async () => {
    const { person, company_id } = await createFounder();
    const save = (form: object) => person.post('/open-tax/accountant-profile', { company_id, ...form });
    const readProfile = async () => (await person.get('/open-tax/accountant-profile', { company_id })).body;
    expect(await readProfile()).toMatchObject({ address: null, lead_days: {} });
    expect((await save({ address_lines: '4 Mill Lane\n Leeds ', address_postcode: 'ls14dy', lead_days: { vat_return: 5 } })).status).toBe(
      200,
    );
    expect(await readProfile()).toMatchObject({
      address: { lines: ['4 Mill Lane', 'Leeds'], postcode: 'LS1 4DY' },
      lead_days: { vat_return: 5 },
    });
    expect((await save({ address_lines: '4 Mill Lane', address_postcode: 'nowhere' })).status).toBe(400);
    expect((await save({ lead_days: { vat_return: 0 } })).status).toBe(400);
    expect((await save({ address_lines: '', address_postcode: '' })).status).toBe(200);
    expect(await readProfile()).toMatchObject({ address: null, lead_days: { vat_return: 5 } });
  });
});

describe('a practice', () => {
  it('is created once for concurrent requests, with its founder as admin and an audit entry', async () => {
    const browser = await createPerson();
    const responses = await Promise.all([1, 2, 3].map(() => browser.post('/open-tax/practice', { name: 'Twice & Co' })));
    const ids = new Set(responses.map(({ body }) => body['company_id']));
    expect([responses.map(({ status }) => status), ids.size]).toEqual([[200, 200, 200], 1]);
    const [id] = [...ids] as string[];
    const { db } = portal.deps.database;
    const rows = await db
      .select({ kind: companies.kind, role: memberships.role, taxes: practices.taxes })
      .from(companies)
      .innerJoin(memberships, eq(memberships.companyId, companies.id))
      .innerJoin(practices, eq(practices.companyId, companies.id))
      .where(eq(companies.id, id ?? ''));
    expect(rows).toEqual([{ kind: 'practice', role: 'practice_admin', taxes: [] }]);
    const entries = await db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, id ?? ''), eq(auditEntries.action, 'practice.created')));
    expect(entries).toHaveLength(1);
    expect((await browser.get('/user-companies')).body).toMatchObject([{ company_id: id, kind: 'practice', role: 'practice_admin' }]);
  });

  it('can be a second one of the same user under another name', async () => {
    const { person, company_id } = await createFounder();
    const otherResponse = await person.post('/open-tax/practice', { name: 'Another Practice' });
    expect(otherResponse.body['company_id']).not.toBe(company_id);
    expect((await person.post('/open-tax/practice', { name: 'marsh & reed' })).body).toEqual({ company_id });
  });

  it('is looked up at Companies House when it has a company number', async () => {
    const browser = await createPerson();
    const rejectionResponse = await browser.post('/open-tax/practice', { name: 'Unknown', company_number: '99999999' });
    expect([rejectionResponse.status, rejectionResponse.body['message']]).toMatchObject([
      400,
      { company_number: expect.stringContaining('Companies House') },
    ]);
  });

  it('shows its sign-up progress on any device', async () => {
    const browser = await createPerson();
    expect((await browser.get('/open-tax/steps')).body).toMatchObject({ company_id: null, next_step: 'practice', practice: null });
    const { company_id } = (await browser.post('/open-tax/practice', { name: 'Steps & Co' })).body;
    expect((await browser.get('/open-tax/steps')).body).toMatchObject({ company_id, next_step: 'arn', role: 'admin' });
    await browser.post('/open-tax/accountant-profile', { company_id, arn: ` ${OAKLINE.arn.toLowerCase()} `, agent_code_paye: 'a1234b' });
    expect((await browser.get('/open-tax/steps')).body).toMatchObject({
      next_step: 'hmrc',
      practice: { arn: OAKLINE.arn, agent_code_paye: 'A1234B' },
    });
    await browser.post('/open-tax/connect-hmrc/later', { company_id });
    await browser.post('/open-tax/accountant-profile', { company_id, taxes: ['vat', 'sa', 'vat'] });
    const { body } = await browser.get('/open-tax/steps', { company_id: String(company_id) });
    expect(toStepStatuses(body)).toEqual({ practice: 'done', arn: 'done', hmrc: 'later', taxes: 'done', import: 'todo', team: 'todo' });
    expect(body).toMatchObject({ next_step: 'import', practice: { taxes: ['vat', 'sa'] } });
    await addClient(portal, String(company_id));
    expect((await browser.get('/open-tax/steps')).body).toMatchObject({ next_step: null, clients: 1 });
  });

  it('sends its admin to the next open step, and to the dashboard when set up', async () => {
    const { person, company_id } = await createFounder();
    const getHomePath = async () => String((await person.get('/v2/check-login')).body['home_path']);
    expect(await getHomePath()).toBe(`/v2/open-tax/steps/arn?company_id=${company_id}`);
    await person.post('/open-tax/accountant-profile', { company_id, arn: OAKLINE.arn, taxes: ['vat'] });
    await person.post('/open-tax/connect-hmrc/later', { company_id });
    expect(await getHomePath()).toBe(`/v2/open-tax/dashboard?company_id=${company_id}`);
  });

  it.each([
    ['an ARN with a wrong check letter', { arn: 'BARN0000002' }, 'arn'],
    ['an ARN of another shape', { arn: '12345' }, 'arn'],
    ['an agent code with a mark', { agent_code_ct: 'A<b>' }, 'agent_code_ct'],
    ['no tax at all', { taxes: [] }, 'taxes'],
    ['a tax that there is not', { taxes: ['cgt'] }, 'taxes.0'],
  ])('rejects %s at its field', async (_case, change, field) => {
    const { person, company_id } = await createFounder();
    const { status, body } = await person.post('/open-tax/accountant-profile', { company_id, ...change });
    expect([status, Object.keys(body['message'] as object)]).toEqual([400, [field]]);
  });

  it('clears an agent code with an empty value and keeps fields that are not sent', async () => {
    const { person, company_id } = await createFounder(OAKLINE.arn);
    await person.post('/open-tax/accountant-profile', { company_id, agent_code_sa: 'S1', agent_code_ct: 'C1' });
    await person.post('/open-tax/accountant-profile', { company_id, agent_code_sa: '' });
    const { body } = await person.get('/open-tax/accountant-profile', { company_id });
    expect(body).toMatchObject({ arn: OAKLINE.arn, agent_code_sa: null, agent_code_ct: 'C1', role: 'admin', full_name: 'Tess Trader' });
  });

  it('shows a team member their role and lets them change nothing', async () => {
    const practice = await addPractice(portal);
    const ids = { company_id: practice.companyId };
    expect((await practice.member.get('/open-tax/accountant-profile', ids)).body).toMatchObject({
      role: 'team_member',
      arn: 'AARN0000002',
    });
    expect((await practice.member.post('/open-tax/accountant-profile', { ...ids, name: 'Mine now' })).status).toBe(404);
    // Connecting requires a permission (contract/practice-rights.ts) that this member doesn't have.
    const connectedResponse = await practice.member.post('/open-tax/connect-hmrc', { ...ids, return_to: 'steps' });
    expect([connectedResponse.status, connectedResponse.body['code']]).toEqual([403, 'team.permission_missing']);
    const assignedId = await addClient(portal, practice.companyId);
    await addClient(portal, practice.companyId);
    await assignClient(portal, practice.companyId, assignedId, practice.memberId);
    expect((await practice.member.get('/open-tax/steps')).body).toMatchObject({ role: 'team_member', clients: 1 });
  });
});

describe("a practice's HMRC connection", () => {
  it('isn’t made by a member who lost the permission while they were at HMRC', async () => {
    const { person, company_id } = await createFounder(OAKLINE.arn);
    const colleague = await createPerson();
    const [user] = await portal.deps.database.db.select().from(users).where(eq(users.email, colleague.email));
    const isColleague = and(eq(memberships.companyId, company_id), eq(memberships.userId, user?.id ?? ''));
    const member = { companyId: company_id, userId: user?.id ?? '', role: 'team_member' as const, createdAt: portal.deps.clock.now() };
    await portal.deps.database.db.insert(memberships).values({ ...member, permissions: ['manage_connections'] });
    const startResponse = await colleague.post('/open-tax/connect-hmrc', { company_id, return_to: 'settings' });
    await person.post('/open-tax/team-members/change', { company_id, user_id: user?.id, role: 'team_member', permissions: [] });
    expect((await portal.deps.database.db.select().from(memberships).where(isColleague))[0]?.permissions).toEqual([]);
    const url = new URL(String(startResponse.body['authorize_url']));
    url.searchParams.set('sandbox_user', OAKLINE.hmrcUserId);
    const response = await fetch(url, { redirect: 'manual' });
    const callback = new URL(response.headers.get('location') ?? 'http://nothing');
    const finalResponse = await colleague.get('/portal/hmrc/callback', Object.fromEntries(callback.searchParams));
    expect(finalResponse.location).toContain('outcome=failed');
    const connections = portal.deps.database.db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, company_id));
    expect((await connections).filter(({ status }) => status === 'connected')).toEqual([]);
  });

  it("is stored once HMRC confirms that it belongs to the practice's agency", async () => {
    const { person, company_id } = await createFounder(OAKLINE.arn);
    const callbackResponse = await authoriseAtHmrc(person, company_id, OAKLINE.hmrcUserId);
    expect(callbackResponse.location).toBe(`/portal/v2/open-tax/steps/hmrc?company_id=${company_id}&outcome=connected`);
    const { body } = await person.get('/open-tax/accountant-profile', { company_id });
    expect(body['hmrc']).toMatchObject({ status: 'connected', ends_at: expect.stringMatching(/^2028-05-/) });
    expect(toStepStatuses((await person.get('/open-tax/steps')).body)).toMatchObject({ hmrc: 'done' });
  });

  it('requests only the scopes that the product uses', async () => {
    const { person, company_id } = await createFounder(OAKLINE.arn);
    const { body } = await person.post('/open-tax/connect-hmrc', { company_id, return_to: 'settings' });
    const scope = new URL(String(body['authorize_url'])).searchParams.get('scope')?.split(' ');
    expect(scope).toEqual([
      'read:vat',
      'write:vat',
      'read:self-assessment',
      'read:sent-invitations',
      'write:sent-invitations',
      'write:cancel-invitations',
      'read:check-relationship',
    ]);
  });

  it('is not stored for another agency or for a user who is not an agent', async () => {
    const { db } = portal.deps.database;
    const otherFounder = await createFounder('AARN0000002');
    expect((await authoriseAtHmrc(otherFounder.person, otherFounder.company_id, OAKLINE.hmrcUserId, 'settings')).location).toBe(
      `/portal/v2/open-tax/settings/connections?company_id=${otherFounder.company_id}&outcome=wrong_agency`,
    );
    const { userId } = await makeOrganisation(portal);
    expect((await authoriseAtHmrc(otherFounder.person, otherFounder.company_id, userId)).location).toContain('outcome=not_an_agent');
    const storedConnections = await db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, otherFounder.company_id));
    expect(storedConnections).toEqual([]);
  });

  it('is shown as declined when permission is refused, and can be given later', async () => {
    const { person, company_id } = await createFounder(OAKLINE.arn);
    expect((await authoriseAtHmrc(person, company_id, undefined)).location).toContain('outcome=declined');
    expect((await person.get('/open-tax/steps')).body).toMatchObject({ hmrc: { status: 'declined' }, next_step: 'taxes' });
    expect((await authoriseAtHmrc(person, company_id, OAKLINE.hmrcUserId)).location).toContain('outcome=connected');
  });

  it('requires an ARN, and lapses when the ARN changes', async () => {
    const { person, company_id } = await createFounder();
    const earlyResponse = await person.post('/open-tax/connect-hmrc', { company_id, return_to: 'steps' });
    expect([earlyResponse.status, earlyResponse.body['code']]).toEqual([409, 'practice.no_arn']);
    await person.post('/open-tax/accountant-profile', { company_id, arn: OAKLINE.arn });
    await authoriseAtHmrc(person, company_id, OAKLINE.hmrcUserId);
    await person.post('/open-tax/accountant-profile', { company_id, arn: OAKLINE.arn });
    expect((await person.get('/open-tax/accountant-profile', { company_id })).body['hmrc']).toMatchObject({ status: 'connected' });
    await person.post('/open-tax/accountant-profile', { company_id, arn: 'AARN0000002' });
    expect((await person.get('/open-tax/accountant-profile', { company_id })).body['hmrc']).toMatchObject({ status: 'lapsed' });
  });
});
