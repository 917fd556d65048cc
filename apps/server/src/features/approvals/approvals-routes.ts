import type { approvalsApi } from '@portal/contract/approvals.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listApprovals } from './approvals-queries.ts';
import { decideApproval } from './decide-approval.ts';

export function approvalsHandlers(deps: AppDeps): Handlers<typeof approvalsApi> {
  return {
    list: ({ actor }) => listApprovals(deps.database.db, actor),
    approve: (call) => decideApproval(deps, call, 'approved'),
    reject: (call) => decideApproval(deps, call, 'rejected'),
    withdraw: (call) => decideApproval(deps, call, 'withdrawn'),
  };
}
