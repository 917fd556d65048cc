import type { connectedAppsApi } from '@portal/contract/connected-apps.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { approveRequest, readRequest } from './consent.ts';
import { removeApp } from './end-apps.ts';
import { listApps } from './app-queries.ts';

export function connectedAppsHandlers(deps: AppDeps): Handlers<typeof connectedAppsApi> {
  return {
    request: ({ actor, input }) => readRequest(deps, actor, input),
    approve: ({ tenant, actor, caller, input }) => approveRequest(deps, { companyId: tenant.practiceId, actor, ip: caller.ip }, input),
    list: ({ tenant, actor }) => listApps(deps, tenant.practiceId, actor),
    remove: ({ tenant, actor, caller, input }) => removeApp(deps, { companyId: tenant.practiceId, actor, ip: caller.ip }, input.program_id),
  };
}
