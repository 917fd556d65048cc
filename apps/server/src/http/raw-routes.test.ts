/**
 * Tests access to routes outside the contract: uploads, downloads, navigations, webhooks, health. A route that isn't in any of the lists
 * fails.
 */
import type { Role } from '@portal/domain/identity/roles.ts';
import { randomUUID } from 'node:crypto';
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { companies, memberships, signInStates, users } from '@portal/db/schema/schema.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../build-app.ts';
import { makeOperator } from '../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { listRecordedRoutes } from './recorded-routes.ts';
import { startSession } from './session.ts';
import { NO_JOBS } from '../testing/no-jobs.ts';

/**
 * - `anybody`: returns nothing private.
 * - `start`: redirects the browser to a provider; links nothing to the signed-in user.
 * - `callback`: does nothing without a state that this browser started.
 * - `owner`: like the contract's `company.manage`.
 * - `company`: like the contract's `company.read`; a file.
 * - `operator`: like the contract's `operator`; a file.
 * - `practice admin`: like the contract's `practice.manage`.
 * - `person`: like the contract's `signed_in`; a file about the user.
 * - `owner’s file`, `administrator’s file`: like `company.manage` and `practice.manage`; a file.
 * - `practice`: like the contract's `practice.read`; a stream.
 * - `papers`: like the contract's `client.papers`, `client.work` and `practice.work`; tested with clients and tasks (features/client-files,
 * client-returns).
 * - `loopback`: a process on this computer, or a caller that knows the token; for others the page doesn't exist
 * (features/monitoring/metrics.test.ts).
 * - `program`: an app with a token that its user agreed to, or that starts to request one (features/mcp, features/connected-apps).
 * - `secret`: anyone who knows the secret in the URL, without a session: calendar apps have none.
 * - `signature`: only requests that the provider has signed.
 */
type Caller =
  | 'anybody'
  | 'beginning'
  | 'way back'
  | 'owner'
  | 'company'
  | 'operator'
  | 'practice admin'
  | 'practice'
  | 'papers'
  | 'loopback'
  | 'person'
  | 'owner’s file'
  | 'administrator’s file'
  | 'program'
  | 'secret'
  | 'signature';

