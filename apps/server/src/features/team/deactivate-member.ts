/** Ends a user's access to a practice, once each of their duties has a successor. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { teamApi } from '@portal/contract/team.ts';
import type { Tx } from '@portal/db/database.ts';
import { authorisationStates, calendarFeeds, clientMembers, memberships, teamInvitations, users } from '@portal/db/schema/schema.ts';
import { and, eq, or, sql } from '@portal/db/sql.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { Duty } from '@portal/domain/clients/client.ts';
import { assertMayLeave } from '@portal/domain/team/member-rules.ts';
import { createHandOverChangedError } from '@portal/domain/team/plan-hand-over.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { endLeaversClientAccess } from '../client-portal/client-people.ts';
import { endMemberships } from '../data-protection/close-company.ts';
import { endAllSignIns } from '../identity/end-sign-ins.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { endLeaversMailbox } from '../mailbox/record-mailbox-loss.ts';
import { isMember, recordMemberChange, type TeamCall } from './change-member.ts';
import { handOverWork } from '../work-items/change-work-items.ts';
import { handOverDuty, lockMemberClients } from './hand-over.ts';
import { endInvitations } from './end-invitations.ts';
import { getMember, lockTeam, type LockedMember } from './lock-team.ts';
import { groupDutiesByMember, planHandOverOfDuties } from './plan-hand-over.ts';
import { toWireRole } from './team-access.ts';
import { enqueueAccessEnded } from './team-emails.ts';

type Deactivate = Call<typeof teamApi.deactivate>;
type Result = EndpointOutput<typeof teamApi.deactivate>;

export async function deactivateMember(deps: AppDeps, call: Deactivate): Promise<Result> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  // In these cases, the split depends on the leaver's clients, so the user must have seen a preview.
  if (input.plan === undefined && (input.shared ?? input.exceptions) !== undefined)
    throw createInvalidFieldError('plan', 'Preview the handover, then send the plan that the preview returned.');
  return deps.database.db.transaction(async (tx) => {
    const team = await lockTeam(tx, companyId, actor);
    const member = getMember(team, input.user_id);
    assertMayLeave({ actorId: actor.userId, userId: member.userId, ownerId: team.ownerId });
    // Any change that assigns clients to the member also locks this row, so nothing can be assigned to a leaver.
    await tx.select({ userId: memberships.userId }).from(memberships).where(isMember(companyId, member.userId)).for('update');
    await lockMemberClients(tx, companyId, member.userId);
    const { duties, plan } = await planHandOverOfDuties(tx, companyId, team, input);
    if (input.plan !== undefined && input.plan !== plan) throw createHandOverChangedError();
    const handOverResult = await handOver(deps, tx, call, groupDutiesByMember(duties));
    await endMembership(deps, tx, call, member);
    await enqueueTotals(deps, tx, companyId);
    return handOverResult;
  });
}

/** Counts the clients per duty. */
export async function countHeldDuties(tx: Pick<Tx, 'select'>, companyId: string, userId: string): Promise<Partial<Record<Duty, number>>> {
  const rows = await tx
    .select({ duty: clientMembers.duty, clients: sql`count(*)`.mapWith(Number) })
    .from(clientMembers)
    .where(and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, userId)))
    .groupBy(clientMembers.duty);
  return Object.fromEntries(rows.map(({ duty, clients }) => [duty, clients]));
}

async function handOver(deps: AppDeps, tx: Tx, call: Deactivate, parts: ReturnType<typeof groupDutiesByMember>): Promise<Result> {
  const { input, tenant } = call;
  const { practiceId: companyId } = tenant;
  const at = deps.clock.now();
  const [movedClients, leftClients] = [new Set<string>(), new Set<string>()];
  for (const { duty, toId, clientIds } of parts) {
    const ids = await handOverDuty(tx, { companyId, fromId: input.user_id, toId, duty, at, clientIds });
    for (const id of ids) (toId === null ? leftClients : movedClients).add(id);
    if (toId !== null) await handOverWork(tx, { companyId, fromId: input.user_id, toId, clientIds: ids });
    await recordHandOver(deps, tx, call, { fromId: input.user_id, toId, duty, ids });
  }
  // Tasks move with their clients. The rest become unassigned, for an admin to assign.
  await handOverWork(tx, { companyId, fromId: input.user_id, toId: null });
  await upsertClientRows(tx, companyId, [...new Set([...movedClients, ...leftClients])]);
  return { handed_over: movedClients.size, left_open: leftClients.size };
}

type HandedOverClients = { readonly fromId: string; readonly toId: string | null; readonly duty: Duty; readonly ids: readonly string[] };

/** One entry per duty with all its clients, as for every bulk change. Without `toId`, the duty is now unassigned. */
export async function recordHandOver(deps: AppDeps, tx: Tx, call: TeamCall, { fromId, toId, duty, ids }: HandedOverClients): Promise<void> {
  const after = { from_user_id: fromId, ...(toId === null ? {} : { user_id: toId }), duty, client_ids: ids };
  await recordMemberChange(deps, tx, call, {
    action: 'clients.handed_over',
    subject: ids.length === 1 ? (ids[0] ?? '') : `${ids.length} clients`,
    after,
  });
}

/** Afterwards, the user can't reach the practice from anywhere in the portal. */
async function endMembership(deps: AppDeps, tx: Tx, call: Deactivate, member: LockedMember): Promise<void> {
  const { input, actor } = call;
  const { companyId, userId, role } = member;
  const successors = { ...input.successors, ...input.shared };
  await endMemberships(tx, companyId, deps.clock.now(), { userId, deactivatedBy: actor.userId, successors });
  await endAllSignIns(tx, userId);
  // Deletes everything that would work without a session, or that could be completed once the session has ended.
  await tx.delete(calendarFeeds).where(and(eq(calendarFeeds.companyId, companyId), eq(calendarFeeds.userId, userId)));
  await tx.delete(authorisationStates).where(and(eq(authorisationStates.companyId, companyId), eq(authorisationStates.userId, userId)));
  // A leaver may have invited another address of their own, or have an open invitation themselves.
  const [{ email } = { email: '' }] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const isTheirs = or(eq(teamInvitations.invitedBy, userId), eq(teamInvitations.email, email));
  await endInvitations(tx, companyId, deps.clock.now(), isTheirs);
  await endLeaversClientAccess(deps, tx, { companyId, userId, endedBy: actor.userId, ip: call.caller.ip });
  await endLeaversMailbox(deps, tx, companyId, userId);
  await recordMemberChange(deps, tx, call, { action: 'team.deactivated', subject: userId, after: { role: toWireRole(role), successors } });
  await enqueueAccessEnded(deps, tx, { companyId, userId });
}
