/** Adds a proposal that no rule makes: by a user, or by the user's own assistant through a tool call. It is reviewed like any other. */
import type { ProposedAction } from '@portal/domain/agent/proposed-action.ts';
import type { Tx } from '@portal/db/database.ts';
import { agentProposals, memberships, obligations, users, workItems } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import { MANUAL_RULE_ID } from '@portal/domain/agent/agent-rules.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { assertSeesClient } from '../work-items/visible-work-items.ts';
import { runInClientScope } from './perform-action.ts';
import { assertRunning } from './agent-settings.ts';

/** The proposing user. Anyone who can see the client sees the proposal, and approves it with their own rights. */
export type ProposingPerson = { readonly companyId: string; readonly actor: Actor; readonly ip: string };

export type NewProposal = {
  /** Chosen by the caller, so that a retry with the same ID proposes only once. */
  readonly id: string;
  readonly clientId: string;
  /** Describes the proposal in one sentence. */
  readonly title: string;
  readonly act: ProposedAction;
};

/** Adds a draft to review, but doesn't send or change anything else. Throws notFound for a client that the user may not see. */
export async function propose(
  deps: AppDeps,
  { companyId, actor, ip }: ProposingPerson,
  { id, clientId, title, act: requestedAction }: NewProposal,
): Promise<{ readonly proposal_id: string }> {
  if (requestedAction.kind === 'watch') throw createInvalidFieldError('act', 'Describe what the proposal should do.');
  if (requestedAction.kind === 'propose_advance')
    await assertClientReturn(deps, { companyId, actor }, clientId, requestedAction.obligation_id);
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    await assertRunning(tx, companyId);
    await assertSeesClient(tx, companyId, actor, clientId);
    const action = await addActionNames(tx, companyId, clientId, requestedAction);
    const fact = { label: 'Proposed by', text: actor.fullName, page: 'client', source: 'practice', as_of: null } as const;
    const values = {
      companyId,
      id,
      clientId,
      ruleId: MANUAL_RULE_ID,
      ruleVersion: 1,
      subject: id,
      title,
      facts: [fact],
      ruleAct: action,
      act: action,
    };
    const addedProposals = await tx
      .insert(agentProposals)
      .values({ ...values, dueOn: NEVER_DUE, noticedAt: at, draftedOn: deps.clock.today(), proposedBy: actor.userId })
      .onConflictDoNothing()
      .returning({ id: agentProposals.id });
    if (addedProposals.length === 0) {
      const [row] = await tx
        .select({ by: agentProposals.proposedBy, client: agentProposals.clientId })
        .from(agentProposals)
        .where(and(eq(agentProposals.companyId, companyId), eq(agentProposals.id, id)));
      if (row?.by !== actor.userId) throw createNotFoundError();
      if (row.client !== clientId)
        throw new AppError('conflict', 'agent.id_used', 'This ID was used for another proposal. Choose a new one.');
      return { proposal_id: id };
    }
    const after = { act: action.kind, title, client_ids: [clientId] };
    await recordAudit(tx, { companyId, at, actor: actor.userId, ip, action: 'agent.proposed', subject: id, after });
    return { proposal_id: id };
  });
}

async function assertClientReturn(
  { database: { db } }: AppDeps,
  { companyId, actor }: Pick<ProposingPerson, 'companyId' | 'actor'>,
  clientId: string,
  obligationId: string,
): Promise<void> {
  await db.transaction((tx) => assertSeesClient(tx, companyId, actor, clientId));
  const isReturn = and(eq(obligations.companyId, clientId), eq(obligations.id, obligationId));
  const count = await runInClientScope({ companyId, actor }, clientId, () => db.$count(obligations, isReturn));
  if (count === 0) throw createInvalidFieldError('act', 'The client has no VAT return with this obligation_id.');
}

/** Replaces the names with those stored for the IDs, because the reviewer relies on them and an app can send any name. */
async function addActionNames(tx: Tx, companyId: string, clientId: string, action: ProposedAction): Promise<ProposedAction> {
  if (action.kind !== 'assign' && action.kind !== 'assign_task') return action;
  const [member] = await tx
    .select({ name: users.fullName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, action.user_id), inArray(memberships.role, PRACTICE_ROLES)));
  if (!member) throw createInvalidFieldError('act', 'The practice has no team member with this user_id.');
  if (action.kind === 'assign') return { ...action, name: member.name };
  const [task] = await tx
    .select({ title: workItems.title })
    .from(workItems)
    .where(and(eq(workItems.companyId, companyId), eq(workItems.id, action.item_id), eq(workItems.clientId, clientId)));
  if (!task) throw createInvalidFieldError('act', 'The client has no task with this item_id.');
  return { ...action, name: member.name, title: task.title };
}