const RAW_ROUTES: Readonly<Record<string, { readonly caller: Caller; readonly reason: string }>> = {
  'GET /': { caller: 'anybody', reason: 'leads to the portal' },
  'GET /robots.txt': { caller: 'anybody', reason: 'what search engines may read' },
  'GET /portal/robots.txt': { caller: 'anybody', reason: 'the same' },
  'GET /portal/sitemap.xml': { caller: 'anybody', reason: 'the addresses of public pages' },
  'GET /.well-known/oauth-protected-resource': { caller: 'anybody', reason: 'OAuth’s description of the tools, the same for all' },
  'GET /.well-known/oauth-protected-resource/portal/mcp': { caller: 'anybody', reason: 'the same' },
  'GET /.well-known/oauth-authorization-server': { caller: 'anybody', reason: 'OAuth’s description of its endpoints, the same for all' },
  'POST /portal/oauth/register': { caller: 'program', reason: 'OAuth’s format; gives no access' },
  'POST /portal/oauth/token': { caller: 'program', reason: 'OAuth’s format, a form' },
  'POST /portal/oauth/revoke': { caller: 'program', reason: 'the same' },
  'GET /portal/mcp': { caller: 'program', reason: 'the Model Context Protocol; answers 405' },
  'POST /portal/mcp': { caller: 'program', reason: 'the Model Context Protocol' },
  'DELETE /portal/mcp': { caller: 'program', reason: 'the same; answers 405' },
  'GET /portal/healthz': { caller: 'anybody', reason: 'the load balancer has no session; says only that the process is alive' },
  'GET /portal/metrics': { caller: 'loopback', reason: 'figures for Prometheus, which has no session' },
  'GET /portal/api-docs': { caller: 'anybody', reason: 'the API document, the same for all' },
  'GET /portal/developers/portal-client.ts': { caller: 'anybody', reason: 'the typed client, the same for all' },
  'GET /portal/readyz': { caller: 'anybody', reason: 'the same; names parts, no data' },
  'GET /portal/instant-vat/books/template.csv': { caller: 'anybody', reason: 'an empty form, the same for all' },
  'POST /portal/instant-vat/books/file': { caller: 'owner', reason: 'a stream of up to 50 MB, which no JSON call can be' },
  'GET /portal/instant-vat/documents/receipt': { caller: 'company', reason: 'a PDF' },
  'GET /portal/instant-vat/documents/quote': { caller: 'company', reason: 'a PDF' },
  'GET /portal/instant-vat/documents/agreement': { caller: 'company', reason: 'a PDF' },
  'GET /portal/instant-vat/documents/statement': { caller: 'company', reason: 'a PDF or CSV file' },
  'GET /portal/instant-vat/documents/journals': { caller: 'company', reason: 'a CSV file' },
  'GET /portal/v2/data/person': { caller: 'person', reason: 'a ZIP file of any size, streamed' },
  'GET /portal/v2/data/company': { caller: 'owner’s file', reason: 'the same' },
  'GET /portal/v2/data/practice': { caller: 'administrator’s file', reason: 'the same' },
  'GET /portal/open-tax/invoices/file': { caller: 'administrator’s file', reason: 'a PDF or CSV file' },
  'GET /portal/operator/invoices/file': { caller: 'operator', reason: 'a PDF or CSV file' },
  'GET /portal/operator/billing/export': { caller: 'operator', reason: 'a CSV file, streamed' },
  'GET /portal/operator/audit/export': { caller: 'operator', reason: 'a CSV file, streamed' },
  'GET /portal/operator/ledger/export': { caller: 'operator', reason: 'the same' },
  'GET /portal/open-tax/client-imports/template': { caller: 'anybody', reason: 'an empty form, the same for all' },
  'POST /portal/open-tax/client-imports': { caller: 'practice admin', reason: 'a stream of up to 20 MB, which no JSON call can be' },
  'GET /portal/open-tax/tax-statements/template': { caller: 'anybody', reason: 'an empty form, the same for all' },
  'POST /portal/open-tax/brand/logo': { caller: 'practice admin', reason: 'an image of up to 1 MB' },
  'POST /portal/open-tax/tax-statements': { caller: 'practice admin', reason: 'a stream of up to 30 MB, which no JSON call can be' },
  'GET /portal/open-tax/sync-events': { caller: 'practice', reason: 'a stream of events, which no JSON call can be' },
  'GET /portal/open-tax/export-table': { caller: 'practice', reason: 'a file of any size, streamed' },
  'POST /portal/open-tax/export-table': { caller: 'practice', reason: 'the same of chosen clients, whose ids are too many for an address' },
  'GET /portal/open-tax/authorisation-requests/links-file': { caller: 'practice', reason: 'a file for the practice’s own mailing' },
  'GET /portal/open-tax/calendar/:file': { caller: 'secret', reason: 'calendar programs read it, which send no cookie' },
  'POST /portal/unsubscribe': { caller: 'secret', reason: 'mail programs post a form to it, without a cookie (RFC 8058)' },
  'POST /portal/client/files/upload': { caller: 'papers', reason: 'a stream of up to 10 MB' },
  'POST /portal/client/vat-books/file': { caller: 'papers', reason: 'a stream of up to 50 MB' },
  'GET /portal/client/files/file': { caller: 'papers', reason: 'a file of any type' },
  'GET /portal/client/engagement-letters/file': { caller: 'papers', reason: 'a PDF' },
  'POST /portal/open-tax/work-items/files/upload': { caller: 'papers', reason: 'a stream of up to 10 MB' },
  'GET /portal/open-tax/work-items/files/file': { caller: 'papers', reason: 'a file of any type' },
  'GET /portal/hmrc/callback': { caller: 'way back', reason: 'HMRC sends the browser here' },
  'GET /portal/mailbox/callback/gmail': { caller: 'way back', reason: 'Google sends the browser here' },
  'GET /portal/mailbox/callback/outlook': { caller: 'way back', reason: 'Microsoft sends the browser here' },
  'GET /portal/books/callback/xero': { caller: 'way back', reason: 'Xero sends the browser here' },
  'GET /portal/books/callback/quickbooks': { caller: 'way back', reason: 'Intuit sends the browser here' },
  'GET /portal/books/callback/freeagent': { caller: 'way back', reason: 'FreeAgent sends the browser here' },
  'GET /portal/google_signup': { caller: 'beginning', reason: 'specification 7.5' },
  'GET /portal/microsoft_signup': { caller: 'beginning', reason: 'specification 7.5' },
  'GET /portal/intuit_signup': { caller: 'beginning', reason: 'specification 7.5' },
  'GET /portal/xero_sso_signup': { caller: 'beginning', reason: 'specification 7.5' },
  'GET /portal/freeagent_signup': { caller: 'beginning', reason: 'as the four of specification 7.5' },
  'GET /portal/v2/auth/provider/:provider': { caller: 'beginning', reason: 'the same from the login page and the profile' },
  'GET /portal/v2/auth/callback/:provider': { caller: 'way back', reason: 'the provider sends the browser here' },
  'POST /portal/webhooks/truelayer': { caller: 'signature', reason: 'TrueLayer signs its webhooks' },
  'POST /portal/webhooks/gocardless': { caller: 'signature', reason: 'GoCardless signs its webhooks' },
  'POST /portal/webhooks/stripe': { caller: 'signature', reason: 'Stripe signs its webhooks' },
  'POST /portal/webhooks/books/xero': { caller: 'signature', reason: 'Xero signs its webhooks' },
  'POST /portal/webhooks/books/quickbooks': { caller: 'signature', reason: 'Intuit signs its webhooks' },
  'POST /portal/webhooks/identity-check': { caller: 'signature', reason: 'the identity provider signs its webhooks' },
};

