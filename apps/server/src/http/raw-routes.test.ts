/** Who may call what is no call of the contract: uploads, downloads, navigations, webhooks, health. A route that is in neither list fails. */
import type { Role } from '@portal/domain/identity/roles.ts';
import { randomUUID } from 'node:crypto';
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { companies, memberships, signInStates, users } from '@portal/db/schema/schema.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../build-app.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { recordedRoutesOf } from './recorded-routes.ts';
import { startSession } from './session.ts';

/**
 * - `anybody`: gives nothing that belongs to somebody.
 * - `beginning`: sends the browser to a provider; binds nothing to the person who is signed in.
 * - `way back`: does nothing without a state that this browser began.
 * - `owner`: like the contract's `company.manage`.
 * - `practice admin`: like the contract's `practice.manage`.
 * - `practice`: like the contract's `practice.read`; a stream.
 * - `secret`: whoever knows the secret in the address, with no session: calendar programs have none.
 * - `signature`: only what its provider has signed.
 */
type Caller = 'anybody' | 'beginning' | 'way back' | 'owner' | 'practice admin' | 'practice' | 'secret' | 'signature';

const RAW_ROUTES: Readonly<Record<string, { readonly may: Caller; readonly why: string }>> = {
  'GET /': { may: 'anybody', why: 'leads to the portal' },
  'GET /robots.txt': { may: 'anybody', why: 'what search engines may read' },
  'GET /portal/robots.txt': { may: 'anybody', why: 'the same' },
  'GET /portal/sitemap.xml': { may: 'anybody', why: 'the addresses of public pages' },
  'GET /portal/healthz': { may: 'anybody', why: 'the load balancer has no session; says only that the process is alive' },
  'GET /portal/api-docs': { may: 'anybody', why: 'the API document, the same for all' },
  'GET /portal/readyz': { may: 'anybody', why: 'the same; names parts, no data' },
  'GET /portal/instant-vat/books/template.csv': { may: 'anybody', why: 'an empty form, the same for all' },
  'POST /portal/instant-vat/books/file': { may: 'owner', why: 'a stream of up to 50 MB, which no JSON call can be' },
  'GET /portal/open-tax/client-imports/template': { may: 'anybody', why: 'an empty form, the same for all' },
  'POST /portal/open-tax/client-imports': { may: 'practice admin', why: 'a stream of up to 20 MB, which no JSON call can be' },
  'GET /portal/open-tax/tax-statements/template': { may: 'anybody', why: 'an empty form, the same for all' },
  'POST /portal/open-tax/tax-statements': { may: 'practice admin', why: 'a stream of up to 30 MB, which no JSON call can be' },
  'GET /portal/open-tax/sync-events': { may: 'practice', why: 'a stream of events, which no JSON call can be' },
  'GET /portal/open-tax/export-table': { may: 'practice', why: 'a file of any size, streamed' },
  'POST /portal/open-tax/export-table': { may: 'practice', why: 'the same of chosen clients, whose ids are too many for an address' },
  'GET /portal/open-tax/calendar/:file': { may: 'secret', why: 'calendar programs read it, which send no cookie' },
  'GET /portal/hmrc/callback': { may: 'way back', why: 'HMRC sends the browser here' },
  'GET /portal/google_signup': { may: 'beginning', why: 'specification 7.5' },
  'GET /portal/microsoft_signup': { may: 'beginning', why: 'specification 7.5' },
  'GET /portal/intuit_signup': { may: 'beginning', why: 'specification 7.5' },
  'GET /portal/xero_sso_signup': { may: 'beginning', why: 'specification 7.5' },
  'GET /portal/freeagent_signup': { may: 'beginning', why: 'as the four of specification 7.5' },
  'GET /portal/v2/auth/provider/:provider': { may: 'beginning', why: 'the same from the login page and the profile' },
  'GET /portal/v2/auth/callback/:provider': { may: 'way back', why: 'the provider sends the browser here' },
  'POST /portal/webhooks/truelayer': { may: 'signature', why: 'TrueLayer signs its webhooks' },
  'POST /portal/webhooks/identity-check': { may: 'signature', why: 'the identity provider signs its webhooks' },
};

