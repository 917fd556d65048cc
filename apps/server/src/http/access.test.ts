/** Who may make which call: every endpoint of the contract, as everybody, in their own company, in another's and in none (product.md section 3). */
import { randomUUID } from 'node:crypto';
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { companies, memberships, users, type CompanyKind, type Role } from '@portal/db/schema/schema.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { startSession } from './session.ts';

/** Rows of the matrix of product.md section 3 that have calls in this version. */
type Right =
  | 'public pages, sign-up'
  | 'own account'
  | 'own company: see'
  | 'own company: change'
  | 'clients of the practice: see'
  | 'practice: manage'
  | 'underwriting, payouts, ledger';

/** One line a call. A call without a line fails below. */
const MATRIX: Readonly<Record<string, Right>> = {
  'identity.checkLogin': 'public pages, sign-up',
  'identity.login': 'public pages, sign-up',
  'identity.signUp': 'public pages, sign-up',
  'identity.sendMagicLink': 'public pages, sign-up',
  'identity.lookAtLink': 'public pages, sign-up',
  'identity.consumeLink': 'public pages, sign-up',
  'identity.logout': 'public pages, sign-up',
  'identity.userCompanies': 'own account',
  'identity.companyName': 'own company: see',
  'identity.dashboardCompanyName': 'own company: see',
  'security.requestPasswordReset': 'public pages, sign-up',
  'security.resetPassword': 'public pages, sign-up',
  'security.finishSecondFactor': 'public pages, sign-up',
  'security.passkeySignInOptions': 'public pages, sign-up',
  'security.passkeySignIn': 'public pages, sign-up',
  'security.get': 'own account',
  'security.changePassword': 'own account',
  'security.endSession': 'own account',
  'security.beginAuthenticator': 'own account',
  'security.confirmAuthenticator': 'own account',
  'security.removeAuthenticator': 'own account',
  'security.beginPasskey': 'own account',
  'security.addPasskey': 'own account',
  'security.removePasskey': 'own account',
  'security.unlink': 'own account',
  'verification.savePhone': 'own account',
  'verification.sendEmailVerification': 'own account',
  'verification.sendPhoneVerification': 'own account',
  'verification.checkPhoneCode': 'own account',
  'verification.resendPhoneCode': 'own account',
  'companyLookUp.search': 'own account',
  'companyLookUp.chatVisitor': 'own account',
  'identityCheck.find': 'own account',
  'identityCheck.begin': 'own account',
  'onboarding.progress': 'own account',
  'onboarding.saveAbout': 'own account',
  'onboarding.saveCompany': 'own account',
  'onboarding.connectHmrc': 'own company: change',
  'onboarding.postponeHmrc': 'own company: change',
  'onboarding.saveBankAccount': 'own company: change',
  'books.current': 'own company: see',
  'dashboard.get': 'own company: see',
  'dashboard.refresh': 'own company: change',
  'vatReturns.get': 'own company: see',
  'vatReturns.transactions': 'own company: see',
  'vatReturns.file': 'own company: change',
  'vatReturns.resolve': 'own company: change',
  'advances.find': 'own company: see',
  'advances.quote': 'own company: change',
  'advances.accept': 'own company: change',
  'advances.confirmCollectionAccount': 'own company: change',
  'advances.withdraw': 'own company: change',
  'contact.details': 'public pages, sign-up',
  'contact.send': 'public pages, sign-up',
  'tasks.list': 'own account',
  'connections.list': 'own account',
  'positions.vatSummary': 'clients of the practice: see',
  'positions.payeSummary': 'clients of the practice: see',
  'positions.corpTaxSummary': 'clients of the practice: see',
  'positions.selfAssessmentSummary': 'clients of the practice: see',
  'positions.clientTaxes': 'clients of the practice: see',
  'positions.upcomingVat': 'clients of the practice: see',
  'positions.upcomingPaye': 'clients of the practice: see',
  'positions.upcomingCorp': 'clients of the practice: see',
  'positions.upcomingSelfAssessment': 'clients of the practice: see',
  'positions.vatMinimumYear': 'clients of the practice: see',
  'positions.payeMinimumYear': 'clients of the practice: see',
  'positions.vatReturns': 'clients of the practice: see',
  'positions.payeYear': 'clients of the practice: see',
  'positions.corpPeriods': 'clients of the practice: see',
  'positions.selfAssessmentPeriods': 'clients of the practice: see',
  'positions.selfAssessmentPayments': 'clients of the practice: see',
  'positions.vatPeriodEnd': 'clients of the practice: see',
  'positions.selfAssessmentClients': 'clients of the practice: see',
  'sync.syncData': 'clients of the practice: see',
  'sync.refreshingClients': 'clients of the practice: see',
  'sync.connectionStatus': 'clients of the practice: see',
  'sync.accountantConnections': 'clients of the practice: see',
  'sync.clientSyncData': 'clients of the practice: see',
  'sync.start': 'clients of the practice: see',
  'sync.retry': 'clients of the practice: see',
  'sync.cancel': 'practice: manage',
  'practice.progress': 'own account',
  'practice.create': 'own account',
  'practice.accountantProfile': 'clients of the practice: see',
  'practice.saveAccountantProfile': 'practice: manage',
  'practice.connectHmrc': 'practice: manage',
  'practice.postponeHmrc': 'practice: manage',
  'clients.list': 'clients of the practice: see',
  'clients.count': 'clients of the practice: see',
  'clients.find': 'clients of the practice: see',
  'clients.create': 'practice: manage',
  'clients.edit': 'practice: manage',
  'clients.setStatus': 'practice: manage',
  'clients.assign': 'practice: manage',
  'clients.change': 'practice: manage',
  'clients.changes': 'practice: manage',
  'clients.undoChange': 'practice: manage',
  'clients.members': 'clients of the practice: see',
  'clients.savedViews': 'clients of the practice: see',
  'clients.saveView': 'clients of the practice: see',
  'clients.changeView': 'clients of the practice: see',
  'clients.removeView': 'clients of the practice: see',
  'clientDashboard.profile': 'clients of the practice: see',
  'clientDashboard.companies': 'clients of the practice: see',
  'clientDashboard.notes': 'clients of the practice: see',
  'clientDashboard.addNote': 'clients of the practice: see',
  'clientDashboard.books': 'clients of the practice: see',
  'clientDashboard.sayBooks': 'clients of the practice: see',
  'clientDashboard.timeline': 'clients of the practice: see',
  'practiceDashboard.get': 'clients of the practice: see',
  'practiceDashboard.paye': 'clients of the practice: see',
  'practiceDashboard.corporationTax': 'clients of the practice: see',
  'practiceDashboard.selfAssessment': 'clients of the practice: see',
  'practiceDashboard.calendar': 'clients of the practice: see',
  'practiceDashboard.calendarDay': 'clients of the practice: see',
  'practiceDashboard.feed': 'clients of the practice: see',
  'practiceDashboard.makeFeed': 'clients of the practice: see',
  'practiceDashboard.revokeFeed': 'clients of the practice: see',
  'clientImports.info': 'practice: manage',
  'clientImports.rows': 'practice: manage',
  'clientImports.start': 'practice: manage',
  'clientImports.cancel': 'practice: manage',
  'clientImports.undo': 'practice: manage',
  'clientImports.resolve': 'practice: manage',
  'clientImports.fetchingNewClients': 'practice: manage',
  'taxStatements.list': 'practice: manage',
  'taxStatements.get': 'practice: manage',
  'taxStatements.rows': 'practice: manage',
  'taxStatements.start': 'practice: manage',
  'taxStatements.cancel': 'practice: manage',
  'authorisations.agentDetails': 'clients of the practice: see',
  'authorisations.send': 'clients of the practice: see',
  'authorisations.cancel': 'clients of the practice: see',
  'authorisations.check': 'clients of the practice: see',
  'partners.referrals': 'own account',
  'agent.find': 'own company: see',
  'agent.set': 'own company: change',
  'agent.end': 'own company: change',
  'operatorPartners.list': 'underwriting, payouts, ledger',
  'operatorPartners.addContact': 'underwriting, payouts, ledger',
  'operatorPartners.removeContact': 'underwriting, payouts, ledger',
  'operator.queues': 'underwriting, payouts, ledger',
  'operator.advance': 'underwriting, payouts, ledger',
  'operator.decide': 'underwriting, payouts, ledger',
  'operator.release': 'underwriting, payouts, ledger',
  'operator.retryPayout': 'underwriting, payouts, ledger',
  'operator.ledger': 'underwriting, payouts, ledger',
  'operatorMatters.list': 'underwriting, payouts, ledger',
  'operatorMatters.match': 'underwriting, payouts, ledger',
  'operatorMatters.recordReturn': 'underwriting, payouts, ledger',
  'operatorMatters.note': 'underwriting, payouts, ledger',
};