/** Routes whose request must specify the file: an invoice, or a month. */
const MUST_BE_NAMED = new Set([
  'GET /portal/open-tax/invoices/file',
  'GET /portal/operator/invoices/file',
  'GET /portal/operator/billing/export',
]);

const listRoutesFor = (caller: Caller): string[] => Object.keys(RAW_ROUTES).filter((route) => RAW_ROUTES[route]?.caller === caller);
const parseRoute = (route: string): { method: 'GET' | 'POST'; url: string } => {
  const [method = '', url = ''] = route.split(' ');
  return { method: method === 'POST' ? 'POST' : 'GET', url: url.replace(':provider', 'google') };
};

let portal: TestPortal;
let app: FastifyInstance;
const roleUsers: { role: Role | 'operator' | 'without_company'; userId: string; companyId: string | undefined }[] = [];
beforeAll(async () => {
  portal = await openTestPortal();
  // Runs without the web app's build, whose files are public.
  app = await buildApp(portal.deps, {
    trustProxy: false,
    validateOutputs: true,
    distDir: '/nowhere',
    checkReady: async () => ({ database: true }),
    ...NO_JOBS,
  });
  await app.ready();
  const { db } = portal.deps.database;
  const createdAt = portal.deps.clock.now();
  for (const role of ['trader_owner', 'practice_admin', 'team_member', 'client', 'operator', 'without_company'] as const) {
    const [userId, companyId] = [randomUUID(), randomUUID()];
    await db.insert(users).values({ id: userId, email: `${role}@raw.example`, fullName: role, createdAt });
    if (role === 'operator') await makeOperator(portal, userId);
    const hasCompany = role !== 'operator' && role !== 'without_company';
    if (hasCompany) {
      const kind = role === 'trader_owner' ? 'trader' : role === 'client' ? 'client' : 'practice';
      await db.insert(companies).values({ id: companyId, kind, name: role, createdAt });
      await db.insert(memberships).values({ companyId, userId, role, createdAt });
    }
    roleUsers.push({ role, userId, companyId: hasCompany ? companyId : undefined });
  }
});
afterAll(async () => {
  await app.close();
  await portal.close();
});

async function createCookie(userId: string): Promise<string> {
  const { database, wallClock } = portal.deps;
  // Operators don't have access until they have confirmed a second factor. For others, it makes no difference.
  const secondFactor = { type: 'TOTP', reference: 'app', at: wallClock.now() } as const;
  const session = { userId, signInMethod: 'link', ip: '', userAgent: '', secondFactor } as const;
  return `portal_session=${await startSession(database.db, wallClock, session)}`;
}

