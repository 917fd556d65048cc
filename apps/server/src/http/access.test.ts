/**
 * Tests access to every endpoint of the contract, for every kind of user, in their own company, in another company and without a company
 * (docs/product/decisions.md section 3).
 */
import type { CompanyKind, Role } from '@portal/domain/identity/roles.ts';
import { COMPANY_PERMISSIONS, type CompanyPermission } from '@portal/domain/company-people/company-access.ts';
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import { PERMISSIONS, type Permission } from '@portal/domain/team/permissions.ts';
import { randomUUID } from 'node:crypto';
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Access, Endpoint } from '@portal/contract/endpoint.ts';
import { clientPeople, companies, memberships, operators, users } from '@portal/db/schema/schema.ts';
import { OPERATOR_ROLES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addClient, addPractice } from '../testing/add-practice.ts';
import { makeInput } from '../testing/make-input.ts';
import { makeOperator } from '../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { startSession } from './session.ts';

/** The users that each access rule allows, from the product's roles matrix. Independent of policies.ts, which it verifies. */
const RULES: Readonly<Record<Access, Right>> = {
  public: 'everybody',
  signed_in: 'own account',
  'company.read': 'own company: see',
  'company.prepare': 'own company: prepare',
  'company.manage': 'own company: change',
  'company.people': 'own company: change',
  'company.leave': 'own company: leave',
  'company.file_return': 'own company: file_returns',
  'company.accept_advance': 'own company: accept_advances',
  'company.api': 'own company: change',
  'practice.read': 'clients of the practice',
  'practice.work': 'clients of the practice',
  'practice.export': 'practice: export',
  'practice.messages': 'practice: message_clients',
  'practice.invitations': 'practice: invite_clients',
  'practice.connections': 'practice: manage_connections',
  'practice.manage': 'practice: manage',
  'practice.clients': 'practice: manage',
  'practice.team': 'practice: manage',
  'practice.api': 'practice: manage',
  'client.read': 'clients of the practice',
  'client.work': 'clients of the practice',
  'client.figures': 'clients of the practice and themselves',
  'client.companies': 'clients of the practice and themselves',
  'client.papers': 'clients of the practice and themselves',
  'client.own': 'the client itself',
  'client.invite': 'practice: invite_clients',
  'client.connections': 'practice: manage_connections',
  'client.manage': 'practice: manage',
  'client.file_return': 'practice: file_returns',
  'client.propose_advance': 'practice: propose_advances',
  operator: 'staff',
  'operator.underwrite': 'staff: underwriter',
  'operator.release': 'staff: releaser',
  'operator.finance': 'staff: finance',
  'operator.screen': 'staff: mlro',
  'operator.manage': 'staff: administrator',
};

type Right =
  | 'everybody'
  | 'own account'
  | 'own company: see'
  | 'own company: leave'
  | 'own company: prepare'
  | 'own company: change'
  | `own company: ${CompanyPermission}`
  | 'clients of the practice'
  | 'clients of the practice and themselves'
  | 'the client itself'
  | 'practice: manage'
  | `practice: ${Permission}`
  | 'staff'
  | `staff: ${OperatorRole}`;

/**
 * `former operator`: disabled. `invited operator`: hasn't used the enrolment link. `operator without factor`: hasn't confirmed a second
 * factor in this session.
 */
