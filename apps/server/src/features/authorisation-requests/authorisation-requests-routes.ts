/** Handlers for authorisation requests to many clients. */
import type { authorisationRequestsApi } from '@portal/contract/authorisation-requests.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getLatestRun, listPendingLinks } from './authorisation-requests-queries.ts';
import { previewRequests } from './plan-requests.ts';
import { cancelRequests, startRequests } from './start-requests.ts';

export function authorisationRequestsHandlers(deps: AppDeps): Handlers<typeof authorisationRequestsApi> {
  return {
    preview: ({ input, tenant, actor }) => previewRequests(deps, tenant.practiceId, actor, input),
    start: ({ input, tenant, actor, caller }) => startRequests(deps, tenant.practiceId, { actor, caller }, input),
    latest: ({ input, tenant, actor }) => getLatestRun(deps.database.db, tenant.practiceId, input.tax, actor),
    cancel: ({ input, tenant, actor, caller }) => cancelRequests(deps, tenant.practiceId, { actor, caller }, input.tax),
    links: async ({ input, tenant, actor }) => ({ links: await listPendingLinks(deps, tenant.practiceId, input.tax, actor) }),
  };
}
