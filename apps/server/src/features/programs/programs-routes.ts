import type { programsApi } from '@portal/contract/programs.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { approveRequest, readRequest } from './consent.ts';
import { removeApp } from './end-programs.ts';
import { listApps } from './program-queries.ts';

export function programsHandlers(deps: AppDeps): Handlers<typeof programsApi> {
  return {
    request: ({ actor, input }) => readRequest(deps, actor, input),
    approve: ({ tenant, actor, caller, input }) => approveRequest(deps, { companyId: tenant.practiceId, actor, ip: caller.ip }, input),
    list: ({ tenant, actor }) => listApps(deps, tenant.practiceId, actor),
    remove: ({ tenant, actor, caller, input }) => removeApp(deps, { companyId: tenant.practiceId, actor, ip: caller.ip }, input.program_id),
  };
}
