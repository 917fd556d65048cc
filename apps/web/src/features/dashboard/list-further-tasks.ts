import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { pageLink } from '../../lib/page-link.ts';
import { listProblems } from './list-problems.ts';

/** Tasks that have no button elsewhere on the page, so that each task appears once. */
export function listFurtherTasks(dashboard: DashboardOutput): DashboardOutput['tasks'] {
  const ready = dashboard.obligations.find(({ state }) => state === 'ready');
  const linkedPaths = new Set<string | undefined>(listProblems(dashboard).map(({ action }) => action?.to));
  // The deadline card has a button for this return.
  if (ready) linkedPaths.add(pageLink('vatReturn', { company_id: dashboard.company.company_id, obligation_id: ready.obligation_id }));
  // The advance card has a button for the offer. Tasks that follow the acceptance are listed here.
  return dashboard.tasks.filter(({ task, path }) => !linkedPaths.has(path) && task !== 'accept_offer');
}
