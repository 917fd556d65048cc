import type { advanceProposalsApi } from '@portal/contract/advance-proposals.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { declineProposal, recordProposalView, shareFigures, startProposal } from './answer-proposal.ts';
import { getProposal, listOwnProposals } from './proposal-queries.ts';
import { proposeAdvance, withdrawProposal } from './propose-advance.ts';

export function advanceProposalsHandlers(deps: AppDeps): Handlers<typeof advanceProposalsApi> {
  return {
    get: ({ input, tenant, actor }) => getProposal(deps, tenant, actor, input.obligation_id),
    propose: async ({ input, tenant, actor, caller }) => {
      await proposeAdvance(deps, { actor, caller }, tenant, { obligationId: input.obligation_id, note: input.note });
      return getProposal(deps, tenant, actor, input.obligation_id);
    },
    withdraw: async ({ input, tenant, actor, caller }) => {
      await withdrawProposal(deps, { actor, caller }, tenant, input.proposal_id);
      return getProposal(deps, tenant, actor, input.obligation_id);
    },
    ownList: ({ tenant, actor }) => listOwnProposals(deps, tenant, actor),
    see: async ({ input, tenant, actor, caller }) => {
      await recordProposalView(deps, { actor, caller }, tenant, input.proposal_id);
      return listOwnProposals(deps, tenant, actor);
    },
    start: async ({ input, tenant, actor, caller }) => {
      await startProposal(deps, { actor, caller }, tenant, { proposalId: input.proposal_id, shareFigures: input.share_figures });
      return listOwnProposals(deps, tenant, actor);
    },
    shareFigures: async ({ input, tenant, actor, caller }) => {
      await shareFigures(deps, { actor, caller }, tenant, { proposalId: input.proposal_id, share: input.share });
      return listOwnProposals(deps, tenant, actor);
    },
    decline: async ({ input, tenant, actor, caller }) => {
      await declineProposal(deps, { actor, caller }, tenant, { proposalId: input.proposal_id, reason: input.reason });
      return listOwnProposals(deps, tenant, actor);
    },
  };
}
