import type { documentsApi } from '@portal/contract/documents.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listDocuments } from './documents-queries.ts';
import { saveJournalAccounts } from './save-journal-accounts.ts';

export function documentsHandlers(deps: AppDeps): Handlers<typeof documentsApi> {
  return {
    list: ({ tenant }) => listDocuments(deps, tenant.companyId),
    saveJournalAccounts: async ({ input, tenant, actor, caller }) => {
      const { software, ...accounts } = input;
      await saveJournalAccounts(deps, { actor, caller }, tenant.companyId, { software, accounts });
      return { done: true };
    },
  };
}