const NO_OPERATORS = ['former operator', 'invited operator', 'operator without factor'] as const;
/** Team members with exactly one permission; `team_member` has none. */
const MEMBERS_WITH_PERMISSION = PERMISSIONS.map((permission) => `member with ${permission}` as const);
/** Users in a trader's company without permissions, and bookkeepers with exactly one. An accountant has a bookkeeper's rights. */
const TRADERS_STAFF = ['trader_bookkeeper', 'trader_viewer'] as const;
const BOOKKEEPERS = COMPANY_PERMISSIONS.map((permission) => `bookkeeper with ${permission}` as const);
const ACTORS = [
  'visitor',
  'trader_owner',
  ...TRADERS_STAFF,
  ...BOOKKEEPERS,
  'practice_admin',
  'team_member',
  ...MEMBERS_WITH_PERMISSION,
  'client',
  'without_company',
  ...OPERATOR_ROLES,
  ...NO_OPERATORS,
] as const;
type Person = (typeof ACTORS)[number];
const isOperatorRole = (person: Person): person is OperatorRole => (OPERATOR_ROLES as readonly string[]).includes(person);
const isStaff = (person: Person): boolean => isOperatorRole(person) || (NO_OPERATORS as readonly string[]).includes(person);
const TENANTS = ['own', 'other', 'none'] as const;
type Tenant = (typeof TENANTS)[number];
type AccessOutcome = 'allowed' | 'sign in' | 'not found' | 'badly formed' | 'role missing' | 'permission missing' | 'right missing';
const isMember = (person: Person): boolean => person === 'team_member' || person.startsWith('member with ');

const isOfTrader = (person: Person): boolean => person.startsWith('trader_') || person.startsWith('bookkeeper with ');

/** Returns whether a user in a trader's company who isn't an owner has this right. */
function isAllowedByOwner(right: Right, person: Person): boolean {
  if (right === 'own company: leave') return true;
  if (right === 'own company: prepare') return person !== 'trader_viewer';
  return right === `own company: ${person.slice('bookkeeper with '.length)}`;
}

/** Operators, and users without a company, don't have a company of their own. */
function getExpectedOutcome(right: Right, person: Person, tenant: Tenant): AccessOutcome {
  if (right === 'everybody') return 'allowed';
  if (person === 'visitor') return 'sign in';
  switch (right) {
    case 'own account':
      return 'allowed';
    case 'own company: see':
      if (tenant === 'none') return 'badly formed';
      return isOperatorRole(person) || (isOfTrader(person) && tenant === 'own') ? 'allowed' : 'not found';
    case 'own company: leave':
    case 'own company: prepare':
    case 'own company: change':
    case 'own company: file_returns':
    case 'own company: accept_advances':
      if (tenant === 'none') return 'badly formed';
      if (tenant === 'other' || !isOfTrader(person)) return 'not found';
      return person === 'trader_owner' || isAllowedByOwner(right, person) ? 'allowed' : 'right missing';
    // client-access.test.ts covers which clients a team_member can see.
    case 'clients of the practice':
      if (tenant === 'none') return 'badly formed';
      return (person === 'practice_admin' || isMember(person)) && tenant === 'own' ? 'allowed' : 'not found';
    case 'clients of the practice and themselves':
      if (tenant === 'none') return 'badly formed';
      return (person === 'practice_admin' || isMember(person) || person === 'client') && tenant === 'own' ? 'allowed' : 'not found';
    case 'the client itself':
      if (tenant === 'none') return 'badly formed';
      return person === 'client' && tenant === 'own' ? 'allowed' : 'not found';
    case 'practice: export':
    case 'practice: message_clients':
    case 'practice: manage_connections':
    case 'practice: invite_clients':
    case 'practice: file_returns':
    case 'practice: propose_advances':
      if (tenant === 'none') return 'badly formed';
      if (tenant === 'other' || !(person === 'practice_admin' || isMember(person))) return 'not found';
      return person === 'practice_admin' || right === `practice: ${person.slice('member with '.length)}` ? 'allowed' : 'permission missing';
    case 'practice: manage':
      if (tenant === 'none') return 'badly formed';
      return person === 'practice_admin' && tenant === 'own' ? 'allowed' : 'not found';
    case 'staff':
      return isOperatorRole(person) ? 'allowed' : 'not found';
    default:
      if (!isOperatorRole(person)) return 'not found';
      return right === `staff: ${person}` ? 'allowed' : 'role missing';
  }
}

const ENDPOINTS = Object.entries(ALL_ENDPOINTS).flatMap(([api, calls]) =>
  Object.entries<Endpoint>(calls).map(([name, endpoint]) => ({ name: `${api}.${name}`, endpoint, whole: makeInput(endpoint) })),
);

