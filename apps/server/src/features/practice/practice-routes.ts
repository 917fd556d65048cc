import type { authorisationsApi } from '@portal/contract/authorisations.ts';
import type { practiceApi } from '@portal/contract/practice.ts';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { startAgentAuthorisation } from '../hmrc-connection/start-authorisation.ts';
import { cancelAuthorisation, checkAuthorisation, sendAuthorisation } from './authorise-client.ts';
import { getAgentDetails } from './authorisation-queries.ts';
import { findPracticeProgress, getAccountantProfile } from './find-practice.ts';
import { createPractice, savePractice } from './save-practice.ts';

export function authorisationsHandlers(deps: AppDeps): Handlers<typeof authorisationsApi> {
  const keyOf = ({ practiceId, clientId }: ClientTenant) => ({ companyId: practiceId, clientId });
  return {
    agentDetails: ({ tenant }) => getAgentDetails(deps, keyOf(tenant)),
    send: ({ input, tenant, actor, caller }) =>
      sendAuthorisation(
        deps,
        { actor, caller },
        { ...keyOf(tenant), tax: input.tax },
        { vatRegisteredOn: input.vat_registered_on, postcode: input.postcode },
      ),
    cancel: ({ input, tenant, actor, caller }) => cancelAuthorisation(deps, { actor, caller }, { ...keyOf(tenant), tax: input.tax }),
    check: ({ input, tenant, actor, caller }) => checkAuthorisation(deps, { actor, caller }, { ...keyOf(tenant), tax: input.tax }),
  };
}

export function practiceHandlers(deps: AppDeps): Handlers<typeof practiceApi> {
  const { db } = deps.database;
  return {
    progress: ({ input, actor }) => findPracticeProgress(db, actor.userId, input.company_id, deps.clock.now()),
    create: ({ input, actor, caller }) => createPractice(deps, actor, input, caller.ip),
    accountantProfile: ({ tenant, actor }) => getAccountantProfile(db, tenant.practiceId, actor, deps.clock.now()),
    saveAccountantProfile: async ({ input, tenant, actor, caller }) => {
      await savePractice(deps, tenant.practiceId, actor, input, caller.ip);
      return { done: true };
    },
    connectHmrc: ({ input, tenant, actor, caller }) =>
      startAgentAuthorisation(
        deps,
        { actor, caller },
        tenant.practiceId,
        input.return_to === 'steps' ? 'practice_steps' : 'practice_settings',
      ),
    postponeHmrc: async ({ tenant }) => {
      // Insert only, so that "later" never removes an existing connection.
      await db.insert(hmrcConnections).values({ companyId: tenant.practiceId, status: 'postponed' }).onConflictDoNothing();
      return { done: true };
    },
  };
}
