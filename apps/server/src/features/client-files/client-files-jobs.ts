import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { scanQuarantined } from './scan-client-files.ts';

export function clientFilesJobs(deps: AppDeps): Pick<PortalJobHandlers, 'files.scan'> {
  return { 'files.scan': () => scanQuarantined(deps) };
}
