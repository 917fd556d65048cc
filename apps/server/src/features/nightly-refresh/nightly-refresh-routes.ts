/** Handlers for the nightly refresh: the practice's setting and the operator's confirmation. */
import type { nightlyRefreshApi } from '@portal/contract/nightly-refresh.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { findConfirmation, getNightlyRefresh } from './nightly-refresh-queries.ts';
import { recordConfirmation, saveNightlyRefresh } from './save-nightly-refresh.ts';

export function nightlyRefreshHandlers(deps: AppDeps): Handlers<typeof nightlyRefreshApi> {
  return {
    get: ({ tenant }) => getNightlyRefresh(deps.database.db, tenant.practiceId),
    save: ({ input, tenant, actor, caller }) => saveNightlyRefresh(deps, tenant.practiceId, { actor, caller }, input.is_on),
    confirmation: async () => ({ confirmation: (await findConfirmation(deps.database.db)) ?? null }),
    confirm: ({ input, actor, caller }) => recordConfirmation(deps, { actor, caller }, input),
  };
}
