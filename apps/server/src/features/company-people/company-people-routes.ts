import type { companyPeopleApi } from '@portal/contract/company-people.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { changePerson, leaveCompany, removePerson } from './change-person.ts';
import { listCompanyPeople } from './company-people-queries.ts';
import { invitePerson, resendInvitation, revokeInvitation } from './invite-person.ts';

export function companyPeopleHandlers(deps: AppDeps): Handlers<typeof companyPeopleApi> {
  return {
    list: ({ tenant, actor }) => listCompanyPeople(deps.database.db, tenant.companyId, actor),
    invite: (call) => invitePerson(deps, call),
    resend: (call) => resendInvitation(deps, call),
    revoke: (call) => revokeInvitation(deps, call),
    change: (call) => changePerson(deps, call),
    remove: (call) => removePerson(deps, call),
    leave: (call) => leaveCompany(deps, call),
  };
}
