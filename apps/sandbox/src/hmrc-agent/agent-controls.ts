/** Controls for agents and their clients, used by the sandbox's control page. HMRC has no equivalent. */
import { AppError } from '@portal/domain/app-error.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { REQUESTS_PER_SECOND } from '../hmrc/gateway.ts';
import { openHmrcContext, type HmrcContext, type HmrcSimulatorDeps } from '../hmrc/hmrc-context.ts';
import { loadPortfolio, findLoadedPortfolio } from '../portfolio/loaded-portfolio.ts';
import { OAKLINE } from '../portfolio/oakline.ts';
import type { Portfolio, PortfolioRecipe } from '../portfolio/portfolio-client.ts';
import { toClientActionUrl } from './agent-authorisation-service.ts';
import { answerInvitation, endRelationship, getInvitationStatus } from './agent-authority.ts';
import type { AgentServiceWire, InvitationRecord, RelationshipRecord } from './agent-records.ts';

/** An agent with a separate sign-in, for fixed seed data instead of generated users. */
export type SeededAgent = {
  readonly userId: string;
  readonly password: string;
  readonly name: string;
  readonly arn: string;
  readonly emailAddress: string;
};

/** A request with its current status and the client's link. */
export type InvitationView = Omit<InvitationRecord, 'status'> & {
  readonly status: InvitationRecord['status'] | 'Expired';
  readonly clientActionUrl: string;
};

export type AgentControls = {
  /** Creates the agent. Running it again changes nothing. */
  seedAgent(agent: SeededAgent): void;
  /** Loads Oakline's clients as a layer beneath HMRC's records and the company register, and creates Oakline's agent sign-in. */
  loadPortfolio(recipe: PortfolioRecipe): Portfolio;
  findPortfolio(): Portfolio | undefined;
  /** Lists the agent's authorisation requests, newest first. */
  listInvitations(arn: string): InvitationView[];
  listRelationships(arn: string): RelationshipRecord[];
  /** Records the client's answer. Throws when the request is no longer open. */
  answerInvitation(invitationId: string, decision: 'accept' | 'reject'): void;
  /** Revokes the authorisation as the client does in their HMRC account. Returns false when there is none. */
  revoke(arn: string, service: AgentServiceWire, clientId: string): boolean;
  /** Replaces HMRC's limit of 3 requests a second, for loading thousands of clients and for benchmarks; undefined restores it. */
  setRequestsPerSecond(limit: number | undefined): void;
};

export function createAgentControls(deps: HmrcSimulatorDeps): AgentControls {
  const context = openHmrcContext(deps);
  const oakline: SeededAgent = { ...OAKLINE, userId: OAKLINE.hmrcUserId, password: OAKLINE.hmrcPassword };
  return {
    seedAgent: (agent) => seedAgent(context, agent),
    loadPortfolio: (recipe) => {
      seedAgent(context, oakline);
      return loadPortfolio(context.store, recipe);
    },
    findPortfolio: () => findLoadedPortfolio(context.store),
    listInvitations: (arn) =>
      context.records
        .invitations(arn)
        .list()
        .map(({ document }) => ({
          ...document,
          status: getInvitationStatus(context, document),
          clientActionUrl: toClientActionUrl(context, document),
        }))
        .sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1)),
    listRelationships: (arn) =>
      context.records
        .relationships(arn)
        .list()
        .map(({ document }) => document),
    answerInvitation: (invitationId, decision) => void answerInvitation(context, invitationId, decision),
    revoke: (arn, service, clientId) => endRelationship(context, arn, service, clientId),
    setRequestsPerSecond: (limit) => {
      if (limit === undefined) context.records.settings.delete(REQUESTS_PER_SECOND);
      else context.records.settings.put(REQUESTS_PER_SECOND, limit);
    },
  };
}

function seedAgent(context: HmrcContext, { userId, password, name, arn, emailAddress }: SeededAgent): void {
  const parsedArn = parseArn(arn);
  if (!parsedArn.ok) throw new AppError('invalid', 'hmrc.arn_malformed', parsedArn.reason);
  if (context.records.users.get(userId)) return;
  context.records.users.put(userId, {
    userId,
    password,
    kind: 'agent',
    fullName: name,
    emailAddress,
    services: ['agent-services'],
    identifiers: { agentServicesAccountNumber: parsedArn.value },
  });
}
