import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { sweepWork } from './create-obligation-work.ts';

export function workItemsJobs(deps: AppDeps): Pick<PortalJobHandlers, 'work.sweep'> {
  return { 'work.sweep': () => sweepWork(deps) };
}
