/**
 * Performs a proposal through the portal's ordinary writes, with a user's rights. The proposal's ID becomes that of the message, task or
 * note, so that an action repeated after a crash happens only once.
 */
import type { Access } from '@portal/contract/endpoint.ts';
import type { ActionResult, agentProposals } from '@portal/db/schema/schema.ts';
import { clientMembers, clients, workItems } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { runInScope } from '@portal/db/tenant-scope.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { ProposedAction, ProposedActionKind } from '@portal/domain/agent/proposed-action.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError, findAccessError } from '../../http/policies.ts';
import type { Caller, Reply } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { checkProposable, proposeAdvance } from '../advance-proposals/propose-advance.ts';
import { startRequests } from '../authorisation-requests/start-requests.ts';
import { addNote, removeNote } from '../client-dashboard/client-notes.ts';
import { setTags } from '../client-dashboard/client-tags.ts';
import { assignClients } from '../clients/change-clients.ts';
import { sendMessage } from '../messages/compose-message.ts';
import { startSync } from '../sync/start-sync.ts';
import { changeWorkItems } from '../work-items/change-work-items.ts';
import { createWorkItem } from '../work-items/save-work-item.ts';

/** The user on whose behalf the action is performed. */
export type ActionUser = {
  readonly companyId: string;
  readonly actor: Actor;
  readonly caller: Caller;
  readonly reply: Reply | undefined;
};

export type ApprovedAction = Pick<typeof agentProposals.$inferSelect, 'id' | 'clientId' | 'act'>;

/** The access rule of the endpoint that each action uses. */
const ACTION_ACCESS: Readonly<Record<ProposedActionKind, Access>> = {
  message: 'practice.messages',
  request_authorisation: 'practice.read',
  propose_advance: 'client.propose_advance',
  task: 'practice.work',
  assign: 'practice.manage',
  assign_task: 'practice.work',
  tag: 'client.work',
  note: 'client.work',
  refresh: 'practice.read',
  watch: 'practice.work',
};

/** Throws unless the user may do this manually. The error names a missing role, because the user sees the draft. */
export function assertMayPerform(actor: Actor, kind: ProposedActionKind): void {
  const error = findAccessError(ACTION_ACCESS[kind], actor);
  if (!error) return;
  if (error.kind !== 'notFound') throw error;
  throw new AppError('forbidden', 'agent.admin_needed', 'Only an admin of your practice can do this. Ask one to approve it.');
}

const toCall = ({ companyId, actor, caller, reply }: ActionUser) => ({
  tenant: { kind: 'practice', practiceId: companyId } as const,
  actor,
  caller,
  // The writes below don't set cookies.
  reply: reply as Reply,
  sessionToken: undefined,
});

const toClientTenant = ({ companyId }: Pick<ActionUser, 'companyId'>, clientId: string) =>
  ({ kind: 'client', practiceId: companyId, clientId }) as const;

const toClientCall = (user: ActionUser, clientId: string) => ({ ...toCall(user), tenant: toClientTenant(user, clientId) });

/**
 * Runs the work in the client's own tenant, which holds its returns (docs/decisions/0060), because the request's scope is the practice. The
 * caller has checked that the user may see the client.
 */
export function runInClientScope<Result>(
  { companyId, actor }: Pick<ActionUser, 'companyId' | 'actor'>,
  clientId: string,
  work: () => Promise<Result>,
) {
  return runInScope({ kind: 'tenant', tenantId: companyId, clientId, actorId: actor.userId }, work);
}

