/**
 * Tests which clients a user in a practice can access: every client endpoint of the contract, as an admin and as a team member, for every
 * kind of client (docs/product/decisions.md section 3).
 */
import { randomUUID } from 'node:crypto';
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Access, Endpoint } from '@portal/contract/endpoint.ts';
import { memberships } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { PERMISSIONS } from '@portal/domain/team/permissions.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient } from '../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';

/** Endpoints for a client's own users take no client other than the company, and are tested with them (client-portal.test.ts). */
const OWN_CALLS: readonly Access[] = ['client.own', 'client.companies'];
const CLIENT_CALLS = Object.entries(ALL_ENDPOINTS).flatMap(([api, calls]) =>
  Object.entries<Endpoint>(calls).flatMap(([name, endpoint]) =>
    endpoint.access.startsWith('client.') && !OWN_CALLS.includes(endpoint.access) ? [{ name: `${api}.${name}`, endpoint }] : [],
  ),
);

const EXPECTED = {
  'admin, a client assigned to someone': 'allowed',
  'admin, a client assigned to no one': 'allowed',
  'admin, another practice’s client': 'not found',
  'admin, no client': 'not found',
  'team member, a client assigned to them': 'allowed',
  'team member, a client assigned to no one': 'not found',
  'team member, another practice’s client': 'not found',
  'team member, no client': 'not found',
  'stranger, a client assigned to someone': 'not found',
} as const;

/** Returns true for practice endpoints that only admins can call. */
const isForAdmins = ({ access }: Endpoint): boolean => access === 'client.manage';

const getExpected = (endpoint: Endpoint): Readonly<Record<string, string>> =>
  isForAdmins(endpoint) ? { ...EXPECTED, 'team member, a client assigned to them': 'not found' } : EXPECTED;

/** Returns whether a read needs only the client and perhaps a year. A return must exist before it can be read (features/client-returns). */
const isWithoutMore = ({ method, input }: Endpoint): boolean =>
  method === 'GET' && input.safeParse({ company_id: randomUUID(), client_id: randomUUID(), tax_year: '2026' }).success;

let portal: TestPortal;
let seededIds: {
  readonly companyId: string;
  readonly clients: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
};

beforeAll(async () => {
  portal = await openTestPortal();
  const [practice, otherPractice] = [await addPractice(portal), await addPractice(portal)];
  const [assignedId, unassignedId] = [await addClient(portal, practice.companyId), await addClient(portal, practice.companyId)];
  await assignClient(portal, practice.companyId, assignedId, practice.memberId);
  // Permissions are tested elsewhere (access.test.ts); here, only the client decides.
  await portal.deps.database.db.update(memberships).set({ permissions: PERMISSIONS }).where(eq(memberships.userId, practice.memberId));
  seededIds = {
    companyId: practice.companyId,
    cookies: { admin: practice.cookies.admin, 'team member': practice.cookies.member, stranger: otherPractice.cookies.admin },
    clients: {
      'a client assigned to someone': assignedId,
      'a client assigned to them': assignedId,
      'a client assigned to no one': unassignedId,
      'another practice’s client': await addClient(portal, otherPractice.companyId),
      'no client': randomUUID(),
    },
  };
});
afterAll(() => portal.close());

type ClientNames = { readonly client_id?: string; readonly client_company_id?: string };

async function requestOutcome({ method, path }: Endpoint, cookie: string, input: ClientNames): Promise<'allowed' | 'not found'> {
  const body = { company_id: seededIds.companyId, ...input };
  const response = await portal.app.inject({
    method,
    url: `/portal${path}`,
    // Other fields are omitted on purpose: a validation error proves that the request passed the access check.
    ...(method === 'GET' ? { query: body } : { payload: body }),
    headers: { cookie, 'idempotency-key': randomUUID() },
  });
  expect([401, 403]).not.toContain(response.statusCode);
  const isNotFound = response.statusCode === 404 && (response.json() as { code: string }).code === 'request.not_found';
  return isNotFound ? 'not found' : 'allowed';
}

