import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueWebhooks, listDueCompanies, sendWebhooks } from './send-webhooks.ts';

export function webhookJobs(deps: AppDeps): Pick<PortalJobHandlers, 'webhooks.send' | 'webhooks.sweep'> {
  return {
    'webhooks.send': ({ company_id }, { signal }) => sendWebhooks(deps, company_id, signal),
    'webhooks.sweep': async () => {
      await tryEach(await listDueCompanies(deps), ({ companyId }) => enqueueWebhooks(deps, deps.database.db, companyId));
    },
  };
}
