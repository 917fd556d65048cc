import type { programsApi } from '@portal/contract/programs.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { approveRequest, readRequest } from './consent.ts';
import { removeProgram } from './end-programs.ts';
import { listPrograms } from './program-queries.ts';

export function programsHandlers(deps: AppDeps): Handlers<typeof programsApi> {
  return {
    request: ({ actor, input }) => readRequest(deps, actor, input),
    approve: ({ tenant, actor, caller, input }) => approveRequest(deps, { companyId: tenant.practiceId, actor, ip: caller.ip }, input),
    list: ({ tenant, actor }) => listPrograms(deps, tenant.practiceId, actor),
    remove: ({ tenant, actor, caller, input }) =>
      removeProgram(deps, { companyId: tenant.practiceId, actor, ip: caller.ip }, input.program_id),
  };
}
