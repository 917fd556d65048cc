import type { clientGroupsApi } from '@portal/contract/client-groups.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import {
  addClientsToGroup,
  createClientGroup,
  deleteClientGroup,
  removeClientsFromGroup,
  renameClientGroup,
} from './change-client-groups.ts';
import { getClientGroup, listClientGroups } from './client-groups-queries.ts';

export function clientGroupsHandlers(deps: AppDeps): Handlers<typeof clientGroupsApi> {
  const { db } = deps.database;
  return {
    list: async ({ tenant, actor }) => ({
      groups: await listClientGroups(db, tenant.practiceId, actor),
      today: deps.clock.today(),
    }),
    find: async ({ input, tenant, actor }) => ({
      group: await getClientGroup(db, tenant.practiceId, actor, input.group_id),
      today: deps.clock.today(),
    }),
    create: (call) => createClientGroup(deps, call),
    rename: (call) => renameClientGroup(deps, call),
    remove: (call) => deleteClientGroup(deps, call),
    addClients: (call) => addClientsToGroup(deps, call),
    removeClients: (call) => removeClientsFromGroup(deps, call),
  };
}
