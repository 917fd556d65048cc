/** Tests API keys, as used by their owner and by an attacker. */
import { apiKeys, attempts, auditEntries, companies, memberships, practices, users } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { API_SCOPES, MAX_CALLS_PER_KEY, type ApiScope } from '@portal/domain/developers/api-scopes.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addTestKey } from '../../testing/add-test-key.ts';
import { addTraderCompany } from '../../testing/add-trader-company.ts';
import { openTestBrowser } from '../../testing/test-browser.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { startSession } from '../../http/session.ts';
import { purgeApiKeys } from './end-api-keys.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const CLIENTS_PATH = '/portal/open-tax/client-companies';
type SendOptions = {
  readonly method?: 'GET' | 'POST';
  readonly url?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
};

async function send(key: string, { method = 'GET', url = CLIENTS_PATH, body, headers = {} }: SendOptions = {}, app = portal.app) {
  const response = await app.inject({
    method,
    url,
    ...(body ? { payload: body } : {}),
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() };
}

const create = (body: object = {}, actingBrowser = practice.admin) =>
  actingBrowser.post('/open-tax/api-keys', {
    company_id: practice.companyId,
    name: 'Nightly report',
    scopes: ['clients.read'],
    days: 30,
    ...body,
  });

const addKey = (scopes: readonly ApiScope[] = ['clients.read'], userId = practice.adminId) =>
  addTestKey(portal, { companyId: practice.companyId, userId, scopes });

describe('a key that its practice created', () => {
  it('is shown once, stored as a hash, listed with its last use, and works without a session or a company', async () => {
    await addClient(portal, practice.companyId, { name: 'Alder Ltd' });
    const createdResponse = await create();
    expect(createdResponse.status).toBe(200);
    const key = String(createdResponse.body['key']);
    expect(key).toMatch(/^ptl_test_[\w-]{43}$/);
    const readResponse = await send(key);
    expect(readResponse.status).toBe(200);
    expect(JSON.stringify(readResponse.body)).toContain('Alder Ltd');
    const { rows } = await portal.deps.database.db.execute(sql`select * from ${apiKeys} where company_id = ${practice.companyId}::uuid`);
    expect(JSON.stringify(rows)).not.toContain(key.slice(9));
    const listedResponse = await practice.admin.get('/open-tax/api-keys', { company_id: practice.companyId });
    expect(listedResponse.body['keys']).toMatchObject([{ name: 'Nightly report', status: 'active', last_used_at: expect.any(String) }]);
    expect(JSON.stringify(listedResponse.body)).not.toContain(key);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ subject }) => subject === 'A new API key acts for you')?.text).toContain('Nightly report');
  });

  it('stops at once when an admin revokes it, on every instance', async () => {
    const createdResponse = await create();
    const key = String(createdResponse.body['key']);
    const instance = await portal.openInstance();
    expect((await send(key, {}, instance.app)).status).toBe(200);
    await practice.admin.post('/open-tax/api-keys/revoke', { company_id: practice.companyId, key_id: createdResponse.body['key_id'] });
    const refusedResponse = await send(key, {}, instance.app);
    expect([refusedResponse.status, refusedResponse.body['code'], refusedResponse.headers['www-authenticate']]).toEqual([
      401,
      'api_key.invalid',
      'Bearer error="invalid_token"',
    ]);
    await instance.close();
  });

  it('needs a user who has just confirmed their identity, at least one scope and an expiry', async () => {
    const { database, wallClock } = portal.deps;
    const session = { userId: practice.adminId, signInMethod: 'link' as const, isConfirmed: false, ip: '', userAgent: '' };
    const cookie = `portal_session=${await startSession(database.db, wallClock, session)}`;
    const payload = { company_id: practice.companyId, name: 'x', scopes: ['clients.read'], days: 30 };
    const response = await portal.app.inject({ method: 'POST', url: '/portal/open-tax/api-keys', payload, headers: { cookie } });
    expect(response.json()).toMatchObject({ code: 'identity.factor_needed' });
    expect((await create({ scopes: [] })).body['message']).toEqual({ scopes: 'Select at least one permission' });
    expect((await create({ days: 10_000 })).status).toBe(400);
    expect((await create({ scopes: ['everything'] })).status).toBe(400);
    expect((await create({}, practice.member)).status).toBe(404);
  });

  it('makes a write once, however often it is repeated with the same Idempotency-Key', async () => {
    const key = await addKey(['clients.write', 'clients.read']);
    const clientId = await addClient(portal, practice.companyId);
    const body = { client_id: clientId, text: 'Called about the missing invoice' };
    const write = () => send(key, { method: 'POST', url: '/portal/client/notes', body, headers: { 'idempotency-key': 'note-of-today' } });
    const [firstResponse, secondResponse] = [await write(), await write()];
    expect([firstResponse.status, secondResponse.status, secondResponse.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
    const notesResponse = await send(key, { url: `/portal/client/notes?client_id=${clientId}` });
    expect(JSON.stringify(notesResponse.body).split('Called about').length).toBe(2);
  });

  it('adds and edits clients with the scope for it, without overwriting what it hasn’t seen, and no more than that', async () => {
    const key = await addTestKey(portal, {
      companyId: practice.companyId,
      userId: practice.adminId,
      scopes: ['clients.edit', 'clients.read'],
    });
    const call = async (path: string, payload: object, idempotencyKey = randomUUID()) => {
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey };
      const response = await portal.app.inject({ method: 'POST', url: `/portal/open-tax${path}`, payload, headers });
      return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
    };
    const facts = { name: 'Keyed Ltd', kind: 'company', taxes: ['ct'], company_number: '09482716' };
    const sameKey = randomUUID();
    const created = await call('/client-companies', facts, sameKey);
    expect(created.status).toBe(200);
    expect((await call('/client-companies', facts, sameKey)).body).toEqual(created.body);
    expect((await call('/client-companies', facts)).status).toBe(409);
    const { client_id } = created.body;
    expect((await call('/client-companies/facts', { ...facts, client_id, name: 'Keyed & Sons Ltd', version: 'x' })).status).toBe(409);
    expect((await call('/client-companies/facts', { ...facts, client_id, name: 'Keyed & Sons Ltd' })).status).toBe(200);
    const query = { company_id: practice.companyId, q: 'keyed' };
    expect((await practice.admin.get('/open-tax/client-companies', query)).body['clients']).toMatchObject([{ name: 'Keyed & Sons Ltd' }]);
    const others = ['/client-companies/status', '/client-companies/assign', '/import-clients/start', '/agent-mode', '/practice'];
    for (const path of others)
      expect([path, (await call(path, { client_ids: [client_id] })).body['code']]).toEqual([path, 'api_key.needs_person']);
    const memberKey = await addTestKey(portal, { companyId: practice.companyId, userId: practice.memberId, scopes: ['clients.edit'] });
    const headers = { authorization: `Bearer ${memberKey}`, 'idempotency-key': randomUUID() };
    const refused = await portal.app.inject({ method: 'POST', url: '/portal/open-tax/client-companies', payload: facts, headers });
    expect(refused.statusCode).toBe(404);
  });

  it('is named in the audit entry of what it did', async () => {
    const key = await addKey(['clients.write']);
    const clientId = await addClient(portal, practice.companyId);
    await send(key, { method: 'POST', url: '/portal/client/notes', body: { client_id: clientId, text: 'By a program' } });
    const [row] = await portal.deps.database.db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.companyId, practice.companyId));
    const entries = await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.companyId, practice.companyId));
    expect(entries.at(-1)).toMatchObject({ actor: practice.adminId, after: { api_key_id: row?.id } });
  });
});

