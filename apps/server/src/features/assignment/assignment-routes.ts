import type { assignmentApi } from '@portal/contract/assignment.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listAssignmentRules, saveAssignmentRules } from './assignment-rules.ts';
import { handOverClients } from './hand-over-clients.ts';
import { countWorkload } from './workload-queries.ts';

export function assignmentHandlers(deps: AppDeps): Handlers<typeof assignmentApi> {
  return {
    workload: ({ tenant }) => countWorkload(deps.database.db, tenant.practiceId, deps.clock.today()),
    rules: ({ tenant }) => listAssignmentRules(deps.database.db, tenant.practiceId),
    saveRules: (call) => saveAssignmentRules(deps, call),
    handOver: (call) => handOverClients(deps, call),
  };
}
