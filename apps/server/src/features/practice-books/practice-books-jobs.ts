import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { endAccess } from './end-access.ts';
import { followLink } from './follow-link.ts';
import { refreshOrganisationList } from './list-organisations.ts';

export function practiceBooksJobs(deps: AppDeps): Pick<PortalJobHandlers, 'books.link' | 'books.organisations' | 'books.end_access'> {
  return {
    'books.link': ({ company_id, client_id, withdraw }) =>
      deps.database.db.transaction((tx) => followLink(deps, tx, { practiceId: company_id, clientId: client_id }, withdraw)),
    'books.end_access': (ending, run) => endAccess(deps, ending, run),
    'books.organisations': ({ company_id, provider }, run) => refreshOrganisationList(deps, { companyId: company_id, provider }, run),
  };
}
