import type { apiKeysApi, companyApiKeysApi } from '@portal/contract/api-keys.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listApiKeys } from './api-keys-queries.ts';
import { createApiKey, revokeApiKey } from './create-api-key.ts';

export function apiKeysHandlers(deps: AppDeps): Handlers<typeof apiKeysApi> {
  const toPracticeOwner = (practiceId: string) => ({ companyId: practiceId, kind: 'practice' as const });
  return {
    list: ({ tenant }) => listApiKeys(deps, tenant.practiceId),
    create: ({ tenant, actor, caller, input }) =>
      createApiKey(deps, { owner: toPracticeOwner(tenant.practiceId), actor, ip: caller.ip }, input),
    revoke: ({ tenant, actor, caller, input }) =>
      revokeApiKey(deps, { owner: toPracticeOwner(tenant.practiceId), actor, ip: caller.ip }, input.key_id),
  };
}

export function companyApiKeysHandlers(deps: AppDeps): Handlers<typeof companyApiKeysApi> {
  const toTraderOwner = (companyId: string) => ({ companyId, kind: 'trader' as const });
  return {
    list: ({ tenant }) => listApiKeys(deps, tenant.companyId),
    create: ({ tenant, actor, caller, input }) =>
      createApiKey(deps, { owner: toTraderOwner(tenant.companyId), actor, ip: caller.ip }, input),
    revoke: ({ tenant, actor, caller, input }) =>
      revokeApiKey(deps, { owner: toTraderOwner(tenant.companyId), actor, ip: caller.ip }, input.key_id),
  };
}