describe('access to clients', () => {
  it('applies to several endpoints', () => {
    expect(CLIENT_CALLS.length).toBeGreaterThan(3);
  });

  it.each(CLIENT_CALLS)('gives an admin all clients and a team member the assigned ones in $name', async ({ endpoint }) => {
    const found: Record<string, string> = {};
    for (const line of Object.keys(EXPECTED)) {
      const [person = '', ...client] = line.split(', ');
      found[line] = await requestOutcome(endpoint, seededIds.cookies[person] ?? '', {
        client_id: seededIds.clients[client.join(', ')] ?? '',
      });
    }
    expect(found).toEqual(getExpected(endpoint));
  });

  it.each(CLIENT_CALLS)('accepts either name of the client in $name, and denies access if the two differ', async ({ endpoint }) => {
    const cookie = seededIds.cookies[isForAdmins(endpoint) ? 'admin' : 'team member'] ?? '';
    const assignedClientId = seededIds.clients['a client assigned to them'] ?? '';
    const otherClient = seededIds.clients[isForAdmins(endpoint) ? 'another practice’s client' : 'a client assigned to no one'] ?? '';
    const inputs: readonly ClientNames[] = [
      { client_company_id: assignedClientId },
      { client_id: assignedClientId, client_company_id: assignedClientId },
      { client_company_id: otherClient },
      { client_id: otherClient, client_company_id: assignedClientId },
      { client_id: assignedClientId, client_company_id: otherClient },
    ];
    const found = [];
    for (const input of inputs) found.push(await requestOutcome(endpoint, cookie, input));
    expect(found).toEqual(['allowed', 'allowed', 'not found', 'not found', 'not found']);
  });

  it.each(CLIENT_CALLS.filter(({ endpoint }) => isWithoutMore(endpoint)))(
    'accepts $name without the practice, and with the client named as the company',
    async ({ endpoint: { path } }) => {
      const assignedClientId = seededIds.clients['a client assigned to them'] ?? '';
      const apiQuery = async (query: Record<string, string>): Promise<unknown> => {
        const fullQuery = { tax_year: '2026', ...query };
        const headers = { cookie: seededIds.cookies['team member'] ?? '' };
        const response = await portal.app.inject({ method: 'GET', url: `/portal${path}`, query: fullQuery, headers });
        return {
          status: response.statusCode,
          body: response.statusCode === 200 ? response.json() : (response.json() as { code: string }).code,
        };
      };
      const completeInput = await apiQuery({ company_id: seededIds.companyId, client_id: assignedClientId });
      expect(completeInput).toMatchObject({ status: 200 });
      expect(await apiQuery({ client_company_id: assignedClientId })).toEqual(completeInput);
      expect(await apiQuery({ company_id: assignedClientId })).toEqual(completeInput);
      const notFoundResponse = { status: 404, body: 'request.not_found' };
      for (const client of ['a client assigned to no one', 'another practice’s client', 'no client']) {
        expect(await apiQuery({ client_id: seededIds.clients[client] ?? '' })).toEqual(notFoundResponse);
        expect(await apiQuery({ company_id: seededIds.clients[client] ?? '' })).toEqual(notFoundResponse);
      }
    },
  );

  it.each(['client-companies', 'paye-dashboard', 'corp-dashboard', 'self-assessment-dashboard', 'export-table'])(
    'lets a member of one practice call %s without a company, as docs/product/specification.md lists it',
    async (name) => {
      const apiQuery = (cookie: string | undefined) =>
        portal.app.inject({ method: 'GET', url: `/portal/open-tax/${name}`, headers: cookie === undefined ? {} : { cookie } });
      expect((await apiQuery(seededIds.cookies['team member'])).statusCode).toBe(200);
      expect((await apiQuery(undefined)).statusCode).toBe(401);
    },
  );
});
