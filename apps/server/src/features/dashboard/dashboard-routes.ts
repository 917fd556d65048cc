import type { dashboardApi } from '@portal/contract/dashboard.ts';
import { sortTasks } from '@portal/domain/tasks/list-company-tasks.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { quoteFoundReturns } from '../advances/quote-found-returns.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import { filterTasks } from '../tasks/filter-tasks.ts';
import { prepareUserTasks } from '../tasks/person-tasks.ts';
import { prepareDashboard } from './get-dashboard.ts';

export function dashboardHandlers(deps: AppDeps): Handlers<typeof dashboardApi> {
  const getDashboard = prepareDashboard(deps);
  const listPersonTasks = prepareUserTasks(deps.database.db);
  return {
    get: async ({ tenant, actor }) => {
      const [dashboard, personTasks] = await Promise.all([getDashboard(tenant.companyId), listPersonTasks(actor.userId)]);
      return { ...dashboard, tasks: sortTasks([...filterTasks(dashboard.tasks, actor), ...personTasks]) };
    },
    refresh: async ({ tenant, actor, caller }) => {
      const outcome = await refreshHmrc(deps, tenant.companyId, { actor, caller });
      // Quotes found returns now, so that the page shows the offer. If this process stops before then, a job does it.
      await quoteFoundReturns(deps, tenant.companyId);
      return outcome;
    },
  };
}
