import type { agentApi, operatorPartnersApi, partnersApi } from '@portal/contract/partners.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { endAgent, getAgent, setAgent } from './company-agent.ts';
import { addContact, listPartners, removeContact } from './partner-contacts.ts';
import { listReferrals } from './referral-queries.ts';

export function partnersHandlers(deps: AppDeps): Handlers<typeof partnersApi> {
  return { referrals: ({ input, actor }) => listReferrals(deps.database.db, actor.userId, input) };
}

export function agentHandlers(deps: AppDeps): Handlers<typeof agentApi> {
  return {
    find: ({ tenant }) => getAgent(deps.database.db, tenant.companyId),
    set: async ({ tenant, actor, caller }) => {
      await setAgent(deps, tenant.companyId, { userId: actor.userId, ip: caller.ip });
      return { done: true };
    },
    end: async ({ tenant, actor, caller }) => {
      await endAgent(deps, tenant.companyId, { userId: actor.userId, ip: caller.ip });
      return { done: true };
    },
  };
}

export function operatorPartnersHandlers(deps: AppDeps): Handlers<typeof operatorPartnersApi> {
  return {
    list: () => listPartners(deps.database.db),
    addContact: (call) => addContact(deps, call),
    removeContact: (call) => removeContact(deps, call),
  };
}
