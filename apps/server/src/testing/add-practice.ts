/** A practice with members and clients for tests, written directly to the database. Other tests cover signing up through the API. */
import { randomUUID } from 'node:crypto';
import { clientMembers, clientRows, clients, companies, hmrcConnections, memberships, practices, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { SEARCHABLE_FIELDS, toSearchText } from '@portal/domain/clients/search-text.ts';
import type { ClientKind } from '@portal/domain/client-imports/imported-client.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { startSession } from '../http/session.ts';
import { type Browser, createBrowser } from './test-trader.ts';
import type { TestPortal } from './open-test-portal.ts';
import { sealTokens } from '../features/hmrc-connection/seal-tokens.ts';

export type TestPractice = {
  readonly companyId: string;
  readonly adminId: string;
  readonly memberId: string;
  readonly admin: Browser;
  readonly member: Browser;
  /** The two users' cookies, for streams. */
  readonly cookies: { readonly admin: string; readonly member: string };
};

/** Adds a practice with an admin and with a team_member who has no clients. */
export async function addPractice(portal: TestPortal): Promise<TestPractice> {
  const { db } = portal.deps.database;
  const createdAt = portal.deps.clock.now();
  const companyId = randomUUID();
  await db.insert(companies).values({ id: companyId, kind: 'practice', name: 'Oakline Accounting', createdAt });
  await db.insert(practices).values({ companyId, arn: 'AARN0000002', taxes: ['vat', 'paye', 'ct', 'sa'], updatedAt: createdAt });
  const add = async (role: 'practice_admin' | 'team_member') => {
    const id = randomUUID();
    await db.insert(users).values({ id, email: `${id}@oakline.example`, fullName: role, createdAt });
    await db.insert(memberships).values({ companyId, userId: id, role, createdAt });
    const session = await startSession(db, portal.deps.wallClock, { userId: id, signInMethod: 'link', ip: '', userAgent: '' });
    return { id, cookie: `portal_session=${session}` };
  };
  const [admin, member] = [await add('practice_admin'), await add('team_member')];
  return {
    companyId,
    adminId: admin.id,
    memberId: member.id,
    admin: createBrowser(portal, admin.cookie),
    member: createBrowser(portal, member.cookie),
    cookies: { admin: admin.cookie, member: member.cookie },
  };
}

export type NewClient = {
  readonly name?: string;
  readonly kind?: ClientKind;
  readonly taxes?: readonly Tax[];
  readonly vrn?: string;
  readonly nino?: string;
  readonly yearEndOn?: typeof clients.$inferInsert.yearEndOn;
};

const NO_DETAILS = Object.fromEntries(SEARCHABLE_FIELDS.map((field) => [field, null])) as Record<(typeof SEARCHABLE_FIELDS)[number], null>;

/** Adds a client with its row in the client list. Returns its id. */
export async function addClient(portal: TestPortal, companyId: string, facts: NewClient = {}): Promise<string> {
  const { db } = portal.deps.database;
  const now = portal.deps.clock.now();
  const id = randomUUID();
  const { name = `Client ${id.slice(0, 8)} Ltd`, kind = 'company', taxes = ['vat'], vrn = null, nino = null, yearEndOn = null } = facts;
  const taxFlags = {
    hasVat: taxes.includes('vat'),
    hasPaye: taxes.includes('paye'),
    hasCt: taxes.includes('ct'),
    hasSa: taxes.includes('sa'),
  };
  const companyFields = { companyId, name, kind, status: 'active' as const, vrn, ...taxFlags };
  await db.insert(clients).values({ ...companyFields, id, nino, yearEndOn, createdAt: now, updatedAt: now });
  await db.insert(clientRows).values({
    ...companyFields,
    clientId: id,
    sortName: name.toLowerCase(),
    nextDueOn: NEVER_DUE,
    attention: 'no_data',
    members: [],
    search: toSearchText({ ...NO_DETAILS, name, vrn, nino }),
  });
  return id;
}

/** Assigns a client to a member. */
export async function assignClient(portal: TestPortal, companyId: string, clientId: string, userId: string): Promise<void> {
  const assignedAt = portal.deps.clock.now();
  await portal.deps.database.db.insert(clientMembers).values({ companyId, clientId, userId, duty: 'manager', assignedAt });
}

/** Stores an HMRC connection, as authorisation would. */
export async function addHmrcConnection(
  portal: TestPortal,
  companyId: string,
  tokens: { accessToken: string; refreshToken: string },
): Promise<void> {
  const { clock, database } = portal.deps;
  await database.db.insert(hmrcConnections).values({
    companyId,
    status: 'connected',
    ...sealTokens(portal.deps, companyId, tokens),
    accessExpiresAt: addMilliseconds(clock.now(), 4 * 3_600_000),
    connectedAt: clock.now(),
  });
}
