import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { AppDeps } from '../../app-deps.ts';
import { prepareDashboard } from './dashboard-queries.ts';

/** The dashboard as its owner sees it, for what is told of several companies at once. Prepare it once: its statements are. */
export function prepareReadDashboard(deps: AppDeps): (companyId: string) => Promise<DashboardOutput> {
  return prepareDashboard(deps);
}
