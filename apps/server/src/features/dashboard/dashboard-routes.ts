import type { dashboardApi } from '@portal/contract/dashboard.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import { prepareDashboard } from './dashboard-queries.ts';

export function dashboardHandlers(deps: AppDeps): Handlers<typeof dashboardApi> {
  const readDashboard = prepareDashboard(deps);
  return {
    get: ({ input }) => readDashboard(input.company_id),
    refresh: ({ input, actor, caller }) => refreshHmrc(deps, input.company_id, { actor, caller }),
  };
}