const PEOPLE = ['visitor', 'trader_owner', 'practice_admin', 'team_member', 'client', 'operator', 'without_company'] as const;
type Person = (typeof PEOPLE)[number];
const TENANTS = ['own', 'other', 'none'] as const;
type Tenant = (typeof TENANTS)[number];
type Verdict = 'allowed' | 'sign in' | 'nothing here' | 'badly formed';

/** The matrix in words of a machine. An operator and a person without a company have none of their own. */
function expectedOf(right: Right, person: Person, tenant: Tenant): Verdict {
  if (right === 'public pages, sign-up') return 'allowed';
  if (person === 'visitor') return 'sign in';
  switch (right) {
    case 'own account':
      return 'allowed';
    case 'own company: see':
      if (tenant === 'none') return 'badly formed';
      return person === 'operator' || (person === 'trader_owner' && tenant === 'own') ? 'allowed' : 'nothing here';
    case 'own company: change':
      if (tenant === 'none') return 'badly formed';
      return person === 'trader_owner' && tenant === 'own' ? 'allowed' : 'nothing here';
    // Which clients a team_member sees is tested beside the calls (features/sync/sync-routes.test.ts).
    case 'clients of the practice: see':
      if (tenant === 'none') return 'badly formed';
      return (person === 'practice_admin' || person === 'team_member') && tenant === 'own' ? 'allowed' : 'nothing here';
    case 'practice: manage':
      if (tenant === 'none') return 'badly formed';
      return person === 'practice_admin' && tenant === 'own' ? 'allowed' : 'nothing here';
    case 'underwriting, payouts, ledger':
      return person === 'operator' ? 'allowed' : 'nothing here';
  }
}

