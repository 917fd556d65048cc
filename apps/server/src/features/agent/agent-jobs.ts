import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { runAgent, sweepAgents } from './run-agent.ts';

export function agentJobs(deps: AppDeps): Pick<PortalJobHandlers, 'agent.run' | 'agent.sweep'> {
  return {
    'agent.run': ({ company_id: companyId }, { signal }) => runAgent(deps, companyId, signal),
    'agent.sweep': () => sweepAgents(deps),
  };
}
