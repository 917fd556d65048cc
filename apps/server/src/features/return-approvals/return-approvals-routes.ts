import type { returnApprovalsApi } from '@portal/contract/return-approvals.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { approveReturn, queryReturn, replyToClient } from './answer-approval.ts';
import { getApproval, getOwnReturn, listOwnReturns } from './approval-queries.ts';
import { listStages } from './list-stages.ts';
import { recordOutsideApproval, sendForApproval, withdrawApproval } from './send-for-approval.ts';

export function returnApprovalsHandlers(deps: AppDeps): Handlers<typeof returnApprovalsApi> {
  return {
    stages: ({ input, tenant, actor }) => listStages(deps, tenant.practiceId, actor, input),
    get: ({ input, tenant, actor }) => getApproval(deps, tenant, actor, input.obligation_id),
    send: async ({ input, tenant, actor, caller }) => {
      const { obligation_id: obligationId, figures_version: figuresVersion, text } = input;
      await sendForApproval(deps, { actor, caller }, tenant, { obligationId, figuresVersion, text });
      return getApproval(deps, tenant, actor, obligationId);
    },
    withdraw: async ({ input, tenant, actor, caller }) => {
      const { obligation_id: obligationId, approval_id: approvalId } = input;
      await withdrawApproval(deps, { actor, caller }, tenant, { obligationId, approvalId });
      return getApproval(deps, tenant, actor, obligationId);
    },
    stateOutside: async ({ input, tenant, actor, caller }) => {
      const { obligation_id: obligationId, figures_version: figuresVersion, reason } = input;
      await recordOutsideApproval(deps, { actor, caller }, tenant, { obligationId, figuresVersion, reason });
      return getApproval(deps, tenant, actor, obligationId);
    },
    answer: async ({ input, tenant, actor, caller }) => {
      const { obligation_id: obligationId, message_id: messageId, text } = input;
      await replyToClient(deps, { actor, caller }, tenant, { obligationId, messageId, text });
      return getApproval(deps, tenant, actor, obligationId);
    },
    ownList: ({ tenant }) => listOwnReturns(deps, tenant),
    ownGet: ({ input, tenant }) => getOwnReturn(deps, tenant, input.approval_id),
    approve: async ({ input, tenant, actor, caller }) => {
      await approveReturn(deps, { actor, caller }, tenant, { approvalId: input.approval_id, digest: input.digest });
      return getOwnReturn(deps, tenant, input.approval_id);
    },
    ask: async ({ input, tenant, actor, caller }) => {
      const { approval_id: approvalId, message_id: messageId, text } = input;
      await queryReturn(deps, { actor, caller }, tenant, { approvalId, messageId, text });
      return getOwnReturn(deps, tenant, approvalId);
    },
  };
}