const having = (may: Caller): string[] => Object.keys(RAW_ROUTES).filter((route) => RAW_ROUTES[route]?.may === may);
const split = (route: string): { method: 'GET' | 'POST'; url: string } => {
  const [method = '', url = ''] = route.split(' ');
  return { method: method === 'POST' ? 'POST' : 'GET', url: url.replace(':provider', 'google') };
};

let portal: TestPortal;
let app: FastifyInstance;
const people: { role: Role | 'operator' | 'without_company'; userId: string; companyId: string | undefined }[] = [];
beforeAll(async () => {
  portal = await openTestPortal();
  // Without the web app's build: its files are everybody's.
  app = await buildApp(portal.deps, {
    trustProxy: false,
    validateOutputs: true,
    distDir: '/nowhere',
    checkReady: async () => ({ database: true }),
    listFailedJobs: async () => [],
  });
  await app.ready();
  const { db } = portal.deps.database;
  const createdAt = portal.deps.clock.now();
  for (const role of ['trader_owner', 'practice_admin', 'team_member', 'client', 'operator', 'without_company'] as const) {
    const [userId, companyId] = [randomUUID(), randomUUID()];
    await db.insert(users).values({ id: userId, email: `${role}@raw.example`, fullName: role, isOperator: role === 'operator', createdAt });
    const has = role !== 'operator' && role !== 'without_company';
    if (has) {
      const kind = role === 'trader_owner' ? 'trader' : role === 'client' ? 'client' : 'practice';
      await db.insert(companies).values({ id: companyId, kind, name: role, createdAt });
      await db.insert(memberships).values({ companyId, userId, role, createdAt });
    }
    people.push({ role, userId, companyId: has ? companyId : undefined });
  }
});
afterAll(async () => {
  await app.close();
  await portal.close();
});

async function cookieOf(userId: string): Promise<string> {
  const { database, wallClock } = portal.deps;
  return `portal_session=${await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' })}`;
}

