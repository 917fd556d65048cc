import type { agentModeApi } from '@portal/contract/agent.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getAgentMode, pauseAgent, setAgentMode } from './agent-mode.ts';
import { approveProposals, editProposal, rejectProposals, revertProposal } from './decide-proposals.ts';
import { dryRunRules } from './dry-run.ts';
import { listProposals } from './proposal-queries.ts';
import { propose } from './propose.ts';
import { listAgentRules } from './rule-queries.ts';
import { excludeClient, saveAgentRule } from './save-agent-rule.ts';

export function agentModeHandlers(deps: AppDeps): Handlers<typeof agentModeApi> {
  return {
    mode: ({ tenant, actor }) => getAgentMode(deps, tenant.practiceId, actor),
    setMode: (call) => setAgentMode(deps, call),
    pause: (call) => pauseAgent(deps, call),
    dryRun: (call) => dryRunRules(deps, call),
    proposals: (call) => listProposals(deps, call),
    approve: (call) => approveProposals(deps, call),
    edit: (call) => editProposal(deps, call),
    reject: (call) => rejectProposals(deps, call),
    revert: (call) => revertProposal(deps, call),
    propose: ({ input, tenant, actor, caller }) =>
      propose(
        deps,
        { companyId: tenant.practiceId, actor, ip: caller.ip },
        { id: input.proposal_id, clientId: input.client_id, title: input.title, act: input.act },
      ),
    rules: (call) => listAgentRules(deps, call),
    saveRule: (call) => saveAgentRule(deps, call),
    exclude: (call) => excludeClient(deps, call),
  };
}
