/** Handlers for position changes since yesterday. */
import type { positionChangesApi } from '@portal/contract/position-changes.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listPositionChanges } from './position-changes-queries.ts';

export function positionChangesHandlers(deps: AppDeps): Handlers<typeof positionChangesApi> {
  return { list: ({ input, tenant, actor }) => listPositionChanges(deps, tenant.practiceId, actor, input) };
}
