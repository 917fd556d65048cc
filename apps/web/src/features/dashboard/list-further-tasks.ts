import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { listProblems } from './list-problems.ts';

/** The tasks that no problem at the top of the page leads to already: one thing to do is named once. */
export function listFurtherTasks(dashboard: DashboardOutput): DashboardOutput['tasks'] {
  const named = new Set(listProblems(dashboard).map(({ action }) => action?.to));
  return dashboard.tasks.filter(({ path }) => !named.has(path));
}
