import type { onboardingApi } from '@portal/contract/onboarding.ts';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { startAuthorisation } from '../hmrc-connection/start-authorisation.ts';
import { emailCode } from '../security/confirm-person.ts';
import { findProgress } from './find-progress.ts';
import { createVatNumberLookUp } from './look-up-vat-number.ts';
import { saveAbout } from './save-about.ts';
import { saveBankAccount } from './save-bank-account.ts';
import { saveCompany } from './save-company.ts';

export function onboardingHandlers(deps: AppDeps): Handlers<typeof onboardingApi> {
  const { db } = deps.database;
  const lookUpVatNumber = createVatNumberLookUp(deps);
  return {
    progress: ({ input, actor }) => findProgress(db, actor.userId, input.company_id, deps.clock.now()),
    saveAbout: ({ input, actor }) => saveAbout(deps, actor, input),
    saveCompany: ({ input, actor, caller }) => saveCompany(deps, lookUpVatNumber, actor, input, caller.ip),
    connectHmrc: ({ input, tenant, actor, caller }) => startAuthorisation(deps, { actor, caller }, tenant.companyId, input.return_to),
    postponeHmrc: async ({ tenant }) => {
      // Insert only, so that "later" never replaces an existing connection.
      await db.insert(hmrcConnections).values({ companyId: tenant.companyId, status: 'postponed' }).onConflictDoNothing();
      return { done: true };
    },
    emailBankAccountCode: ({ actor }) => emailCode(deps, actor),
    saveBankAccount: async ({ input, tenant, actor, caller }) => {
      const { nameCheck, savedAs } = await saveBankAccount(deps, tenant.companyId, actor, input, caller.ip);
      return { name_check: nameCheck.result, bank_name: nameCheck.name ?? null, saved_as: savedAs };
    },
  };
}
