import type { authorisationsApi } from '@portal/contract/authorisations.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getAgentDetails, toClientsView } from './authorisations-queries.ts';
import { emailAuthorisation } from './email-authorisation.ts';
import { cancelAuthorisation, checkAuthorisation, sendAuthorisation } from './authorise-client.ts';

export function authorisationsHandlers(deps: AppDeps): Handlers<typeof authorisationsApi> {
  const toClientKey = ({ practiceId, clientId }: ClientTenant) => ({ companyId: practiceId, clientId });
  return {
    agentDetails: async ({ tenant, actor }) => {
      const details = await getAgentDetails(deps, toClientKey(tenant));
      return actor.role === 'client' ? { ...details, authorisations: details.authorisations.map(toClientsView) } : details;
    },
    send: ({ input, tenant, actor, caller }) =>
      sendAuthorisation(
        deps,
        { actor, caller },
        { ...toClientKey(tenant), tax: input.tax },
        { vatRegisteredOn: input.vat_registered_on, postcode: input.postcode, emailsClient: input.emails_client },
      ),
    email: (call) => emailAuthorisation(deps, call),
    cancel: ({ input, tenant, actor, caller }) => cancelAuthorisation(deps, { actor, caller }, { ...toClientKey(tenant), tax: input.tax }),
    check: ({ input, tenant, actor, caller }) => checkAuthorisation(deps, { actor, caller }, { ...toClientKey(tenant), tax: input.tax }),
  };
}
