/** The calls of the sync. */
import type { syncApi } from '@portal/contract/sync.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { cancelSync, startSync } from './start-sync.ts';
import { findRefreshing, getAccountantConnections, getClientSyncData, getConnectionStatus, getSyncData } from './sync-queries.ts';

export function syncHandlers(deps: AppDeps): Handlers<typeof syncApi> {
  const { db } = deps.database;
  return {
    syncData: ({ input, actor }) => getSyncData(db, input.company_id, input.tax_type, actor),
    refreshingClients: ({ input, actor }) => findRefreshing(db, input.company_id, input.tax_type, actor),
    connectionStatus: ({ input, actor }) => getConnectionStatus(db, input.company_id, input.tax_type, actor),
    accountantConnections: ({ input }) => getAccountantConnections(db, input.company_id),
    clientSyncData: ({ input }) => getClientSyncData(db, input.company_id, input.client_id),
    start: async ({ input: { company_id, tax_type, client_ids: clientIds }, actor, caller }) =>
      said(await startSync(deps, company_id, tax_type, { actor, caller }, clientIds ? { clientIds } : {})),
    retry: async ({ input: { company_id, tax_type, client_ids: clientIds }, actor, caller }) =>
      said(await startSync(deps, company_id, tax_type, { actor, caller }, { failedOnly: true, ...(clientIds ? { clientIds } : {}) })),
    cancel: async ({ input, actor, caller }) => ({
      cancelled: await cancelSync(deps, input.company_id, input.tax_type, { actor, caller }),
    }),
  };
}

function said({ runId, queued, joined }: Awaited<ReturnType<typeof startSync>>) {
  return { run_id: runId, queued, joined };
}