let portal: TestPortal;
const seededIds: { userIds: Map<Person, string>; companyIds: Map<Person, string>; otherCompanyId: string } = {
  userIds: new Map(),
  companyIds: new Map(),
  otherCompanyId: '',
};

beforeAll(async () => {
  portal = await openTestPortal();
  const { db } = portal.deps.database;
  const createdAt = portal.deps.clock.now();
  const addCompany = async (kind: CompanyKind): Promise<string> => {
    const id = randomUUID();
    await db.insert(companies).values({ id, kind, name: `${kind} ${id}`, createdAt });
    return id;
  };
  const add = async (
    person: Person,
    role: Role | undefined,
    kind: CompanyKind,
    permissions: readonly MembershipPermission[] = [],
  ): Promise<void> => {
    const id = randomUUID();
    await db.insert(users).values({ id, email: `${person.replaceAll(' ', '-')}@access.example`, fullName: person, createdAt });
    seededIds.userIds.set(person, id);
    if (isStaff(person)) await makeOperator(portal, id, isOperatorRole(person) ? [person] : OPERATOR_ROLES);
    if (person === 'former operator') await db.update(operators).set({ disabledAt: createdAt }).where(eq(operators.userId, id));
    if (person === 'invited operator') await db.update(operators).set({ enrolledAt: null }).where(eq(operators.userId, id));
    if (!role) return;
    const companyId = await addCompany(kind);
    await db.insert(memberships).values({ companyId, userId: id, role, permissions, createdAt });
    seededIds.companyIds.set(person, companyId);
  };
  await add('trader_owner', 'trader_owner', 'trader');
  for (const person of TRADERS_STAFF) await add(person, person, 'trader');
  for (const permission of COMPANY_PERMISSIONS) await add(`bookkeeper with ${permission}`, 'trader_bookkeeper', 'trader', [permission]);
  await add('practice_admin', 'practice_admin', 'practice');
  await add('team_member', 'team_member', 'practice');
  for (const permission of PERMISSIONS) await add(`member with ${permission}`, 'team_member', 'practice', [permission]);
  await add('client', undefined, 'practice');
  await addClientPerson();
  for (const person of [...OPERATOR_ROLES, ...NO_OPERATORS]) await add(person, undefined, 'trader');
  await add('without_company', undefined, 'trader');
  seededIds.otherCompanyId = await addCompany('trader');
});

/** The test user `client` belongs to a practice's client, and identifies it by the client's own ID. */
async function addClientPerson(): Promise<void> {
  const { companyId } = await addPractice(portal);
  const clientId = await addClient(portal, companyId);
  const userId = seededIds.userIds.get('client') ?? '';
  await portal.deps.database.db.insert(clientPeople).values({ companyId, clientId, userId, joinedAt: portal.deps.clock.now() });
  seededIds.companyIds.set('client', clientId);
}

afterAll(() => portal.close());

const sessions = new Map<Person, string>();

/** Returns the user's session, starting one if they don't have one. */
async function getSession(person: Person): Promise<string | undefined> {
  const userId = seededIds.userIds.get(person);
  const current = sessions.get(person);
  if (userId === undefined || current !== undefined) return current;
  const { database, wallClock } = portal.deps;
  const session = await startSession(database.db, wallClock, {
    userId,
    signInMethod: 'link',
    ip: '198.51.100.7',
    userAgent: '',
    // Operators' decisions need a recently confirmed second factor.
    ...(isStaff(person) && person !== 'operator without factor'
      ? { secondFactor: { type: 'TOTP', at: wallClock.now(), reference: '' } }
      : {}),
  });
  sessions.set(person, session);
  return session;
}

