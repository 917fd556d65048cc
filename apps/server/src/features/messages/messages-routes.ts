import type { messagesApi, notificationsApi } from '@portal/contract/messages.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { cancelMessage, repeatMessage } from './change-message.ts';
import { previewMessage, sendMessage, sendTestMessage } from './compose-message.ts';
import { getMessage, listMessages, listNotifiedCustomers } from './messages-queries.ts';
import { getRouteState } from './message-route.ts';

export function messagesHandlers(deps: AppDeps): Handlers<typeof messagesApi> {
  return {
    preview: (call) => previewMessage(deps, call),
    sendTest: (call) => sendTestMessage(deps, call),
    send: (call) => sendMessage(deps, call),
    list: async ({ tenant, actor }) => ({
      messages: await listMessages(deps, tenant.practiceId, actor),
      route: await getRouteState(deps, tenant.practiceId, actor.userId),
    }),
    details: ({ input, tenant, actor }) => getMessage(deps, tenant.practiceId, actor, input),
    cancel: (call) => cancelMessage(deps, call),
    repeat: (call) => repeatMessage(deps, call),
  };
}

export function notificationsHandlers(deps: AppDeps): Handlers<typeof notificationsApi> {
  return {
    customers: async ({ tenant, actor }) => ({ customers: await listNotifiedCustomers(deps.database.db, tenant.practiceId, actor) }),
  };
}
