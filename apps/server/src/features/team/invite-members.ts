/** Invites colleagues by email, and resends or ends invitations. Each email has a new link, of which only the hash is stored. */
import { randomUUID } from 'node:crypto';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { teamApi } from '@portal/contract/team.ts';
import type { Tx } from '@portal/db/database.ts';
import { formerMemberships, memberships, teamInvitations, users } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import { PRACTICE_ROLES, type PracticeRole } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createInvitationLink, INVITATION_TTL_MS } from '../invitations/invitation-link.ts';
import { limitInvitations } from '../invitations/limit-invitations.ts';
import { endInvitations, isOpenInvitation } from './end-invitations.ts';
import { enqueueInvitation } from './team-emails.ts';
import { lockTeam } from './lock-team.ts';
import { resolveAccess, toWireRole, type TeamAccess } from './team-access.ts';

type InviteOutcome = EndpointOutput<typeof teamApi.invite>['results'][number]['outcome'];
type Invitation = typeof teamInvitations.$inferSelect;
type InviteContext = { readonly companyId: string; readonly actor: Actor; readonly ip: string };

export function inviteMembers(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof teamApi.invite>,
): Promise<EndpointOutput<typeof teamApi.invite>> {
  const change = { companyId: tenant.practiceId, actor, ip: caller.ip };
  const emails = [...new Set(input.emails)];
  return deps.database.db.transaction(async (tx) => {
    await lockTeam(tx, change.companyId, actor);
    const access = await resolveAccess(tx, change.companyId, input);
    const knownUsers = await findKnownAddresses(tx, change.companyId, emails);
    const now = deps.wallClock.now();
    const results = emails.map((email): { email: string; outcome: InviteOutcome } => {
      const invitation = knownUsers.invitations.get(email);
      return { email, outcome: knownUsers.people.get(email) ?? (invitation && invitation.expiresAt > now ? 'already_invited' : 'invited') };
    });
    const invitedEmails = results.flatMap(({ email, outcome }) => (outcome === 'invited' ? [email] : []));
    await limitInvitations(deps, tx, { companyId: change.companyId, whom: 'team', emails: invitedEmails });
    for (const email of invitedEmails) await invite(deps, tx, change, { email, access, expiredId: knownUsers.invitations.get(email)?.id });
    return { results };
  });
}

/** Finds which of the email addresses belong to current or former members, and which have open invitations. */
async function findKnownAddresses(tx: Tx, companyId: string, emails: readonly string[]) {
  const currentMembers = await tx
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), inArray(memberships.role, PRACTICE_ROLES), inArray(users.email, [...emails])));
  const formerMembers = await tx
    .select({ email: users.email })
    .from(formerMemberships)
    .innerJoin(users, eq(users.id, formerMemberships.userId))
    .where(and(eq(formerMemberships.companyId, companyId), inArray(users.email, [...emails])));
  const invitations = await tx
    .select()
    .from(teamInvitations)
    .where(and(eq(teamInvitations.companyId, companyId), inArray(teamInvitations.email, [...emails]), isOpenInvitation));
  const outcomesByEmail = new Map<string, InviteOutcome>([
    ...formerMembers.map(({ email }) => [email, 'deactivated'] as const),
    ...currentMembers.map(({ email }) => [email, 'member'] as const),
  ]);
  return { people: outcomesByEmail, invitations: new Map(invitations.map((invitation) => [invitation.email, invitation])) };
}

type NewInvitation = { readonly email: string; readonly access: TeamAccess; readonly expiredId: string | undefined };

async function invite(deps: AppDeps, tx: Tx, change: InviteContext, { email, access, expiredId }: NewInvitation): Promise<void> {
  const { companyId, actor } = change;
  // Replaces an expired invitation to the same address, because its role may differ.
  if (expiredId !== undefined) await endInvitations(tx, companyId, deps.clock.now(), eq(teamInvitations.id, expiredId));
  const id = randomUUID();
  const at = deps.clock.now();
  const { token, ...link } = createInvitationLink(deps, INVITATION_TTL_MS);
  const row = { companyId, id, email, ...access, ...link, invitedBy: actor.userId, invitedAt: at, sentAt: at };
  await tx.insert(teamInvitations).values(row);
  await enqueueInvitation(deps, tx, { companyId, email, token, inviter: actor.fullName, role: access.role });
  await recordInvitation(deps, tx, change, 'team.invited', id, { email, ...access, role: toWireRole(access.role) });
}

export function resendInvitation(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof teamApi.resend>): Promise<{ done: true }> {
  const change = { companyId: tenant.practiceId, actor, ip: caller.ip };
  return deps.database.db.transaction(async (tx) => {
    await lockTeam(tx, change.companyId, actor);
    const { id, companyId, email, role } = await lockInvitation(tx, change.companyId, input.invitation_id);
    await limitInvitations(deps, tx, { companyId, whom: 'team', emails: [email] });
    const { token, ...link } = createInvitationLink(deps, INVITATION_TTL_MS);
    await tx
      .update(teamInvitations)
      .set({ ...link, sentAt: deps.clock.now() })
      .where(and(eq(teamInvitations.companyId, companyId), eq(teamInvitations.id, id)));
    await enqueueInvitation(deps, tx, { companyId, email, token, inviter: actor.fullName, role });
    await recordInvitation(deps, tx, change, 'team.invitation_resent', id, { email });
    return { done: true };
  });
}

export function revokeInvitation(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof teamApi.revoke>): Promise<{ done: true }> {
  const change = { companyId: tenant.practiceId, actor, ip: caller.ip };
  return deps.database.db.transaction(async (tx) => {
    await lockTeam(tx, change.companyId, actor);
    const { id, companyId, email } = await lockInvitation(tx, change.companyId, input.invitation_id);
    await endInvitations(tx, companyId, deps.clock.now(), eq(teamInvitations.id, id));
    await recordInvitation(deps, tx, change, 'team.invitation_revoked', id, { email });
    return { done: true };
  });
}

async function lockInvitation(tx: Tx, companyId: string, id: string): Promise<Invitation & { readonly role: PracticeRole }> {
  const [foundInvitation] = await tx
    .select()
    .from(teamInvitations)
    .where(and(eq(teamInvitations.companyId, companyId), eq(teamInvitations.id, id), isOpenInvitation))
    .for('update');
  if (!foundInvitation) throw createNotFoundError();
  return { ...foundInvitation, role: foundInvitation.role as PracticeRole };
}

function recordInvitation(
  deps: AppDeps,
  tx: Tx,
  { companyId, actor, ip }: InviteContext,
  action: string,
  subject: string,
  after: object,
): Promise<void> {
  return recordAudit(tx, { companyId, at: deps.clock.now(), actor: actor.userId, action, subject, after, ip });
}
