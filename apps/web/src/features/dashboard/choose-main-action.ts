import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { listProblems } from './list-problems.ts';

export type MainAction = 'problem' | 'advance' | 'file' | 'task' | 'none';

/** A screen has one filled button: first what is wrong, then money that waits for a yes, then a return that can be filed, then what is left to set up. */
export function chooseMainAction(dashboard: DashboardOutput): MainAction {
  if (listProblems(dashboard).some((problem) => problem.action !== null)) return 'problem';
  if (dashboard.advance?.state === 'quoted' && dashboard.advance.eligible) return 'advance';
  if (dashboard.obligations.some((obligation) => obligation.state === 'ready')) return 'file';
  return dashboard.tasks.length > 0 ? 'task' : 'none';
}
