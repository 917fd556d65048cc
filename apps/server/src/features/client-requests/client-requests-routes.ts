import type { clientRequestsApi } from '@portal/contract/client-requests.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { answerItem, decideItem } from './answer-client-request.ts';
import { getConversation, listClientRequests } from './client-requests-queries.ts';
import { cancelClientRequest, createClientRequest } from './create-client-request.ts';
import { listAllRequests } from './list-all-requests.ts';
import { sendConversationMessage } from './write-to-client.ts';

export function clientRequestsHandlers(deps: AppDeps): Handlers<typeof clientRequestsApi> {
  return {
    list: ({ tenant, actor }) => listClientRequests(deps, tenant, actor),
    listAll: (call) => listAllRequests(deps, call),
    create: (call) => createClientRequest(deps, call),
    answer: (call) => answerItem(deps, call),
    decide: (call) => decideItem(deps, call),
    cancel: (call) => cancelClientRequest(deps, call),
    conversation: ({ tenant }) => getConversation(deps, tenant),
    write: (call) => sendConversationMessage(deps, call),
  };
}
