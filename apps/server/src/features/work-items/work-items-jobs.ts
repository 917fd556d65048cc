import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { sweepWork, updateWork } from './create-obligation-work.ts';

export function workItemsJobs(deps: AppDeps): Pick<PortalJobHandlers, 'work.sweep' | 'work.update'> {
  return {
    'work.sweep': () => sweepWork(deps),
    'work.update': ({ company_id: companyId }) => updateWork(deps, companyId),
  };
}
