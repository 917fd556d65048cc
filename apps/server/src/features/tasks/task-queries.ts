/** A user's open tasks: those of all their companies, with reason and deadline, and the user's own. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { PendingTask, tasksApi } from '@portal/contract/tasks.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, companies, hmrcConnections, identityChecks, memberships, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { prepareDashboard } from '../dashboard/get-dashboard.ts';
import { describeCompanyTasks } from './describe-company-tasks.ts';
import { describePersonTasks } from './describe-person-tasks.ts';

export function preparePendingTasks(deps: AppDeps): (userId: string) => Promise<EndpointOutput<typeof tasksApi.list>> {
  const { db } = deps.database;
  const getDashboard = prepareDashboard(deps);
  return async (userId) => {
    const today = deps.clock.today();
    const ownCompanies = await listOwnCompanies(db, userId);
    const person = await loadPersonFacts(db, userId);
    const companyTasks = await Promise.all(
      ownCompanies.map(async ({ companyId, consentEndsAt }) => {
        const dashboard = await getDashboard(companyId);
        const validUntil = dashboard.advance?.state === 'quoted' ? await findValidUntil(db, companyId, dashboard.advance.advance_id) : null;
        return describeCompanyTasks({ dashboard, consentEndsAt, validUntil, now: deps.clock.now() });
      }),
    );
    const tasks = [...companyTasks.flat(), ...describePersonTasks({ ...person, ownsCompany: ownCompanies.length > 0 })];
    return { today, tasks: tasks.toSorted(compareByUrgency) };
  };
}

/** Sorts overdue tasks first, then by date, then tasks without a date. */
function compareByUrgency(a: PendingTask, b: PendingTask): number {
  const getSortDay = (task: PendingTask): string => task.due_on ?? task.ends_at?.slice(0, 10) ?? '9999-12-31';
  return Number(b.overdue) - Number(a.overdue) || (getSortDay(a) < getSortDay(b) ? -1 : getSortDay(a) > getSortDay(b) ? 1 : 0);
}

function listOwnCompanies(db: Db, userId: string) {
  return db
    .select({ companyId: memberships.companyId, consentEndsAt: hmrcConnections.consentEndsAt })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, memberships.companyId))
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'trader_owner')))
    .orderBy(asc(companies.name), asc(companies.id));
}

async function findValidUntil(db: Db, companyId: string, advanceId: string) {
  const [found] = await db
    .select({ validUntil: advances.validUntil })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
  return found?.validUntil ?? null;
}

/** Uses the stored identity check, because counting tasks for a menu must not call the provider each time. */
async function loadPersonFacts(db: Db, userId: string) {
  const [[person], [membership], [check]] = await Promise.all([
    db
      .select({
        email: users.email,
        emailVerifiedAt: users.emailVerifiedAt,
        phone: users.phone,
        phoneVerifiedAt: users.phoneVerifiedAt,
        isOperator: users.isOperator,
      })
      .from(users)
      .where(eq(users.id, userId)),
    db.select({ companyId: memberships.companyId }).from(memberships).where(eq(memberships.userId, userId)).limit(1),
    db
      .select({ status: identityChecks.status })
      .from(identityChecks)
      .where(eq(identityChecks.userId, userId))
      .orderBy(desc(identityChecks.createdAt))
      .limit(1),
  ]);
  return {
    email: person?.email ?? '',
    isEmailVerified: (person?.emailVerifiedAt ?? null) !== null,
    phone: person?.phone ?? null,
    isPhoneVerified: (person?.phoneVerifiedAt ?? null) !== null,
    hasMembership: membership !== undefined,
    isOperator: person?.isOperator ?? false,
    identity: check?.status ?? ('not_started' as const),
  };
}