async function request(endpoint: Endpoint, person: Person, input: Record<string, unknown>) {
  const session = await getSession(person);
  return portal.app.inject({
    method: endpoint.method,
    url: `/portal${endpoint.path}`,
    ...(endpoint.method === 'GET' ? { query: input as Record<string, string> } : { payload: input }),
    headers: { 'idempotency-key': randomUUID(), ...(session ? { cookie: `portal_session=${session}` } : {}) },
  });
}

/** Sends the request as a user of a company and returns the outcome. */
async function send(endpoint: Endpoint, person: Person, input: Record<string, unknown>): Promise<AccessOutcome> {
  let response = await request(endpoint, person, input);
  // An earlier request may have ended the session, so try again with a new one.
  if (response.statusCode === 401 && sessions.delete(person)) response = await request(endpoint, person, input);
  const body = (response.body ? response.json() : {}) as { code?: string; message?: unknown };
  if (response.statusCode === 401) return 'sign in';
  if (response.statusCode === 403) {
    // Operators can access their own account, but can only change its factors once they have confirmed one.
    if (person === 'operator without factor' && endpoint.access === 'signed_in' && body.code === 'identity.factor_needed') return 'allowed';
    if (body.code === 'team.permission_missing') return 'permission missing';
    if (body.code === 'company_people.right_missing') return 'right missing';
    expect(body.code).toBe('operator.role_missing');
    return 'role missing';
  }
  if (response.statusCode === 404) {
    expect(body).toMatchObject({ code: 'request.not_found', message: 'Page not found.' });
    return 'not found';
  }
  const isBadlyFormed = hasTenant(endpoint) && JSON.stringify(body.message) === '{"company_id":"badly formed"}';
  return isBadlyFormed && input['company_id'] === undefined ? 'badly formed' : 'allowed';
}

/**
 * Access depends on the company alone. A request that must be allowed therefore contains nothing else and fails on the missing fields; a
 * request that must be rejected is complete and valid, so only the access rule can stop it.
 */
function buildInput(valid: Record<string, unknown>, companyId: string | undefined, expected: AccessOutcome): Record<string, unknown> {
  const { company_id: _, ...otherFields } = expected === 'allowed' ? {} : valid;
  return companyId === undefined ? otherFields : { ...otherFields, company_id: companyId };
}

function hasTenant({ access }: Endpoint): boolean {
  return /^(company|practice|client)\./.test(access);
}

const IN_ONE_PRACTICE: ReadonlySet<Person> = new Set(['practice_admin', 'team_member', ...MEMBERS_WITH_PERMISSION]);

