import type { companyWebhooksApi, webhooksApi } from '@portal/contract/webhooks.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller, Handlers } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  replayDelivery,
  rotateSecret,
  testWebhook,
  type WebhookChange,
} from './change-webhooks.ts';
import { listDeliveries, listWebhooks } from './webhooks-queries.ts';

type PracticeCall = { readonly tenant: { readonly practiceId: string }; readonly actor: Actor; readonly caller: Caller };
type CompanyCall = { readonly tenant: { readonly companyId: string }; readonly actor: Actor; readonly caller: Caller };

export function webhooksHandlers(deps: AppDeps): Handlers<typeof webhooksApi> {
  const toChange = ({ tenant, actor, caller }: PracticeCall): WebhookChange => ({ companyId: tenant.practiceId, actor, ip: caller.ip });
  return {
    list: ({ tenant }) => listWebhooks(deps, tenant.practiceId),
    create: (call) => createWebhook(deps, toChange(call), call.input),
    change: (call) => changeWebhook(deps, toChange(call), call.input.endpoint_id, call.input),
    rotate: (call) => rotateSecret(deps, toChange(call), call.input.endpoint_id),
    remove: (call) => removeWebhook(deps, toChange(call), call.input.endpoint_id),
    test: (call) => testWebhook(deps, toChange(call), call.input.endpoint_id),
    deliveries: ({ tenant, input }) => listDeliveries(deps, tenant.practiceId, input),
    replay: (call) => replayDelivery(deps, toChange(call), call.input.endpoint_id, call.input.delivery_id),
  };
}

export function companyWebhooksHandlers(deps: AppDeps): Handlers<typeof companyWebhooksApi> {
  const toChange = ({ tenant, actor, caller }: CompanyCall): WebhookChange => ({ companyId: tenant.companyId, actor, ip: caller.ip });
  return {
    list: ({ tenant }) => listWebhooks(deps, tenant.companyId),
    create: (call) => createWebhook(deps, toChange(call), call.input),
    change: (call) => changeWebhook(deps, toChange(call), call.input.endpoint_id, call.input),
    rotate: (call) => rotateSecret(deps, toChange(call), call.input.endpoint_id),
    remove: (call) => removeWebhook(deps, toChange(call), call.input.endpoint_id),
    test: (call) => testWebhook(deps, toChange(call), call.input.endpoint_id),
    deliveries: ({ tenant, input }) => listDeliveries(deps, tenant.companyId, input),
    replay: (call) => replayDelivery(deps, toChange(call), call.input.endpoint_id, call.input.delivery_id),
  };
}
