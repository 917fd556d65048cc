import type { practiceApi } from '@portal/contract/practice.ts';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { startAgentAuthorisation } from '../hmrc-connection/start-authorisation.ts';
import { findPracticeProgress, getAccountantProfile } from './find-practice.ts';
import { createPractice, savePractice } from './save-practice.ts';

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
