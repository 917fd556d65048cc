/** A user's open tasks: their own and those of all their companies. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { tasksApi } from '@portal/contract/tasks.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, memberships } from '@portal/db/schema/schema.ts';
import { TRADER_ROLES } from '@portal/domain/identity/roles.ts';
import { sortTasks } from '@portal/domain/tasks/list-company-tasks.ts';
import { and, asc, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { prepareDashboard } from '../dashboard/get-dashboard.ts';
import { filterTasks } from './filter-tasks.ts';
import { prepareUserTasks } from './person-tasks.ts';

export function preparePendingTasks(deps: AppDeps): (userId: string) => Promise<EndpointOutput<typeof tasksApi.list>> {
  const { db } = deps.database;
  const getDashboard = prepareDashboard(deps);
  const listPersonTasks = prepareUserTasks(db);
  return async (userId) => {
    const [ownCompanies, personTasks] = await Promise.all([listOwnCompanies(db, userId), listPersonTasks(userId)]);
    const companyTasks = await Promise.all(
      ownCompanies.map(async ({ companyId, ...access }) => filterTasks((await getDashboard(companyId)).tasks, access)),
    );
    return { today: deps.clock.today(), tasks: sortTasks([...companyTasks.flat(), ...personTasks]) };
  };
}

function listOwnCompanies(db: Db, userId: string) {
  return db
    .select({ companyId: memberships.companyId, role: memberships.role, permissions: memberships.permissions })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(eq(memberships.userId, userId), inArray(memberships.role, TRADER_ROLES)))
    .orderBy(asc(companies.name), asc(companies.id));
}
