import type { contactApi } from '@portal/contract/contact.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { sendContactMessage } from './send-contact-message.ts';

export function contactHandlers(deps: AppDeps): Handlers<typeof contactApi> {
  const { email, phone = null, address = null } = deps.site.contact;
  return {
    details: async () => ({ email, phone, address }),
    send: ({ input, actor, caller }) => sendContactMessage(deps, input, { userId: actor?.userId, ip: caller.ip }),
  };
}