describe('access', () => {
  it.each(ENDPOINTS)('follows the rule of $name for every user and company', async ({ endpoint, whole }) => {
    const [found, expected]: [Record<string, AccessOutcome>, Record<string, AccessOutcome>] = [{}, {}];
    for (const person of ACTORS) {
      for (const tenant of TENANTS) {
        const companyId = tenant === 'other' ? seededIds.otherCompanyId : tenant === 'own' ? seededIds.companyIds.get(person) : undefined;
        if (tenant === 'own' && companyId === undefined) continue;
        // A read without a practice refers to the user's only practice, if they belong to just one (resolve-tenant.ts).
        const isOnly = endpoint.method === 'GET' && /^(practice|client)\./.test(endpoint.access) && IN_ONE_PRACTICE.has(person);
        const outcome = getExpectedOutcome(RULES[endpoint.access], person, tenant === 'none' && isOnly ? 'own' : tenant);
        expected[`${person}, ${tenant}`] = outcome;
        found[`${person}, ${tenant}`] = await send(endpoint, person, buildInput(whole, companyId, outcome));
      }
    }
    expect(found).toEqual(expected);
  });

  it.each(ENDPOINTS)('tests $name with a valid input', ({ endpoint, whole }) => {
    expect(endpoint.input.safeParse(whole).error?.issues).toBeUndefined();
  });

  it.each(ENDPOINTS)(
    'gives $name a rule that matches its input and effect',
    ({ endpoint: { access, input, method, path, ...endpoint } }) => {
      const tenant = access.split('.')[0] ?? '';
      const {
        company_id: company,
        client_id: client,
        client_company_id: sameClient,
      } = input.shape as Record<string, z.core.$ZodType | undefined>;
      // Operators identify the trader by `company_id`. The sign-up steps look up the user's own company, as tested below.
      const isChecked =
        ['company', 'practice', 'client', 'operator'].includes(tenant) || (company && z.safeParse(company, undefined).success);
      expect(company === undefined || isChecked).toBe(true);
      // A client's own users pass the client's id as the company; the client search (`client.companies`) needs only the practice.
      if (tenant === 'client' && access !== 'client.own' && access !== 'client.companies') expect(client ?? sameClient).toBeDefined();
      if (method === 'POST') expect(['company.read', 'client.read']).not.toContain(access);
      if (endpoint.needsIdempotencyKey) expect(access).toMatch(/^operator$|\.(accept_advance|file_return|manage|release|finance)$/);
      expect(tenant === 'operator').toBe(path.startsWith('/operator/'));
    },
  );

  it.each([
    ['practice', 'practice.team', 'practice_admin'],
    ['company', 'company.people', 'trader_owner'],
  ] as const)(
    'lets no one grant or remove access to a %s with a session that hasn’t recently confirmed the user’s identity',
    async (_, rule, person) => {
      const calls = ENDPOINTS.filter(({ endpoint: { access, method } }) => access === rule && method === 'POST');
      expect(calls.length).toBeGreaterThan(3);
      const { database, wallClock } = portal.deps;
      const userId = seededIds.userIds.get(person) ?? '';
      const session = await startSession(database.db, wallClock, {
        userId,
        signInMethod: 'link',
        isConfirmed: false,
        ip: '',
        userAgent: '',
      });
      for (const { endpoint, whole } of calls) {
        const payload = { ...whole, company_id: seededIds.companyIds.get(person) };
        const headers = { cookie: `portal_session=${session}` };
        const response = await portal.app.inject({ method: 'POST', url: `/portal${endpoint.path}`, payload, headers });
        expect([endpoint.path, response.statusCode, (response.json() as { code: string }).code]).toEqual([
          endpoint.path,
          403,
          'identity.factor_needed',
        ]);
      }
    },
  );

  it('returns a JSON 401 to every request without a session, even if the browser prefers HTML', async () => {
    for (const { endpoint } of ENDPOINTS.filter(({ endpoint: { access } }) => access !== 'public')) {
      const response = await portal.app.inject({
        method: endpoint.method,
        url: `/portal${endpoint.path}`,
        headers: { accept: 'text/html' },
      });
      expect([response.statusCode, response.headers['content-type'], response.headers.location]).toEqual([
        401,
        'application/problem+json',
        undefined,
      ]);
    }
  });

  it('rejects every request from another site', async () => {
    for (const { endpoint } of ENDPOINTS.filter(({ endpoint: { method } }) => method === 'POST')) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const response = await portal.app.inject({ method: 'POST', url: `/portal${endpoint.path}`, payload: {}, headers });
        expect([response.statusCode, (response.json() as { code: string }).code]).toEqual([403, 'request.other_origin']);
      }
    }
  });

  it('hides another company in the sign-up steps from a user who names it', async () => {
    const userId = seededIds.userIds.get('trader_owner') ?? '';
    const { database, wallClock } = portal.deps;
    const session = await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
    const headers = { cookie: `portal_session=${session}` };
    const stepsResponse = await portal.app.inject({
      url: '/portal/instant-vat/steps',
      query: { company_id: seededIds.otherCompanyId },
      headers,
    });
    expect(stepsResponse.json()).toMatchObject({ company_id: null, company: null });
    const form = { company_id: seededIds.otherCompanyId, name: 'Mine Now Ltd', company_number: '09482716', vrn: '482193730' };
    const savedResponse = await portal.app.inject({ method: 'POST', url: '/portal/instant-vat/steps/company', payload: form, headers });
    expect(savedResponse.statusCode).toBe(404);
  });
});