describe('an attacker with a key', () => {
  it('gets no more than its user has now: a demoted admin’s key sees only their own clients', async () => {
    const { memberId, companyId } = practice;
    const { db } = portal.deps.database;
    const isMember = and(eq(memberships.companyId, companyId), eq(memberships.userId, memberId));
    await db.update(practices).set({ ownerId: practice.adminId }).where(eq(practices.companyId, companyId));
    await db.update(memberships).set({ role: 'practice_admin' }).where(isMember);
    await addClient(portal, companyId, { name: 'Birch Ltd' });
    const [ownClient, foreignClient] = [await addClient(portal, companyId, { name: 'Cedar Ltd' }), await addClient(portal, companyId)];
    await assignClient(portal, companyId, ownClient, memberId);
    const key = await addKey(API_SCOPES, memberId);
    expect(JSON.stringify((await send(key)).body)).toContain('Birch Ltd');
    await practice.admin.post('/open-tax/team-members/change', {
      company_id: companyId,
      user_id: memberId,
      role: 'team_member',
      permissions: [],
    });
    const after = JSON.stringify((await send(key)).body);
    expect([after.includes('Birch Ltd'), after.includes('Cedar Ltd')]).toEqual([false, true]);
    expect((await send(key, { url: `/portal/open-tax/client-companies/facts?client_id=${foreignClient}` })).status).toBe(404);
    expect((await send(key, { url: '/portal/open-tax/export-table' })).body['code']).toBe('team.permission_missing');
  });

  it('loses it with the membership, and doesn’t regain it when the member returns', async () => {
    const key = await addKey(['clients.read'], practice.memberId);
    expect((await send(key)).status).toBe(200);
    const member = { company_id: practice.companyId, user_id: practice.memberId };
    expect((await practice.admin.post('/open-tax/team-members/deactivate', { ...member, successors: {} })).status).toBe(200);
    expect((await send(key)).status).toBe(401);
    expect((await practice.admin.post('/open-tax/team-members/reactivate', member)).status).toBe(200);
    expect((await send(key)).status).toBe(401);
    const listedResponse = await practice.admin.get('/open-tax/api-keys', { company_id: practice.companyId });
    expect(listedResponse.body['keys']).toMatchObject([{ status: 'ended' }]);
  });

  it('loses it with the practice', async () => {
    const key = await addKey();
    await portal.deps.database.db
      .update(companies)
      .set({ closedAt: portal.deps.clock.now(), closedBy: practice.adminId })
      .where(eq(companies.id, practice.companyId));
    expect((await send(key)).status).toBe(401);
  });

  it('loses it when the user resets their password, in every company', async () => {
    const email = `${randomUUID()}@oakline.example`;
    await portal.deps.database.db.update(users).set({ email }).where(eq(users.id, practice.adminId));
    const second = await addPractice(portal);
    await portal.deps.database.db
      .insert(memberships)
      .values({ companyId: second.companyId, userId: practice.adminId, role: 'practice_admin', createdAt: portal.deps.clock.now() });
    const keys = [
      await addKey(),
      await addTestKey(portal, { companyId: second.companyId, userId: practice.adminId, scopes: ['clients.read'] }),
    ];
    for (const key of keys) expect((await send(key)).status).toBe(200);
    const browser = openTestBrowser(portal);
    await browser.post('/password-reset-request', { email });
    const token = await browser.findEmailedToken(email);
    expect((await browser.post('/password-reset', { token, password: 'a long enough one' })).status).toBe(200);
    for (const key of keys) expect((await send(key)).status).toBe(401);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ to }) => to === email)?.text).toContain('API keys have stopped working');
  });

  it('reaches no other company of the user, nor the clients that invited them to the client portal', async () => {
    const second = await addPractice(portal);
    const clientId = await addClient(portal, second.companyId);
    await portal.deps.database.db
      .insert(memberships)
      .values({ companyId: second.companyId, userId: practice.adminId, role: 'practice_admin', createdAt: portal.deps.clock.now() });
    const key = await addKey(API_SCOPES);
    for (const query of [
      `company_id=${second.companyId}`,
      `company_id=${second.companyId}&client_id=${clientId}`,
      `client_id=${clientId}`,
      `company_id=${clientId}`,
      `company_id=${practice.companyId}&client_id=${clientId}`,
    ]) {
      const factsResponse = await send(key, { url: `/portal/open-tax/client-companies/facts?${query}` });
      expect([query, factsResponse.status]).toEqual([query, 404]);
    }
    expect((await send(key, { url: `${CLIENTS_PATH}?company_id=${second.companyId}` })).status).toBe(404);
    const trader = await addTraderCompany(portal);
    expect((await send(key, { url: `/portal/instant-vat/documents?company_id=${trader.companyId}` })).status).toBe(404);
  });

  it('can’t create another key, or reach what needs a signed-in user', async () => {
    const key = await addKey(API_SCOPES);
    for (const url of ['/portal/open-tax/api-keys', '/portal/open-tax/team-members/invite', '/portal/v2/security/password']) {
      const body = { name: 'More', scopes: ['clients.read'], days: 365, emails: ['a@b.example'], role: 'admin' };
      const response = await send(key, { method: 'POST', url, body });
      expect([url, response.status === 403 || response.status === 404]).toEqual([url, true]);
    }
    const streamResponse = await send(key, { url: '/portal/open-tax/sync-events' });
    expect(streamResponse.body['code']).toBe('api_key.needs_person');
  });

  it('can’t fall back to a session: a browser’s cookie is ignored beside a key', async () => {
    const response = await send('ptl_test_wrong', { headers: { cookie: practice.cookies.admin } });
    expect(response.status).toBe(401);
    const otherResponse = await portal.app.inject({
      method: 'POST',
      url: '/portal/client/notes',
      payload: { company_id: practice.companyId },
      headers: { authorization: 'Bearer ', cookie: practice.cookies.admin, origin: 'https://evil.example' },
    });
    expect(otherResponse.statusCode).toBe(401);
    const basicResponse = await portal.app.inject({ url: CLIENTS_PATH, headers: { authorization: `Basic ${await addKey()}` } });
    expect(basicResponse.statusCode).toBe(401);
  });

  it('has access only until the key expires, within a call limit that all instances share', async () => {
    const expiredKey = await addTestKey(portal, {
      companyId: practice.companyId,
      userId: practice.adminId,
      scopes: API_SCOPES,
      validForMs: -1,
    });
    expect((await send(expiredKey)).status).toBe(401);
    const key = await addKey();
    await send(key);
    const { db } = portal.deps.database;
    const [row] = await db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(eq(apiKeys.companyId, practice.companyId), eq(apiKeys.hint, 'ptl_test_…'), sql`expires_at > now()`));
    await db
      .update(attempts)
      .set({ count: MAX_CALLS_PER_KEY })
      .where(eq(attempts.subject, `api-key:${row?.id}`));
    const instance = await portal.openInstance();
    const refusedResponse = await send(key, {}, instance.app);
    await instance.close();
    expect([refusedResponse.status, Number(refusedResponse.headers['retry-after']) > 0]).toEqual([429, true]);
  });
});

it('rows of keys that ended are deleted after 90 days', async () => {
  await addTestKey(portal, {
    companyId: practice.companyId,
    userId: practice.adminId,
    scopes: ['clients.read'],
    validForMs: -91 * 86_400_000,
  });
  await addKey();
  await purgeApiKeys(portal.deps);
  const remainingRows = await portal.deps.database.db.select().from(apiKeys).where(eq(apiKeys.companyId, practice.companyId));
  expect(remainingRows.length).toBe(1);
});
