import type { dataProtectionApi } from '@portal/contract/data-protection.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { assertConfirmed } from '../security/confirm-person.ts';
import { closeCompany, describeCompanyClosing } from './close-company.ts';
import { closePerson, describePersonClosing } from './close-person.ts';

export function dataProtectionHandlers(deps: AppDeps): Handlers<typeof dataProtectionApi> {
  return {
    personClosing: ({ actor }) => describePersonClosing(deps, actor),
    closePerson: async ({ input, actor, caller }) => {
      assertConfirmed(deps, actor);
      await closePerson(deps, actor, input.confirm_with, caller.ip);
      return { done: true };
    },
    companyClosing: ({ actor, tenant }) => describeCompanyClosing(deps, actor, tenant.companyId),
    closeCompany: async ({ input, actor, tenant, caller }) => {
      assertConfirmed(deps, actor);
      await closeCompany(deps, actor, { companyId: tenant.companyId, confirmWith: input.confirm_with, ip: caller.ip });
      return { done: true };
    },
    practiceClosing: ({ actor, tenant }) => describeCompanyClosing(deps, actor, tenant.practiceId),
    closePractice: async ({ input, actor, tenant, caller }) => {
      assertConfirmed(deps, actor);
      await closeCompany(deps, actor, { companyId: tenant.practiceId, confirmWith: input.confirm_with, ip: caller.ip });
      return { done: true };
    },
  };
}