describe('a route', () => {
  it('is in the contract or in this test’s list, which has no removed routes', () => {
    const calls = Object.values(ALL_ENDPOINTS).flatMap((api) =>
      Object.values<Endpoint>(api).map(({ method, path }) => `${method} /portal${path}`),
    );
    expect(listRecordedRoutes(app).toSorted()).toEqual([...calls, ...Object.keys(RAW_ROUTES)].toSorted());
  });

  it.each(listRoutesFor('anybody'))('that is public returns the same to everyone: %s', async (route) => {
    const visitorResponse = await app.inject(parseRoute(route));
    expect(visitorResponse.statusCode).toBeLessThan(400);
    for (const { userId } of roleUsers) {
      const response = await app.inject({ ...parseRoute(route), headers: { cookie: await createCookie(userId) } });
      expect([response.statusCode, response.body]).toEqual([visitorResponse.statusCode, visitorResponse.body]);
    }
  });

  it.each(listRoutesFor('practice'))('for a practice rejects everyone else: %s', async (route) => {
    const getStatus = async (companyId: string, cookie: string | undefined) => {
      const headers = cookie === undefined ? {} : { cookie };
      const response = await app.inject({
        ...parseRoute(route),
        query: { company_id: companyId, tax: 'vat' },
        headers,
        payloadAsStream: true,
      });
      response.stream().destroy();
      return response.statusCode;
    };
    expect(await getStatus(randomUUID(), undefined)).toBe(401);
    for (const { role, userId, companyId = randomUUID() } of roleUsers) {
      const isAllowed = role === 'practice_admin' || role === 'team_member';
      expect([role, await getStatus(companyId, await createCookie(userId))]).toEqual([role, isAllowed ? 200 : 404]);
      expect([role, await getStatus(randomUUID(), await createCookie(userId))]).toEqual([role, 404]);
    }
  });

  it.each(listRoutesFor('company'))('for a company and our operators rejects everyone else: %s', async (route) => {
    const getStatus = async (companyId: string | undefined, cookie: string | undefined) => {
      const query = companyId === undefined ? {} : { company_id: companyId };
      return (await app.inject({ ...parseRoute(route), query, headers: cookie === undefined ? {} : { cookie } })).statusCode;
    };
    const trader = roleUsers.find(({ role }) => role === 'trader_owner');
    expect(await getStatus(trader?.companyId, undefined)).toBe(401);
    for (const { role, userId, companyId } of roleUsers) {
      const cookie = await createCookie(userId);
      const isAllowed = role === 'trader_owner' || role === 'operator';
      // The request is rejected because it doesn't specify a file, which proves that access was granted.
      expect([role, await getStatus(trader?.companyId, cookie)]).toEqual([role, isAllowed ? 400 : 404]);
      if (companyId !== undefined && role !== 'trader_owner') expect([role, await getStatus(companyId, cookie)]).toEqual([role, 404]);
      if (role !== 'operator') expect([role, await getStatus(randomUUID(), cookie)]).toEqual([role, 404]);
      expect([role, await getStatus(undefined, cookie)]).toEqual([role, 400]);
    }
  });

  it.each(listRoutesFor('person'))('for a signed-in user rejects everyone else: %s', async (route) => {
    expect((await app.inject(parseRoute(route))).statusCode).toBe(401);
    for (const { role, userId } of roleUsers) {
      const response = await app.inject({ ...parseRoute(route), headers: { cookie: await createCookie(userId) } });
      expect([role, response.statusCode]).toEqual([role, 200]);
    }
  });

  it.each([
    ...listRoutesFor('owner’s file').map((route) => [route, 'trader_owner'] as const),
    ...listRoutesFor('administrator’s file').map((route) => [route, 'practice_admin'] as const),
  ])('for a file of one role rejects everyone else: %s, %s', async (route, allowedRole) => {
    const getStatus = async (companyId: string, userId: string | undefined) => {
      const headers = userId === undefined ? {} : { cookie: await createCookie(userId) };
      return (await app.inject({ ...parseRoute(route), query: { company_id: companyId }, headers })).statusCode;
    };
    const ownCompanyId = roleUsers.find(({ role }) => role === allowedRole)?.companyId ?? '';
    // A request that must specify a file is rejected if it doesn't, which proves that access was granted.
    const expectedStatus = MUST_BE_NAMED.has(route) ? 400 : 200;
    expect(await getStatus(ownCompanyId, undefined)).toBe(401);
    for (const { role, userId, companyId } of roleUsers) {
      expect([role, await getStatus(ownCompanyId, userId)]).toEqual([role, role === allowedRole ? expectedStatus : 404]);
      if (companyId !== undefined && role !== allowedRole) expect([role, await getStatus(companyId, userId)]).toEqual([role, 404]);
    }
  });

  it.each(listRoutesFor('operator'))('for operators rejects everyone else: %s', async (route) => {
    const getStatus = async (cookie: string | undefined) =>
      (await app.inject({ ...parseRoute(route), headers: cookie === undefined ? {} : { cookie } })).statusCode;
    expect(await getStatus(undefined)).toBe(401);
    for (const { role, userId } of roleUsers) {
      const expectedStatus = MUST_BE_NAMED.has(route) ? 400 : 200;
      expect([role, await getStatus(await createCookie(userId))]).toEqual([role, role === 'operator' ? expectedStatus : 404]);
    }
  });

  it.each(listRoutesFor('secret'))("with a secret in its URL rejects everyone who doesn't know it, signed in or not: %s", async (route) => {
    for (const file of ['guessed.ics', `${'a'.repeat(43)}.ics`, '.ics']) {
      for (const cookie of [undefined, ...(await Promise.all(roleUsers.map(({ userId }) => createCookie(userId))))]) {
        const headers = cookie === undefined ? {} : { cookie };
        const response = await app.inject({ ...parseRoute(route), url: parseRoute(route).url.replace(':file', file), headers });
        expect([file, response.statusCode]).toEqual([file, 404]);
      }
    }
  });

  it.each([
    ...listRoutesFor('owner').map((route) => [route, 'trader_owner'] as const),
    ...listRoutesFor('practice admin').map((route) => [route, 'practice_admin'] as const),
  ])('for one role rejects everyone else: %s, %s', async (route, allowedRole) => {
    const send = async (companyId: string | undefined, cookie: string | undefined) => {
      const query = { file_name: 'books.csv', tax_type: 'ct', ...(companyId === undefined ? {} : { company_id: companyId }) };
      const headers = { 'content-type': 'text/csv', ...(cookie === undefined ? {} : { cookie }) };
      const response = await app.inject({ ...parseRoute(route), query, headers, payload: 'date\n' });
      return response.statusCode;
    };
    const owner = roleUsers.find(({ role }) => role === allowedRole);
    expect(await send(owner?.companyId, undefined)).toBe(401);
    for (const { role, userId, companyId } of roleUsers) {
      const cookie = await createCookie(userId);
      // The owner's file is rejected for its content, which proves that access was granted.
      if (companyId !== undefined) expect([role, await send(companyId, cookie)]).toEqual([role, role === allowedRole ? 422 : 404]);
      if (role !== allowedRole) expect([role, await send(owner?.companyId, cookie)]).toEqual([role, 404]);
      expect([role, await send(undefined, cookie)]).toEqual([role, 400]);
      expect([role, await send(randomUUID(), cookie)]).toEqual([role, 404]);
    }
    const crossSiteHeaders = {
      'content-type': 'text/csv',
      'sec-fetch-site': 'cross-site',
      cookie: await createCookie(owner?.userId ?? ''),
    };
    const query = { file_name: 'books.csv', tax_type: 'ct', company_id: owner?.companyId ?? '' };
    expect((await app.inject({ ...parseRoute(route), query, headers: crossSiteHeaders, payload: 'date\n' })).statusCode).toBe(403);
  });

  it.each(listRoutesFor('beginning'))('that starts a sign-in links no account if the request came from elsewhere: %s', async (route) => {
    const { userId = '' } = roleUsers[0] ?? {};
    for (const headers of [{}, { cookie: await createCookie(userId), 'sec-fetch-site': 'cross-site' }]) {
      const response = await app.inject({ ...parseRoute(route), query: { link: '1' }, headers });
      expect([response.statusCode, response.headers['cache-control']]).toEqual([302, 'no-store']);
    }
    const linkedStates = await portal.deps.database.db.select({ linkTo: signInStates.linkTo }).from(signInStates);
    expect(linkedStates.filter(({ linkTo }) => linkTo !== null)).toEqual([]);
  });

  it.each(listRoutesFor('way back'))('that a provider redirects to does nothing without a state of this browser: %s', async (route) => {
    const query = { code: 'x', state: 'guessed' };
    const visitorResponse = await app.inject({ ...parseRoute(route), query });
    expect(visitorResponse.statusCode).toBe(302);
    expect(visitorResponse.headers.location).toMatch(/^\/portal\/(v2\/auth\/)?login(\?|$)/);
    expect(visitorResponse.cookies.filter(({ name }) => name.includes('session'))).toEqual([]);
    const { userId = '' } = roleUsers[0] ?? {};
    const response = await app.inject({ ...parseRoute(route), query, headers: { cookie: await createCookie(userId) } });
    expect([302, 404]).toContain(response.statusCode);
    expect(response.cookies.filter(({ name }) => name.includes('session'))).toEqual([]);
  });

  it.each(listRoutesFor('signature'))("for a provider's webhooks rejects unsigned requests, signed in or not: %s", async (route) => {
    const payload = JSON.stringify({ id: 'x', type: 'payout_executed', event_id: 'x', created_at: '2026-11-10T09:00:00Z' });
    for (const cookie of [undefined, ...(await Promise.all(roleUsers.map(({ userId }) => createCookie(userId))))]) {
      const headers = { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) };
      // GoCardless asks for status 498 (docs/reference/providers.md).
      const refusedStatus = route.endsWith('/gocardless') ? 498 : 401;
      expect((await app.inject({ ...parseRoute(route), headers, payload })).statusCode).toBe(refusedStatus);
    }
  });
});
