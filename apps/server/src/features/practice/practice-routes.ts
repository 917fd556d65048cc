import type { authorisationsApi } from '@portal/contract/authorisations.ts';
import type { practiceApi } from '@portal/contract/practice.ts';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { beginAgentConsent } from '../hmrc-connection/begin-consent.ts';
import { cancelAuthorisation, checkAuthorisation, sendAuthorisation } from './authorise-client.ts';
import { readAgentDetails } from './read-authorisations.ts';
import { findPracticeProgress, readAccountantProfile } from './read-practice.ts';
import { createPractice, savePractice } from './save-practice.ts';

export function authorisationsHandlers(deps: AppDeps): Handlers<typeof authorisationsApi> {
  const of = ({ company_id, client_id }: { company_id: string; client_id: string }) => ({ companyId: company_id, clientId: client_id });
  return {
    agentDetails: ({ input }) => readAgentDetails(deps, of(input)),
    send: ({ input, actor, caller }) =>
      sendAuthorisation(
        deps,
        { actor, caller },
        { ...of(input), tax: input.tax },
        { vatRegisteredOn: input.vat_registered_on, postcode: input.postcode },
      ),
    cancel: ({ input, actor, caller }) => cancelAuthorisation(deps, { actor, caller }, { ...of(input), tax: input.tax }),
    check: ({ input, actor, caller }) => checkAuthorisation(deps, { actor, caller }, { ...of(input), tax: input.tax }),
  };
}

export function practiceHandlers(deps: AppDeps): Handlers<typeof practiceApi> {
  const { db } = deps.database;
  return {
    progress: ({ input, actor }) => findPracticeProgress(db, actor.userId, input.company_id, deps.clock.now()),
    create: ({ input, actor, caller }) => createPractice(deps, actor, input, caller.ip),
    accountantProfile: ({ input, actor }) => readAccountantProfile(db, input.company_id, actor, deps.clock.now()),
    saveAccountantProfile: async ({ input, actor, caller }) => {
      await savePractice(deps, actor, input, caller.ip);
      return { done: true };
    },
    connectHmrc: ({ input, actor, caller }) =>
      beginAgentConsent(deps, { actor, caller }, input.company_id, input.return_to === 'steps' ? 'practice_steps' : 'practice_settings'),
    postponeHmrc: async ({ input }) => {
      // Only where there is no connection yet: "later" never takes one away.
      await db.insert(hmrcConnections).values({ companyId: input.company_id, status: 'postponed' }).onConflictDoNothing();
      return { done: true };
    },
  };
}
