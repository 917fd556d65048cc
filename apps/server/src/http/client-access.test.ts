/** Which clients a person of a practice reaches: every client call of the contract, as an admin and as a team member, for every kind of client (product.md section 3). */
import { randomUUID } from 'node:crypto';
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient } from '../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';

const CLIENT_CALLS = Object.entries(ALL_ENDPOINTS).flatMap(([api, calls]) =>
  Object.entries<Endpoint>(calls).flatMap(([name, endpoint]) =>
    endpoint.access.startsWith('client.') ? [{ name: `${api}.${name}`, endpoint }] : [],
  ),
);

const EXPECTED = {
  'admin, a client assigned to somebody': 'allowed',
  'admin, a client assigned to nobody': 'allowed',
  'admin, another practice’s client': 'nothing here',
  'admin, no client': 'nothing here',
  'team member, a client assigned to them': 'allowed',
  'team member, a client assigned to nobody': 'nothing here',
  'team member, another practice’s client': 'nothing here',
  'team member, no client': 'nothing here',
  'stranger, a client assigned to somebody': 'nothing here',
} as const;

let portal: TestPortal;
let world: {
  readonly companyId: string;
  readonly clients: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
};

beforeAll(async () => {
  portal = await openTestPortal();
  const [own, other] = [await addPractice(portal), await addPractice(portal)];
  const [assigned, unassigned] = [await addClient(portal, own.companyId), await addClient(portal, own.companyId)];
  await assignClient(portal, own.companyId, assigned, own.memberId);
  world = {
    companyId: own.companyId,
    cookies: { admin: own.cookies.admin, 'team member': own.cookies.member, stranger: other.cookies.admin },
    clients: {
      'a client assigned to somebody': assigned,
      'a client assigned to them': assigned,
      'a client assigned to nobody': unassigned,
      'another practice’s client': await addClient(portal, other.companyId),
      'no client': randomUUID(),
    },
  };
});
afterAll(() => portal.close());

type Named = { readonly client_id?: string; readonly client_company_id?: string };

async function judge({ method, path }: Endpoint, cookie: string, named: Named): Promise<'allowed' | 'nothing here'> {
  const body = { company_id: world.companyId, ...named };
  const answer = await portal.app.inject({
    method,
    url: `/portal${path}`,
    // Further fields are left out on purpose: whoever gets as far as having them missed was allowed to make the call.
    ...(method === 'GET' ? { query: body } : { payload: body }),
    headers: { cookie, 'idempotency-key': randomUUID() },
  });
  expect([401, 403]).not.toContain(answer.statusCode);
  const isNothing = answer.statusCode === 404 && (answer.json() as { code: string }).code === 'request.not_found';
  return isNothing ? 'nothing here' : 'allowed';
}

describe('access to clients', () => {
  it('is asked of some calls', () => {
    expect(CLIENT_CALLS.length).toBeGreaterThan(3);
  });

  it.each(CLIENT_CALLS)('by $name is the admin’s to all of the practice, a team member’s to the assigned ones', async ({ endpoint }) => {
    const found: Record<string, string> = {};
    for (const line of Object.keys(EXPECTED)) {
      const [person = '', ...client] = line.split(', ');
      found[line] = await judge(endpoint, world.cookies[person] ?? '', { client_id: world.clients[client.join(', ')] ?? '' });
    }
    expect(found).toEqual(EXPECTED);
  });

  it.each(CLIENT_CALLS)(
    'by $name is the same by either name of the client, and nobody’s where the two names differ',
    async ({ endpoint }) => {
      const cookie = world.cookies['team member'] ?? '';
      const own = world.clients['a client assigned to them'] ?? '';
      const other = world.clients['a client assigned to nobody'] ?? '';
      const namings: readonly Named[] = [
        { client_company_id: own },
        { client_id: own, client_company_id: own },
        { client_company_id: other },
        { client_id: other, client_company_id: own },
        { client_id: own, client_company_id: other },
      ];
      const found = [];
      for (const named of namings) found.push(await judge(endpoint, cookie, named));
      expect(found).toEqual(['allowed', 'allowed', 'nothing here', 'nothing here', 'nothing here']);
    },
  );

  it.each(CLIENT_CALLS.filter(({ endpoint }) => endpoint.method === 'GET'))(
    'by $name is the same where the practice is left out, and where the client is named as the company',
    async ({ endpoint: { path } }) => {
      const own = world.clients['a client assigned to them'] ?? '';
      const ask = async (query: Record<string, string>): Promise<unknown> => {
        const asked = { tax_year: '2026', ...query };
        const headers = { cookie: world.cookies['team member'] ?? '' };
        const answer = await portal.app.inject({ method: 'GET', url: `/portal${path}`, query: asked, headers });
        return { status: answer.statusCode, body: answer.statusCode === 200 ? answer.json() : (answer.json() as { code: string }).code };
      };
      const whole = await ask({ company_id: world.companyId, client_id: own });
      expect(whole).toMatchObject({ status: 200 });
      expect(await ask({ client_company_id: own })).toEqual(whole);
      expect(await ask({ company_id: own })).toEqual(whole);
      const nothing = { status: 404, body: 'request.not_found' };
      for (const client of ['a client assigned to nobody', 'another practice’s client', 'no client']) {
        expect(await ask({ client_id: world.clients[client] ?? '' })).toEqual(nothing);
        expect(await ask({ company_id: world.clients[client] ?? '' })).toEqual(nothing);
      }
    },
  );

  it.each(['client-companies', 'paye-dashboard', 'corp-dashboard', 'self-assessment-dashboard', 'export-table'])(
    'needs no company for %s, which the specification lists without one, of whoever is in one practice',
    async (name) => {
      const ask = (cookie: string | undefined) =>
        portal.app.inject({ method: 'GET', url: `/portal/open-tax/${name}`, headers: cookie === undefined ? {} : { cookie } });
      expect((await ask(world.cookies['team member'])).statusCode).toBe(200);
      expect((await ask(undefined)).statusCode).toBe(401);
    },
  );
});