describe('a route', () => {
  it('is a call of the contract, or has its line above, and no line is of a route that is gone', () => {
    const calls = Object.values(ALL_ENDPOINTS).flatMap((api) =>
      Object.values<Endpoint>(api).map(({ method, path }) => `${method} /portal${path}`),
    );
    expect(recordedRoutesOf(app).toSorted()).toEqual([...calls, ...Object.keys(RAW_ROUTES)].toSorted());
  });

  it.each(having('anybody'))('for anybody answers visitors, and everybody else the same: %s', async (route) => {
    const visitor = await app.inject(split(route));
    expect(visitor.statusCode).toBeLessThan(400);
    for (const { userId } of people) {
      const answer = await app.inject({ ...split(route), headers: { cookie: await cookieOf(userId) } });
      expect([answer.statusCode, answer.body]).toEqual([visitor.statusCode, visitor.body]);
    }
  });

  it.each(having('practice'))('for the people of a practice is shut to everybody else: %s', async (route) => {
    const ask = async (companyId: string, cookie: string | undefined) => {
      const headers = cookie === undefined ? {} : { cookie };
      const answer = await app.inject({ ...split(route), query: { company_id: companyId }, headers, payloadAsStream: true });
      answer.stream().destroy();
      return answer.statusCode;
    };
    expect(await ask(randomUUID(), undefined)).toBe(401);
    for (const { role, userId, companyId = randomUUID() } of people) {
      const isPractices = role === 'practice_admin' || role === 'team_member';
      expect([role, await ask(companyId, await cookieOf(userId))]).toEqual([role, isPractices ? 200 : 404]);
      expect([role, await ask(randomUUID(), await cookieOf(userId))]).toEqual([role, 404]);
    }
  });

  it.each(having('secret'))('of a secret address answers nobody who does not know it, whoever is signed in: %s', async (route) => {
    for (const file of ['guessed.ics', `${'a'.repeat(43)}.ics`, '.ics']) {
      for (const cookie of [undefined, ...(await Promise.all(people.map(({ userId }) => cookieOf(userId))))]) {
        const headers = cookie === undefined ? {} : { cookie };
        const answer = await app.inject({ ...split(route), url: split(route).url.replace(':file', file), headers });
        expect([file, answer.statusCode]).toEqual([file, 404]);
      }
    }
  });

  it.each([
    ...having('owner').map((route) => [route, 'trader_owner'] as const),
    ...having('practice admin').map((route) => [route, 'practice_admin'] as const),
  ])('for one role alone is shut to everybody else: %s, %s', async (route, allowed) => {
    const send = async (companyId: string | undefined, cookie: string | undefined) => {
      const query = { file_name: 'books.csv', tax_type: 'ct', ...(companyId === undefined ? {} : { company_id: companyId }) };
      const headers = { 'content-type': 'text/csv', ...(cookie === undefined ? {} : { cookie }) };
      const answer = await app.inject({ ...split(route), query, headers, payload: 'date\n' });
      return answer.statusCode;
    };
    const owner = people.find(({ role }) => role === allowed);
    expect(await send(owner?.companyId, undefined)).toBe(401);
    for (const { role, userId, companyId } of people) {
      const cookie = await cookieOf(userId);
      // The owner's file is refused for what is in it, which is as far as a right leads.
      if (companyId !== undefined) expect([role, await send(companyId, cookie)]).toEqual([role, role === allowed ? 422 : 404]);
      if (role !== allowed) expect([role, await send(owner?.companyId, cookie)]).toEqual([role, 404]);
      expect([role, await send(undefined, cookie)]).toEqual([role, 400]);
      expect([role, await send(randomUUID(), cookie)]).toEqual([role, 404]);
    }
    const elsewhere = { 'content-type': 'text/csv', 'sec-fetch-site': 'cross-site', cookie: await cookieOf(owner?.userId ?? '') };
    const query = { file_name: 'books.csv', tax_type: 'ct', company_id: owner?.companyId ?? '' };
    expect((await app.inject({ ...split(route), query, headers: elsewhere, payload: 'date\n' })).statusCode).toBe(403);
  });

  it.each(having('beginning'))('that begins a sign-in binds nobody who did not ask for it here: %s', async (route) => {
    const { userId = '' } = people[0] ?? {};
    for (const headers of [{}, { cookie: await cookieOf(userId), 'sec-fetch-site': 'cross-site' }]) {
      const answer = await app.inject({ ...split(route), query: { link: '1' }, headers });
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([302, 'no-store']);
    }
    const bound = await portal.deps.database.db.select({ linkTo: signInStates.linkTo }).from(signInStates);
    expect(bound.filter(({ linkTo }) => linkTo !== null)).toEqual([]);
  });

  it.each(having('way back'))('that a provider leads back to does nothing without a state of this browser: %s', async (route) => {
    const query = { code: 'x', state: 'guessed' };
    const visitor = await app.inject({ ...split(route), query });
    expect(visitor.statusCode).toBe(302);
    expect(visitor.headers.location).toMatch(/^\/portal\/(v2\/auth\/)?login(\?|$)/);
    expect(visitor.cookies.filter(({ name }) => name.includes('session'))).toEqual([]);
    const { userId = '' } = people[0] ?? {};
    const answer = await app.inject({ ...split(route), query, headers: { cookie: await cookieOf(userId) } });
    expect([302, 404]).toContain(answer.statusCode);
    expect(answer.cookies.filter(({ name }) => name.includes('session'))).toEqual([]);
  });

  it.each(having('signature'))('of a provider believes nobody who cannot sign, whoever is signed in: %s', async (route) => {
    const payload = JSON.stringify({ id: 'x', type: 'payout_executed', event_id: 'x', created_at: '2026-11-10T09:00:00Z' });
    for (const cookie of [undefined, ...(await Promise.all(people.map(({ userId }) => cookieOf(userId))))]) {
      const headers = { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) };
      expect((await app.inject({ ...split(route), headers, payload })).statusCode).toBe(401);
    }
  });
});
