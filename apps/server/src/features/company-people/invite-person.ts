/** Invites someone to a trader's company, resends the invitation, or ends it. Each email has a new link. */
import { randomUUID } from 'node:crypto';
import type { companyPeopleApi } from '@portal/contract/company-people.ts';
import type { Tx } from '@portal/db/database.ts';
import { memberships, teamInvitations, users } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { TraderRole } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createInvitationLink, INVITATION_TTL_MS } from '../invitations/invitation-link.ts';
import { limitInvitations } from '../invitations/limit-invitations.ts';
import { enqueueCompanyInvitation } from './company-people-emails.ts';
import { toStoredAccess, toWireRole } from './wire-access.ts';
import { lockPeopleAsOwner } from './lock-people.ts';

type Invitation = typeof teamInvitations.$inferSelect;
type InvitationCall = Call<typeof companyPeopleApi.resend>;

const isOpen = and(isNull(teamInvitations.acceptedAt), isNull(teamInvitations.revokedAt));

export function invitePerson(
  deps: AppDeps,
  { input, tenant: { companyId }, actor, caller }: Call<typeof companyPeopleApi.invite>,
): Promise<{ invitation_id: string }> {
  const { email } = input;
  const access = toStoredAccess(input);
  return deps.database.db.transaction(async (tx) => {
    await lockPeopleAsOwner(tx, companyId, actor.userId);
    await assertNotKnown(tx, companyId, email);
    await limitInvitations(deps, tx, { companyId, whom: 'company', emails: [email] });
    const id = randomUUID();
    const at = deps.clock.now();
    const { token, ...link } = createInvitationLink(deps, INVITATION_TTL_MS);
    const row = { companyId, id, email, ...access, groups: [], ...link, invitedBy: actor.userId, invitedAt: at, sentAt: at };
    await tx.insert(teamInvitations).values(row);
    await enqueueCompanyInvitation(deps, tx, { companyId, email, token, inviter: actor.fullName, role: access.role });
    const after = { email, role: input.role, permissions: access.permissions };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'company_people.invited', subject: id, after, ip: caller.ip });
    return { invitation_id: id };
  });
}

async function assertNotKnown(tx: Tx, companyId: string, email: string): Promise<void> {
  const [existingMember] = await tx
    .select({ userId: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(users.email, email)));
  if (existingMember) throw createInvalidFieldError('email', 'This person already has access. You can change their role in the list.');
  const [openInvitation] = await tx
    .select({ id: teamInvitations.id })
    .from(teamInvitations)
    .where(and(eq(teamInvitations.companyId, companyId), eq(teamInvitations.email, email), isOpen));
  if (openInvitation)
    throw createInvalidFieldError('email', 'This person has already been invited. You can resend or revoke the invitation.');
}

export function resendInvitation(deps: AppDeps, call: Call<typeof companyPeopleApi.resend>): Promise<{ done: true }> {
  return changeInvitation(deps, call, 'company_people.invitation_resent', async (tx, { companyId, id, email, role }) => {
    await limitInvitations(deps, tx, { companyId, whom: 'company', emails: [email] });
    const { token, ...link } = createInvitationLink(deps, INVITATION_TTL_MS);
    const inviter = call.actor.fullName;
    await enqueueCompanyInvitation(deps, tx, { companyId, email, token, inviter, role: role as TraderRole });
    await tx
      .update(teamInvitations)
      .set({ ...link, sentAt: deps.clock.now() })
      .where(and(eq(teamInvitations.companyId, companyId), eq(teamInvitations.id, id)));
  });
}

export function revokeInvitation(deps: AppDeps, call: Call<typeof companyPeopleApi.revoke>): Promise<{ done: true }> {
  return changeInvitation(deps, call, 'company_people.invitation_revoked', async (tx, { companyId, id }) => {
    await tx
      .update(teamInvitations)
      .set({ revokedAt: deps.clock.now() })
      .where(and(eq(teamInvitations.companyId, companyId), eq(teamInvitations.id, id)));
  });
}

function changeInvitation(
  deps: AppDeps,
  { input, tenant: { companyId }, actor, caller }: InvitationCall,
  action: string,
  change: (tx: Tx, invitation: Invitation) => Promise<void>,
): Promise<{ done: true }> {
  return deps.database.db.transaction(async (tx) => {
    await lockPeopleAsOwner(tx, companyId, actor.userId);
    const [invitation] = await tx
      .select()
      .from(teamInvitations)
      .where(and(eq(teamInvitations.companyId, companyId), eq(teamInvitations.id, input.invitation_id), isOpen))
      .for('update');
    if (!invitation) throw createNotFoundError();
    await change(tx, invitation);
    const { id, email, role } = invitation;
    const after = { email, role: toWireRole(role as TraderRole) };
    await recordAudit(tx, { companyId, at: deps.clock.now(), actor: actor.userId, action, subject: id, after, ip: caller.ip });
    return { done: true };
  });
}
