/** The calls of the sync. */
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
    syncData: ({ input, actor }) => getSyncData(db, input.company_id, input.tax_type, actor),
    refreshingClients: ({ input, actor }) => findRefreshing(db, input.company_id, input.tax_type, actor),
    connectionStatus: ({ input, actor }) => getConnectionStatus(db, input.company_id, input.tax_type, actor),
    accountantConnections: ({ input }) => getAccountantConnections(db, input.company_id),
    clientSyncData: ({ input }) => getClientSyncData(db, input.company_id, input.client_id),
    start: async ({ input, actor, caller }) =>
      said(await startSync(deps, input.company_id, input.tax_type, { actor, caller }, await scopeOf(deps, actor, input))),
    retry: async ({ input, actor, caller }) => {
      const scope = { ...(await scopeOf(deps, actor, input)), failedOnly: true };
      return said(await startSync(deps, input.company_id, input.tax_type, { actor, caller }, scope));
    },
    cancel: async ({ input, actor, caller }) => ({
      cancelled: await cancelSync(deps, input.company_id, input.tax_type, { actor, caller }),
    }),
  };
}

type Chosen = ClientChoice & { readonly company_id: string };

async function scopeOf(deps: AppDeps, actor: Actor, { company_id: companyId, client_ids: named, matching }: Chosen): Promise<SyncScope> {
  const by = { companyId, actor, today: deps.clock.today() };
  const clientIds = matching ? await listMatching(deps.database.db, by, matching) : named;
  return clientIds ? { clientIds } : {};
}

function said({ runId, queued, joined }: Awaited<ReturnType<typeof startSync>>) {
  return { run_id: runId, queued, joined };
}
