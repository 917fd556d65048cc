/** Handlers for refreshes. */
import type { ClientChoice } from '@portal/contract/clients.ts';
import type { syncApi } from '@portal/contract/sync.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { listMatching } from '../clients/choose-clients.ts';
import { cancelSync, startSync, type SyncScope } from './start-sync.ts';
import { findRefreshing, getAccountantConnections, getClientSyncData, getConnectionStatus, getSyncData } from './sync-queries.ts';

export function syncHandlers(deps: AppDeps): Handlers<typeof syncApi> {
  const { db } = deps.database;
  return {
    syncData: ({ input, tenant, actor }) => getSyncData(db, tenant.practiceId, input.tax_type, actor),
    refreshingClients: ({ input, tenant, actor }) => findRefreshing(db, tenant.practiceId, input.tax_type, actor),
    connectionStatus: ({ input, tenant, actor }) => getConnectionStatus(db, tenant.practiceId, input.tax_type, actor),
    accountantConnections: ({ tenant }) => getAccountantConnections(db, tenant.practiceId),
    clientSyncData: ({ tenant }) => getClientSyncData(db, tenant.practiceId, tenant.clientId),
    start: async ({ input, tenant, actor, caller }) =>
      said(
        await startSync(deps, tenant.practiceId, input.tax_type, { actor, caller }, await scopeOf(deps, tenant.practiceId, actor, input)),
      ),
    retry: async ({ input, tenant, actor, caller }) => {
      const scope = { ...(await scopeOf(deps, tenant.practiceId, actor, input)), failedOnly: true };
      return said(await startSync(deps, tenant.practiceId, input.tax_type, { actor, caller }, scope));
    },
    cancel: async ({ input, tenant, actor, caller }) => ({
      cancelled: await cancelSync(deps, tenant.practiceId, input.tax_type, { actor, caller }),
    }),
  };
}

async function scopeOf(deps: AppDeps, companyId: string, actor: Actor, { client_ids: named, matching }: ClientChoice): Promise<SyncScope> {
  const by = { companyId, actor, today: deps.clock.today() };
  const clientIds = matching ? await listMatching(deps.database.db, by, matching) : named;
  return clientIds ? { clientIds } : {};
}

function said({ runId, queued, joined }: Awaited<ReturnType<typeof startSync>>) {
  return { run_id: runId, queued, joined };
}