const ENDPOINTS = Object.entries(ALL_ENDPOINTS).flatMap(([api, calls]) =>
  Object.entries<Endpoint>(calls).map(([name, endpoint]) => ({ name: `${api}.${name}`, endpoint })),
);

let portal: TestPortal;
const world: { userOf: Map<Person, string>; ownOf: Map<Person, string>; other: string } = {
  userOf: new Map(),
  ownOf: new Map(),
  other: '',
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
  const add = async (person: Person, role: Role | undefined, kind: CompanyKind): Promise<void> => {
    const id = randomUUID();
    await db
      .insert(users)
      .values({ id, email: `${person}@access.example`, fullName: person, isOperator: person === 'operator', createdAt });
    world.userOf.set(person, id);
    if (!role) return;
    const companyId = await addCompany(kind);
    await db.insert(memberships).values({ companyId, userId: id, role, createdAt });
    world.ownOf.set(person, companyId);
  };
  await add('trader_owner', 'trader_owner', 'trader');
  await add('practice_admin', 'practice_admin', 'practice');
  await add('team_member', 'team_member', 'practice');
  await add('client', 'client', 'client');
  await add('operator', undefined, 'trader');
  await add('without_company', undefined, 'trader');
  world.other = await addCompany('trader');
});
afterAll(() => portal.close());

