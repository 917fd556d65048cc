import type { dashboardApi } from '@portal/contract/dashboard.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { quoteFoundReturns } from '../advances/quote-found-returns.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import { prepareDashboard } from './get-dashboard.ts';

export function dashboardHandlers(deps: AppDeps): Handlers<typeof dashboardApi> {
  const readDashboard = prepareDashboard(deps);
  return {
    get: ({ tenant }) => readDashboard(tenant.companyId),
    refresh: async ({ tenant, actor, caller }) => {
      const outcome = await refreshHmrc(deps, tenant.companyId, { actor, caller });
      // What it found is offered at once, so that the page that asked shows it; a job does the same where this process ends before.
      await quoteFoundReturns(deps, tenant.companyId);
      return outcome;
    },
  };
}
