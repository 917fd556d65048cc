/** A practice's details, the user's role in it and its sign-up progress. */
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import type { StepStatus } from '@portal/contract/scalars.ts';
import { PRACTICE_STEPS, type PracticeProgress, type PracticeStep, type practiceApi } from '@portal/contract/practice.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientMembers, clients, companies, hmrcConnections, memberships, practices, users } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, desc, eq, inArray, sql } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { getHmrcConnectionStatus } from '../connections/connection-status.ts';
import { toWirePermissions, toWireRole } from '../team/team-access.ts';

type Profile = EndpointOutput<typeof practiceApi.accountantProfile>;

export async function getAccountantProfile(db: Db, companyId: string, actor: Actor, now: Instant): Promise<Profile> {
  const row = await findPractice(db, actor.userId, companyId);
  if (!row) throw createNotFoundError();
  return {
    company_id: companyId,
    full_name: row.fullName,
    email: row.email,
    role: toWireRole(row.role),
    permissions: toWirePermissions(row),
    ...toPracticeDetails(row),
    hmrc: toConnectionStatus(row, now),
  };
}

/** Finds the sign-up progress of a user's practice: the given one, or else the newest. Without a practice, every step is open. */
export async function findPracticeProgress(db: Db, userId: string, companyId: string | undefined, now: Instant): Promise<PracticeProgress> {
  const row = await findPractice(db, userId, companyId);
  if (!row) {
    const steps = PRACTICE_STEPS.map((step) => ({ step, status: 'todo' as const }));
    const hmrc = { status: 'not_connected' as const, connected_at: null, ends_at: null };
    return { company_id: null, role: null, steps, next_step: 'practice', practice: null, hmrc, clients: 0 };
  }
  const { members, clientCount } = await countMembersAndClients(db, row, userId);
  const stepStatuses: Record<PracticeStep, StepStatus> = {
    practice: 'done',
    arn: row.practice?.arn ? 'done' : 'todo',
    hmrc: row.hmrc?.status === 'connected' ? 'done' : isPostponedOrDeclined(row.hmrc?.status) ? 'later' : 'todo',
    taxes: (row.practice?.taxes.length ?? 0) > 0 ? 'done' : 'todo',
    import: clientCount > 0 ? 'done' : 'todo',
    team: members > 1 ? 'done' : 'todo',
  };
  return {
    company_id: row.company.id,
    role: toWireRole(row.role),
    steps: PRACTICE_STEPS.map((step) => ({ step, status: stepStatuses[step] })),
    // "team" is never the next step, because a practice may have no colleagues.
    next_step: PRACTICE_STEPS.find((step) => step !== 'team' && stepStatuses[step] === 'todo') ?? null,
    practice: toPracticeDetails(row),
    hmrc: toConnectionStatus(row, now),
    clients: clientCount,
  };
}

type PracticeRow = NonNullable<Awaited<ReturnType<typeof findPractice>>>;

async function findPractice(db: Db, userId: string, companyId: string | undefined) {
  const [row] = await db
    .select({
      role: memberships.role,
      permissions: memberships.permissions,
      fullName: users.fullName,
      email: users.email,
      company: companies,
      practice: practices,
      hmrc: hmrcConnections,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(practices, eq(practices.companyId, memberships.companyId))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, memberships.companyId))
    .where(
      and(
        eq(memberships.userId, userId),
        inArray(memberships.role, [...PRACTICE_ROLES]),
        companyId === undefined ? undefined : eq(memberships.companyId, companyId),
      ),
    )
    .orderBy(desc(memberships.createdAt))
    .limit(1);
  return row;
}

/** Counts the members and the clients that this user can see. */
async function countMembersAndClients(db: Db, row: PracticeRow, userId: string): Promise<{ members: number; clientCount: number }> {
  const companyId = row.company.id;
  const count = sql<number>`count(*)::int`;
  const [membersRow] = await db.select({ count }).from(memberships).where(eq(memberships.companyId, companyId));
  const [clientsRow] =
    row.role === 'practice_admin'
      ? await db.select({ count }).from(clients).where(eq(clients.companyId, companyId))
      : await db
          .select({ count: sql<number>`count(distinct ${clientMembers.clientId})::int` })
          .from(clientMembers)
          .where(and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, userId)));
  return { members: membersRow?.count ?? 0, clientCount: clientsRow?.count ?? 0 };
}

function toConnectionStatus({ hmrc }: Pick<PracticeRow, 'hmrc'>, now: Instant): Profile['hmrc'] {
  return { status: getHmrcConnectionStatus(hmrc, now), connected_at: hmrc?.connectedAt ?? null, ends_at: hmrc?.consentEndsAt ?? null };
}

function toPracticeDetails({ company, practice }: Pick<PracticeRow, 'company' | 'practice'>) {
  return {
    name: company.name,
    company_number: company.companyNumber,
    arn: practice?.arn ?? null,
    agent_code_ct: practice?.agentCodeCt ?? null,
    agent_code_paye: practice?.agentCodePaye ?? null,
    agent_code_sa: practice?.agentCodeSa ?? null,
    taxes: [...(practice?.taxes ?? [])],
    address: practice?.address ? { lines: [...practice.address.lines], postcode: practice.address.postcode } : null,
    lead_days: practice?.leadDays ?? {},
  };
}

/** A user who postponed or declined has decided, so sign-up doesn't return to this step. */
function isPostponedOrDeclined(status: string | undefined): boolean {
  return status === 'postponed' || status === 'declined';
}