/** Returns why an action isn't possible at the moment and what to do, for the user who reads the draft. Null if it is possible. */
export async function findActionProblem(
  deps: AppDeps,
  person: Pick<ActionUser, 'companyId' | 'actor'>,
  { clientId, act }: Pick<ApprovedAction, 'clientId' | 'act'>,
): Promise<string | null> {
  if (act.kind !== 'propose_advance') return null;
  try {
    assertMayPerform(person.actor, act.kind);
    await runInClientScope(person, clientId, () => checkProposable(deps, toClientTenant(person, clientId), act.obligation_id));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

export async function performAction(deps: AppDeps, user: ActionUser, { id, clientId, act }: ApprovedAction): Promise<ActionResult> {
  assertMayPerform(user.actor, act.kind);
  const call = toCall(user);
  switch (act.kind) {
    case 'message': {
      const { subject, body } = act;
      const input = { message_id: id, client_ids: [clientId], recipients: 1, subject, body };
      await sendMessage(deps, { ...call, input } as Parameters<typeof sendMessage>[1]);
      return { id };
    }
    case 'request_authorisation': {
      const { run_id: runId } = await startRequests(deps, user.companyId, user, { tax: act.tax, client_ids: [clientId], count: 1 });
      return { id: runId };
    }
    case 'refresh': {
      const { runId } = await startSync(deps, user.companyId, act.tax, user, { clientIds: [clientId] });
      return { id: runId };
    }
    case 'propose_advance': {
      const proposedAdvance = { obligationId: act.obligation_id, note: act.note, proposalId: id };
      await runInClientScope(user, clientId, () => proposeAdvance(deps, user, toClientTenant(user, clientId), proposedAdvance));
      return { id };
    }
    case 'task': {
      const { kind: _kind, ...task } = act;
      await createWorkItem(deps, { ...call, input: { ...task, item_id: id, client_id: clientId, checklist: [] } });
      return { id };
    }
    case 'assign': {
      const wasPresent = await isAssigned(deps, user.companyId, clientId, act);
      await changeAssignment(deps, user, clientId, act, 'add');
      return { wasThere: wasPresent };
    }
    case 'assign_task': {
      const { replaced } = await changeWorkItems(deps, { ...call, input: { item_ids: [act.item_id], owner_id: act.user_id } });
      return { id: act.item_id, wasThere: replaced.length === 0, formerOwnerId: replaced[0]?.owner_id ?? null };
    }
    case 'tag': {
      const tags = await readTags(deps, user.companyId, clientId);
      const wasPresent = tags.some((tag) => tag.toLowerCase() === act.tag.toLowerCase());
      if (!wasPresent) await setTags(deps, { ...toClientCall(user, clientId), input: { tags: [...tags, act.tag] } });
      return { wasThere: wasPresent };
    }
    case 'note':
      await addNote(deps, { ...toClientCall(user, clientId), input: { text: act.text } }, id);
      return { id };
    case 'watch':
      throw new AppError('conflict', 'agent.nothing_to_do', 'There’s nothing to approve: this is for information only.');
  }
}

/** Reverts what an action wrote. Anything that existed before is kept, and so is what someone has changed since. */
export async function revertAction(
  deps: AppDeps,
  user: ActionUser,
  { clientId, act, result }: ApprovedAction & { result: ActionResult | null },
): Promise<void> {
  assertMayPerform(user.actor, act.kind);
  if (result === null || result.wasThere === true) return;
  const call = toCall(user);
  switch (act.kind) {
    case 'task':
      await changeWorkItems(deps, { ...call, input: { item_ids: [result.id ?? ''], remove: true } });
      return;
    case 'assign':
      await changeAssignment(deps, user, clientId, act, 'remove');
      return;
    case 'assign_task':
      if ((await readOwner(deps, user.companyId, act.item_id)) !== act.user_id) return;
      await changeWorkItems(deps, { ...call, input: { item_ids: [act.item_id], owner_id: result.formerOwnerId ?? null } });
      return;
    case 'tag': {
      const tags = await readTags(deps, user.companyId, clientId);
      const remainingTags = tags.filter((tag) => tag.toLowerCase() !== act.tag.toLowerCase());
      if (remainingTags.length < tags.length) await setTags(deps, { ...toClientCall(user, clientId), input: { tags: [...remainingTags] } });
      return;
    }
    case 'note':
      await removeNote(deps, { ...toClientCall(user, clientId), input: { note_id: result.id ?? '' } });
      return;
    default:
      throw new AppError('conflict', 'agent.not_revertible', 'This can’t be undone: it has already been sent outside the practice.');
  }
}

type Assignment = Extract<ProposedAction, { kind: 'assign' }>;

async function changeAssignment(
  deps: AppDeps,
  user: ActionUser,
  clientId: string,
  { user_id: userId, duty }: Assignment,
  action: 'add' | 'remove',
): Promise<void> {
  const input = { client_ids: [clientId], user_id: userId, duty, action };
  await assignClients(deps, { ...toCall(user), input } as Parameters<typeof assignClients>[1]);
}

async function isAssigned({ database: { db } }: AppDeps, companyId: string, clientId: string, { user_id: userId, duty }: Assignment) {
  const { companyId: company, clientId: client, userId: user, duty: dutyColumn } = clientMembers;
  const isRow = and(eq(company, companyId), eq(client, clientId), eq(user, userId), eq(dutyColumn, duty));
  return (await db.$count(clientMembers, isRow)) > 0;
}

async function readOwner({ database: { db } }: AppDeps, companyId: string, itemId: string): Promise<string | null | undefined> {
  const [task] = await db
    .select({ ownerId: workItems.ownerId })
    .from(workItems)
    .where(and(eq(workItems.companyId, companyId), eq(workItems.id, itemId)));
  return task?.ownerId;
}

async function readTags({ database: { db } }: AppDeps, companyId: string, clientId: string): Promise<readonly string[]> {
  const [row] = await db
    .select({ tags: clients.tags })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!row) throw createNotFoundError();
  return row.tags;
}
