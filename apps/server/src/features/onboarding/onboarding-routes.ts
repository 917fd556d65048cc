import type { onboardingApi } from '@portal/contract/onboarding.ts';
import { hmrcConnections, users } from '@portal/db/schema/schema.ts';
import { eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { beginConsent } from '../hmrc-connection/begin-consent.ts';
import { findProgress } from './find-progress.ts';
import { saveBankAccount } from './save-bank-account.ts';
import { saveCompany } from './save-company.ts';

export function onboardingHandlers(deps: AppDeps): Handlers<typeof onboardingApi> {
  const { db } = deps.database;
  return {
    progress: ({ input, actor }) => findProgress(db, actor.userId, input.company_id),
    saveAbout: async ({ input, actor }) => {
      await db
        .update(users)
        .set({ fullName: input.full_name, phone: input.phone ?? null })
        .where(eq(users.id, actor.userId));
      return { done: true };
    },
    saveCompany: ({ input, actor, caller }) => saveCompany(deps, actor, input, caller.ip),
    connectHmrc: ({ input, actor }) => beginConsent(deps, actor, input.company_id, input.return_to),
    postponeHmrc: async ({ input }) => {
      // Only where there is no connection yet: "later" never takes one away.
      await db.insert(hmrcConnections).values({ companyId: input.company_id, status: 'postponed' }).onConflictDoNothing();
      return { done: true };
    },
    saveBankAccount: async ({ input, actor, caller }) => {
      await saveBankAccount(deps, actor, input, caller.ip);
      return { done: true };
    },
  };
}
