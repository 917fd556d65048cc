import type { operatorMessagesApi } from '@portal/contract/operator-messages.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { assignMessage, noteMessage, replyToMessage, setMessageState } from './answer-message.ts';
import { getMessage, listMessages } from './message-queries.ts';

export function operatorMessagesHandlers(deps: AppDeps): Handlers<typeof operatorMessagesApi> {
  return {
    list: ({ input, actor }) => listMessages(deps, actor.userId, input),
    get: ({ input }) => getMessage(deps, input.message_id),
    reply: (call) => replyToMessage(deps, call),
    note: (call) => noteMessage(deps, call),
    assign: (call) => assignMessage(deps, call),
    setState: (call) => setMessageState(deps, call),
  };
}