async function judge(endpoint: Endpoint, person: Person, companyId: string | undefined): Promise<Verdict> {
  const userId = world.userOf.get(person);
  const { database, wallClock } = portal.deps;
  // A session of its own for each call: some calls end it.
  const session =
    userId && (await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '198.51.100.7', userAgent: '' }));
  const input = companyId === undefined ? {} : { company_id: companyId };
  const answer = await portal.app.inject({
    method: endpoint.method,
    url: `/portal${endpoint.path}`,
    // Further fields are left out on purpose: whoever gets as far as having them missed was allowed to make the call.
    ...(endpoint.method === 'GET' ? { query: input } : { payload: input }),
    headers: { 'idempotency-key': randomUUID(), ...(session ? { cookie: `portal_session=${session}` } : {}) },
  });
  const body = (answer.body ? answer.json() : {}) as { code?: string; message?: unknown };
  if (answer.statusCode === 401) return 'sign in';
  expect(answer.statusCode).not.toBe(403);
  if (answer.statusCode === 404) {
    expect(body).toMatchObject({ code: 'request.not_found', message: 'There is nothing here for you.' });
    return 'nothing here';
  }
  const isTenants = /^(company|practice|client)\./.test(endpoint.access);
  return isTenants && companyId === undefined && JSON.stringify(body.message) === '{"company_id":"badly formed"}'
    ? 'badly formed'
    : 'allowed';
}

const IN_ONE_PRACTICE: ReadonlySet<Person> = new Set(['practice_admin', 'team_member']);

describe('access', () => {
  it('has a line in the matrix for every call, and none for a call that is gone', () => {
    expect(Object.keys(MATRIX).sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
  });

  it.each(ENDPOINTS)('to $name is as the matrix says, for everybody, in every company', async ({ name, endpoint }) => {
    const right = MATRIX[name] ?? 'underwriting, payouts, ledger';
    const [found, expected]: [Record<string, Verdict>, Record<string, Verdict>] = [{}, {}];
    for (const person of PEOPLE) {
      for (const tenant of TENANTS) {
        const companyId = tenant === 'other' ? world.other : tenant === 'own' ? world.ownOf.get(person) : undefined;
        if (tenant === 'own' && companyId === undefined) continue;
        found[`${person}, ${tenant}`] = await judge(endpoint, person, companyId);
        // A read of whoever works in one practice is of that one where none is named (name-tenant.ts).
        const isOnly = endpoint.method === 'GET' && /^(practice|client)\./.test(endpoint.access) && IN_ONE_PRACTICE.has(person);
        expected[`${person}, ${tenant}`] = expectedOf(right, person, tenant === 'none' && isOnly ? 'own' : tenant);
      }
    }
    expect(found).toEqual(expected);
  });

  it('is asked for in JSON by every call without a session, whatever the browser would rather have', async () => {
    for (const { endpoint } of ENDPOINTS.filter(({ endpoint: { access } }) => access !== 'public')) {
      const answer = await portal.app.inject({ method: endpoint.method, url: `/portal${endpoint.path}`, headers: { accept: 'text/html' } });
      expect([answer.statusCode, answer.headers['content-type'], answer.headers.location]).toEqual([
        401,
        'application/problem+json',
        undefined,
      ]);
    }
  });

  it('is refused to whatever another site sends', async () => {
    for (const { endpoint } of ENDPOINTS.filter(({ endpoint: { method } }) => method === 'POST')) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const answer = await portal.app.inject({ method: 'POST', url: `/portal${endpoint.path}`, payload: {}, headers });
        expect([answer.statusCode, (answer.json() as { code: string }).code]).toEqual([403, 'request.other_origin']);
      }
    }
  });

  it('shows nothing of another company in the steps of a person who names it', async () => {
    const userId = world.userOf.get('trader_owner') ?? '';
    const { database, wallClock } = portal.deps;
    const session = await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
    const headers = { cookie: `portal_session=${session}` };
    const steps = await portal.app.inject({ url: '/portal/instant-vat/steps', query: { company_id: world.other }, headers });
    expect(steps.json()).toMatchObject({ company_id: null, company: null });
    const form = { company_id: world.other, name: 'Mine Now Ltd', company_number: '09482716', vrn: '482193730' };
    const saved = await portal.app.inject({ method: 'POST', url: '/portal/instant-vat/steps/company', payload: form, headers });
    expect(saved.statusCode).toBe(404);
  });
});
