/** Reports what a current or former member could see and what they did, from the append-only audit trail. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { teamApi } from '@portal/contract/team.ts';
import type { Db } from '@portal/db/database.ts';
import { auditEntries, clientMembers, clients, closedAccounts, formerMemberships, memberships, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, inArray, max, or, sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import { listAssignments, type AssignmentEvent } from '@portal/domain/team/list-assignments.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { toWirePermissions, toWireRole } from './team-access.ts';

type AccessReport = EndpointOutput<typeof teamApi.accessReport>;

const MAX_ENTRIES = 200;
/** The maximum number of clients listed in the report; `clients_total` has the full number. */
const MAX_CLIENTS = 1000;

export async function getAccessReport(
  { database: { db } }: AppDeps,
  { input, tenant }: Call<typeof teamApi.accessReport>,
): Promise<AccessReport> {
  const { practiceId: companyId } = tenant;
  const { user_id: userId } = input;
  const reportedMember = (await findMember(db, companyId, userId)) ?? (await findFormerMember(db, companyId, userId));
  if (!reportedMember) throw createNotFoundError();
  const seenClients = await listSeenClients(db, companyId, userId);
  const names = await loadClientNames(
    db,
    companyId,
    seenClients.slice(0, MAX_CLIENTS).map(({ clientId }) => clientId),
  );
  return {
    full_name: reportedMember.fullName,
    email: reportedMember.email,
    status: reportedMember.leftAt === null ? 'active' : 'deactivated',
    role: toWireRole(reportedMember.role),
    permissions: toWirePermissions(reportedMember),
    joined_at: reportedMember.joinedAt,
    left_at: reportedMember.leftAt,
    saw_all_clients: reportedMember.role === 'practice_admin' || (await wasAdmin(db, companyId, userId)),
    clients: seenClients.slice(0, MAX_CLIENTS).map(({ clientId, from, until }) => ({
      client_id: clientId,
      name: names.get(clientId) ?? null,
      from,
      // When users close their own account, their assignments end at the same time.
      until: until ?? reportedMember.leftAt,
    })),
    clients_total: seenClients.length,
    ...(await listActions(db, companyId, userId)),
  };
}

const PERSON_COLUMNS = { fullName: users.fullName, email: users.email } as const;

async function findMember(db: Db, companyId: string, userId: string) {
  const [memberRow] = await db
    .select({ ...PERSON_COLUMNS, role: memberships.role, permissions: memberships.permissions, joinedAt: memberships.createdAt })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId), inArray(memberships.role, PRACTICE_ROLES)));
  return memberRow && { ...memberRow, leftAt: null };
}

async function findFormerMember(db: Db, companyId: string, userId: string) {
  const { role, permissions, joinedAt, endedAt: leftAt } = formerMemberships;
  // The email address of a closed account is no longer in `users`.
  const email = sql<string>`coalesce(${closedAccounts.email}, ${users.email})`;
  const [memberRow] = await db
    .select({ fullName: users.fullName, email, role, permissions, joinedAt, leftAt })
    .from(formerMemberships)
    .innerJoin(users, eq(users.id, formerMemberships.userId))
    .leftJoin(closedAccounts, eq(closedAccounts.userId, formerMemberships.userId))
    .where(and(eq(formerMemberships.companyId, companyId), eq(formerMemberships.userId, userId)));
  return memberRow;
}

const ASSIGNMENT_ACTIONS = ['clients.assigned', 'clients.unassigned', 'clients.handed_over', 'clients.change_undone'];

async function listSeenClients(db: Db, companyId: string, userId: string) {
  const { after } = auditEntries;
  const entries = await db
    .select({ at: auditEntries.at, action: auditEntries.action, after })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, companyId),
        inArray(auditEntries.action, ASSIGNMENT_ACTIONS),
        or(sql`${after} ->> 'user_id' = ${userId}`, sql`${after} ->> 'from_user_id' = ${userId}`),
      ),
    )
    .orderBy(asc(auditEntries.sequence));
  const currentAssignments = await db
    .select({ clientId: clientMembers.clientId, duty: clientMembers.duty, at: clientMembers.assignedAt })
    .from(clientMembers)
    .where(and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, userId)));
  const events = entries.map(({ at, action, after: details }): AssignmentEvent => ({ at, action, ...(details as EntryDetails) }));
  return listAssignments(userId, events, currentAssignments);
}

/** Returns whether the user was an admin before their role changed. */
async function wasAdmin(db: Db, companyId: string, userId: string): Promise<boolean> {
  const { action, subject, before } = auditEntries;
  const [memberRow] = await db
    .select({ sequence: auditEntries.sequence })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, companyId),
        eq(subject, userId),
        eq(action, 'team.member_changed'),
        sql`${before} ->> 'role' = 'admin'`,
      ),
    )
    .limit(1);
  return memberRow !== undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The details in these actions' audit entries. */
type EntryDetails = Pick<AssignmentEvent, 'user_id' | 'from_user_id' | 'change' | 'duty' | 'client_ids'>;

async function loadClientNames(db: Db, companyId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, [...ids])));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function listActions(
  db: Db,
  companyId: string,
  userId: string,
): Promise<Pick<AccessReport, 'actions' | 'entries' | 'entries_total'>> {
  const isTheirs = and(eq(auditEntries.companyId, companyId), eq(auditEntries.actor, userId));
  const { action, at, subject, ip, after } = auditEntries;
  const actionCounts = await db
    .select({ action, count: sql`count(*)`.mapWith(Number), lastAt: max(at) })
    .from(auditEntries)
    .where(isTheirs)
    .groupBy(action)
    .orderBy(asc(action));
  const entries = await db
    .select({ at, action, subject, ip, clientId: sql<string | null>`${after} ->> 'client_id'` })
    .from(auditEntries)
    .where(isTheirs)
    .orderBy(desc(auditEntries.sequence))
    .limit(MAX_ENTRIES);
  // An entry's subject is its client, or a record whose client is among the entry's values.
  const ids = [...new Set(entries.flatMap((entry) => [entry.subject, entry.clientId]).filter((id) => id !== null && UUID.test(id)))];
  const names = await loadClientNames(db, companyId, ids as string[]);
  return {
    actions: actionCounts.map(({ lastAt, ...row }) => ({ ...row, last_at: lastAt as Instant })),
    entries: entries.map(({ clientId, ...entry }) => ({ ...entry, client: names.get(entry.subject) ?? names.get(clientId ?? '') ?? null })),
    entries_total: actionCounts.reduce((sum, { count }) => sum + count, 0),
  };
}
