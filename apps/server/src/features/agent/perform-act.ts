/**
 * Performs a proposal through the portal's ordinary writes, with a user's rights. The proposal's ID becomes that of the message, task or
 * note, so that an act repeated after a crash happens once.
 */
import type { Access } from '@portal/contract/endpoint.ts';
import type { ActResult, agentProposals } from '@portal/db/schema/schema.ts';
import { clientMembers, clients } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { runInScope } from '@portal/db/tenant-scope.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { ActKind, ProposedAct } from '@portal/domain/agent/proposed-act.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findAccessError, notFoundError } from '../../http/policies.ts';
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

/** The user behind an act. */
export type ActingPerson = {
  readonly companyId: string;
  readonly actor: Actor;
  readonly caller: Caller;
  readonly reply: Reply | undefined;
};

export type Act = Pick<typeof agentProposals.$inferSelect, 'id' | 'clientId' | 'act'>;

/** The access rule of the endpoint that each act uses. */
const ACT_ACCESS: Readonly<Record<ActKind, Access>> = {
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
export function assertMayAct(actor: Actor, kind: ActKind): void {
  const error = findAccessError(ACT_ACCESS[kind], actor);
  if (!error) return;
  if (error.kind !== 'notFound') throw error;
  throw new AppError('forbidden', 'agent.admin_needed', 'Only an admin of your practice can do this. Ask one to approve it.');
}

const toCall = ({ companyId, actor, caller, reply }: ActingPerson) => ({
  tenant: { kind: 'practice', practiceId: companyId } as const,
  actor,
  caller,
  // The writes below set no cookies.
  reply: reply as Reply,
  sessionToken: undefined,
});

const toClientTenant = ({ companyId }: Pick<ActingPerson, 'companyId'>, clientId: string) =>
  ({ kind: 'client', practiceId: companyId, clientId }) as const;

const toClientCall = (person: ActingPerson, clientId: string) => ({ ...toCall(person), tenant: toClientTenant(person, clientId) });

/**
 * Runs the work in the client's own tenant, which holds its returns (docs/decisions/0060), because the request's scope is the practice. The
 * caller has checked that the user may see the client.
 */
export function inClientScope<Result>(
  { companyId, actor }: Pick<ActingPerson, 'companyId' | 'actor'>,
  clientId: string,
  work: () => Promise<Result>,
) {
  return runInScope({ kind: 'tenant', tenantId: companyId, clientId, actorId: actor.userId }, work);
}

/** Returns why an act can't be done at the moment and what to do, for the user who reads the draft. Null if it can. */
export async function findActProblem(
  deps: AppDeps,
  person: Pick<ActingPerson, 'companyId' | 'actor'>,
  { clientId, act }: Pick<Act, 'clientId' | 'act'>,
): Promise<string | null> {
  if (act.kind !== 'propose_advance') return null;
  try {
    assertMayAct(person.actor, act.kind);
    await inClientScope(person, clientId, () => checkProposable(deps, toClientTenant(person, clientId), act.obligation_id));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

export async function performAct(deps: AppDeps, person: ActingPerson, { id, clientId, act }: Act): Promise<ActResult> {
  assertMayAct(person.actor, act.kind);
  const call = toCall(person);
  switch (act.kind) {
    case 'message': {
      const { subject, body } = act;
      const input = { message_id: id, client_ids: [clientId], recipients: 1, subject, body };
      await sendMessage(deps, { ...call, input } as Parameters<typeof sendMessage>[1]);
      return { id };
    }
    case 'request_authorisation': {
      const { run_id: runId } = await startRequests(deps, person.companyId, person, { tax: act.tax, client_ids: [clientId], count: 1 });
      return { id: runId };
    }
    case 'refresh': {
      const { runId } = await startSync(deps, person.companyId, act.tax, person, { clientIds: [clientId] });
      return { id: runId };
    }
    case 'propose_advance': {
      const proposed = { obligationId: act.obligation_id, note: act.note, proposalId: id };
      await inClientScope(person, clientId, () => proposeAdvance(deps, person, toClientTenant(person, clientId), proposed));
      return { id };
    }
    case 'task': {
      const { kind: _kind, ...task } = act;
      await createWorkItem(deps, { ...call, input: { ...task, item_id: id, client_id: clientId, checklist: [] } });
      return { id };
    }
    case 'assign': {
      const wasThere = await isAssigned(deps, person.companyId, clientId, act);
      await changeAssignment(deps, person, clientId, act, 'add');
      return { wasThere };
    }
    case 'assign_task': {
      const { replaced } = await changeWorkItems(deps, { ...call, input: { item_ids: [act.item_id], owner_id: act.user_id } });
      return { id: act.item_id, wasThere: replaced.length === 0 };
    }
    case 'tag': {
      const tags = await readTags(deps, person.companyId, clientId);
      const wasThere = tags.some((tag) => tag.toLowerCase() === act.tag.toLowerCase());
      if (!wasThere) await setTags(deps, { ...toClientCall(person, clientId), input: { tags: [...tags, act.tag] } });
      return { wasThere };
    }
    case 'note':
      await addNote(deps, { ...toClientCall(person, clientId), input: { text: act.text } }, id);
      return { id };
    case 'watch':
      throw new AppError('conflict', 'agent.nothing_to_do', 'There is nothing to approve: the assistant only watches it.');
  }
}

/** Reverts what an act wrote. Anything that existed before stays. */
export async function revertAct(
  deps: AppDeps,
  person: ActingPerson,
  { clientId, act, result }: Act & { result: ActResult | null },
): Promise<void> {
  assertMayAct(person.actor, act.kind);
  if (result === null || result.wasThere === true) return;
  const call = toCall(person);
  switch (act.kind) {
    case 'task':
      await changeWorkItems(deps, { ...call, input: { item_ids: [result.id ?? ''], remove: true } });
      return;
    case 'assign':
      await changeAssignment(deps, person, clientId, act, 'remove');
      return;
    case 'assign_task':
      await changeWorkItems(deps, { ...call, input: { item_ids: [act.item_id], owner_id: null } });
      return;
    case 'tag': {
      const tags = await readTags(deps, person.companyId, clientId);
      const kept = tags.filter((tag) => tag.toLowerCase() !== act.tag.toLowerCase());
      if (kept.length < tags.length) await setTags(deps, { ...toClientCall(person, clientId), input: { tags: [...kept] } });
      return;
    }
    case 'note':
      await removeNote(deps, { ...toClientCall(person, clientId), input: { note_id: result.id ?? '' } });
      return;
    default:
      throw new AppError('conflict', 'agent.not_revertible', 'This can’t be undone: it has already been sent outside the practice.');
  }
}

type Assignment = Extract<ProposedAct, { kind: 'assign' }>;

async function changeAssignment(
  deps: AppDeps,
  person: ActingPerson,
  clientId: string,
  { user_id: userId, duty }: Assignment,
  action: 'add' | 'remove',
): Promise<void> {
  const input = { client_ids: [clientId], user_id: userId, duty, action };
  await assignClients(deps, { ...toCall(person), input } as Parameters<typeof assignClients>[1]);
}

async function isAssigned({ database: { db } }: AppDeps, companyId: string, clientId: string, { user_id: userId, duty }: Assignment) {
  const { companyId: company, clientId: client, userId: user, duty: as } = clientMembers;
  const isRow = and(eq(company, companyId), eq(client, clientId), eq(user, userId), eq(as, duty));
  return (await db.$count(clientMembers, isRow)) > 0;
}

async function readTags({ database: { db } }: AppDeps, companyId: string, clientId: string): Promise<readonly string[]> {
  const [row] = await db
    .select({ tags: clients.tags })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!row) throw notFoundError();
  return row.tags;
}
