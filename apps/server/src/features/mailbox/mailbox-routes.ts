import type { mailboxApi } from '@portal/contract/mailbox.ts';
import type { AppDeps } from '../../app-deps.ts';
import { ensureBrowserCookie } from '../../http/browser-cookie.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { disconnectMailbox, startMailbox } from './connect-mailbox.ts';
import { getMailboxState } from './mailbox-queries.ts';

export function mailboxHandlers(deps: AppDeps): Handlers<typeof mailboxApi> {
  return {
    gmailStatus: ({ tenant }) => getMailboxState(deps, tenant.practiceId, 'gmail'),
    outlookStatus: ({ tenant }) => getMailboxState(deps, tenant.practiceId, 'outlook'),
    connect: ({ input, tenant, actor, reply }) =>
      startMailbox(deps, {
        companyId: tenant.practiceId,
        userId: actor.userId,
        provider: input.provider,
        browser: ensureBrowserCookie(reply, deps.site),
      }),
    disconnect: async ({ tenant, actor, caller }) => {
      await disconnectMailbox(deps, tenant.practiceId, actor.userId, caller.ip);
      return { done: true };
    },
  };
}
