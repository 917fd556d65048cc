/** Handlers for refreshes. */
import type { ClientSelection } from '@portal/contract/clients.ts';
import type { syncApi } from '@portal/contract/sync.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { listMatchingClients } from '../clients/select-clients.ts';
import { cancelSync, startSync, type SyncScope } from './start-sync.ts';
import { getRefreshStatus } from './refresh-progress.ts';
import { getAccountantConnections, getClientSyncData, getConnectionStatus, getSyncData } from './sync-queries.ts';

export function syncHandlers(deps: AppDeps): Handlers<typeof syncApi> {
  const { db } = deps.database;
  return {
    syncData: ({ input, tenant, actor }) => getSyncData(deps, tenant.practiceId, input.tax_type, actor),
    refreshingClients: ({ input, tenant, actor }) => getRefreshStatus(deps, tenant.practiceId, input.tax_type, actor),
    connectionStatus: ({ input, tenant, actor }) => getConnectionStatus(deps, tenant.practiceId, input.tax_type, actor),
    accountantConnections: ({ tenant }) => getAccountantConnections(db, tenant.practiceId),
    clientSyncData: async ({ tenant, actor }) => {
      const data = await getClientSyncData(db, tenant.practiceId, tenant.clientId);
      // Only a practice can act on the reason a refresh failed, so clients don't get it.
      return actor.role === 'client' ? { ...data, taxes: data.taxes.map((tax) => ({ ...tax, reason: null })) } : data;
    },
    start: async ({ input, tenant, actor, caller }) =>
      toResponse(
        await startSync(deps, tenant.practiceId, input.tax_type, { actor, caller }, await toScope(deps, tenant.practiceId, actor, input)),
      ),
    retry: async ({ input, tenant, actor, caller }) => {
      const scope = { ...(await toScope(deps, tenant.practiceId, actor, input)), failedOnly: true };
      return toResponse(await startSync(deps, tenant.practiceId, input.tax_type, { actor, caller }, scope));
    },
    cancel: async ({ input, tenant, actor, caller }) => ({
      cancelled: await cancelSync(deps, tenant.practiceId, input.tax_type, { actor, caller }),
    }),
  };
}

async function toScope(
  deps: AppDeps,
  companyId: string,
  actor: Actor,
  { client_ids: listedIds, matching }: ClientSelection,
): Promise<SyncScope> {
  const selection = { companyId, actor, today: deps.clock.today() };
  const clientIds = matching ? await listMatchingClients(deps.database.db, selection, matching) : listedIds;
  return clientIds ? { clientIds } : {};
}

function toResponse({ runId, queued, joined: hasJoined }: Awaited<ReturnType<typeof startSync>>) {
  return { run_id: runId, queued, joined: hasJoined };
}
