import type { connectionsApi } from '@portal/contract/connections.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listConnections } from './connections-queries.ts';

export function connectionsHandlers(deps: AppDeps): Handlers<typeof connectionsApi> {
  return { list: ({ actor }) => listConnections(deps, actor.userId) };
}
