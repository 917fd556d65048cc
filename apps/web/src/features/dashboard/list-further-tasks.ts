import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { pageLink } from '../../lib/page-link.ts';
import { listProblems } from './list-problems.ts';

/** The tasks that nothing else on the page has a button for: one thing to do is named once. */
export function listFurtherTasks(dashboard: DashboardOutput): DashboardOutput['tasks'] {
  const ready = dashboard.obligations.find(({ state }) => state === 'ready');
  const named = new Set<string | undefined>(listProblems(dashboard).map(({ action }) => action?.to));
  // The deadline card's button.
  if (ready) named.add(pageLink('vatReturn', { company_id: dashboard.company.company_id, obligation_id: ready.obligation_id }));
  // The advance card's button is the offer's; what is to be done after the acceptance is told here.
  return dashboard.tasks.filter(({ task, path }) => !named.has(path) && task !== 'accept_offer');
}
