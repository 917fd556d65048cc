/** Invites users of a client by email, sends an invitation again, or ends it. Each email has a new link; only its hash is stored. */
import { randomUUID } from 'node:crypto';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientInvitations, clientPeople, memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, type SQL } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { CLIENT_INVITATION_DAYS, getInvitationState } from '@portal/domain/clients/invitation-state.ts';
import { isTraderRole } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockClient } from '../clients/lock-client.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { assertDeliverable } from '../../mail/undeliverable-addresses.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createInvitationLink } from '../invitations/invitation-link.ts';
import { insertLetter } from '../engagement/engagement-letters.ts';
import { limitInvitations } from '../invitations/limit-invitations.ts';
import { enqueueClientInvitation } from './client-portal-emails.ts';

type InviteOutcome = EndpointOutput<typeof clientInvitationsApi.send>['outcome'];
type Invitation = typeof clientInvitations.$inferSelect;
type InvitationChange = { readonly tenant: ClientTenant; readonly actor: Actor; readonly ip: string };
type InviteCall<E extends 'send' | 'resend' | 'revoke'> = Call<(typeof clientInvitationsApi)[E]>;

const DAY_MS = 86_400_000;
const isOpen = and(isNull(clientInvitations.acceptedAt), isNull(clientInvitations.revokedAt));

const toChange = ({
  tenant,
  actor,
  caller,
}: Pick<Call<typeof clientInvitationsApi.send>, 'tenant' | 'actor' | 'caller'>): InvitationChange => ({
  tenant,
  actor,
  ip: caller.ip,
});

export function inviteClientPerson(deps: AppDeps, call: InviteCall<'send'>): Promise<{ outcome: InviteOutcome }> {
  const { email } = call.input;
  const change = toChange(call);
  return deps.database.db.transaction(async (tx) => {
    await assertStillMayInvite(tx, change);
    // Two concurrent invitations would otherwise both find none.
    await lockClient(tx, change.tenant);
    if (await hasAccess(tx, change.tenant, email)) return { outcome: 'has_access' };
    await assertDeliverable(tx, change.tenant.practiceId, email);
    const [earlierInvitation] = await tx
      .select()
      .from(clientInvitations)
      .where(and(isOfClient(change.tenant), eq(clientInvitations.email, email), isOpen));
    const state = earlierInvitation && getInvitationState(earlierInvitation, deps.wallClock.now());
    if (state === 'sent' || state === 'opened') return { outcome: 'already_invited' };
    if (earlierInvitation) await resend(deps, tx, change, earlierInvitation, email);
    else await invite(deps, tx, change, email);
    if (call.input.with_letter) await insertLetter(deps, tx, { ...change, letterId: randomUUID() });
    return { outcome: 'invited' };
  });
}

/** Can send to a different email address: the new email invalidates the link sent to the old one. */
export function resendClientInvitation(deps: AppDeps, call: InviteCall<'resend'>): Promise<{ done: true }> {
  const change = toChange(call);
  return deps.database.db.transaction(async (tx) => {
    await assertStillMayInvite(tx, change);
    const invitation = await lockInvitation(tx, change.tenant, call.input.invitation_id);
    const { email = invitation.email } = call.input;
    if (email !== invitation.email) await assertNotInvited(tx, change.tenant, email);
    await assertDeliverable(tx, change.tenant.practiceId, email);
    await resend(deps, tx, change, invitation, email);
    return { done: true };
  });
}

export function revokeClientInvitation(deps: AppDeps, call: InviteCall<'revoke'>): Promise<{ done: true }> {
  const change = toChange(call);
  return deps.database.db.transaction(async (tx) => {
    const { id, email } = await lockInvitation(tx, change.tenant, call.input.invitation_id);
    await endClientInvitations(deps, tx, and(isOfClient(change.tenant), eq(clientInvitations.id, id)));
    await recordInvitationChange(deps, tx, change, 'client.invitation_revoked', { email });
    return { done: true };
  });
}

/**
 * Throws if the user has left the practice since their request was authorised. Deactivating them waits for this transaction, and then ends
 * the invitation.
 */
async function assertStillMayInvite(tx: Tx, { tenant, actor }: InvitationChange): Promise<void> {
  const [member] = await tx
    .select({ role: memberships.role, permissions: memberships.permissions })
    .from(memberships)
    .where(and(eq(memberships.companyId, tenant.practiceId), eq(memberships.userId, actor.userId)))
    .for('share');
  if (!member || isTraderRole(member.role) || !hasPracticeRight('client.invite', member.role, member.permissions))
    throw createNotFoundError();
}

/** Ends the open invitations that match. */
export async function endClientInvitations(deps: AppDeps, tx: Tx, matches: SQL | undefined): Promise<void> {
  await tx.update(clientInvitations).set({ revokedAt: deps.clock.now() }).where(and(matches, isOpen));
}

export const isOfClient = ({ practiceId, clientId }: ClientTenant) =>
  and(eq(clientInvitations.companyId, practiceId), eq(clientInvitations.clientId, clientId));

async function invite(deps: AppDeps, tx: Tx, change: InvitationChange, email: string): Promise<void> {
  const { practiceId: companyId, clientId } = change.tenant;
  await limitInvitations(deps, tx, { companyId, whom: 'clients', emails: [email] });
  const at = deps.clock.now();
  const { token, ...link } = createInvitationLink(deps, CLIENT_INVITATION_DAYS * DAY_MS);
  const row = { companyId, clientId, id: randomUUID(), email, ...link, invitedBy: change.actor.userId, invitedAt: at, sentAt: at };
  await tx.insert(clientInvitations).values(row);
  await enqueueClientInvitation(deps, tx, { ...change.tenant, email, token, inviter: change.actor });
  await recordInvitationChange(deps, tx, change, 'client.invited', { email });
}

async function resend(
  deps: AppDeps,
  tx: Tx,
  change: InvitationChange,
  { companyId, id, email: previousEmail }: Invitation,
  email: string,
): Promise<void> {
  await limitInvitations(deps, tx, { companyId, whom: 'clients', emails: [email] });
  const { token, ...link } = createInvitationLink(deps, CLIENT_INVITATION_DAYS * DAY_MS);
  // Reset the reminders: a new email, perhaps to another address, counts as a new invitation by the person who sends it.
  const resetInvitation = {
    email,
    invitedBy: change.actor.userId,
    ...link,
    sentAt: deps.clock.now(),
    openedAt: null,
    bouncedAt: null,
    reminders: 0,
    remindersEndedAt: null,
  };
  await tx
    .update(clientInvitations)
    .set(resetInvitation)
    .where(and(eq(clientInvitations.companyId, companyId), eq(clientInvitations.id, id)));
  await enqueueClientInvitation(deps, tx, { ...change.tenant, email, token, inviter: change.actor });
  await recordInvitationChange(
    deps,
    tx,
    change,
    'client.invitation_resent',
    { email },
    email === previousEmail ? undefined : { email: previousEmail },
  );
}

async function lockInvitation(tx: Tx, tenant: ClientTenant, id: string): Promise<Invitation> {
  await lockClient(tx, tenant);
  const [foundInvitation] = await tx
    .select()
    .from(clientInvitations)
    .where(and(isOfClient(tenant), eq(clientInvitations.id, id), isOpen))
    .for('update');
  if (!foundInvitation) throw createNotFoundError();
  return foundInvitation;
}

async function assertNotInvited(tx: Tx, tenant: ClientTenant, email: string): Promise<void> {
  const [otherRow] = await tx
    .select({ id: clientInvitations.id })
    .from(clientInvitations)
    .where(and(isOfClient(tenant), eq(clientInvitations.email, email), isOpen));
  if (!otherRow && !(await hasAccess(tx, tenant, email))) return;
  const problem = otherRow ? 'already has an open invitation' : 'already has access';
  throw new AppError('conflict', 'invitation.already_there', `${email} ${problem} to this client.`, { field: 'email' });
}

export async function hasAccess(tx: Tx, { practiceId, clientId }: ClientTenant, email: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(clientPeople)
    .innerJoin(users, eq(users.id, clientPeople.userId))
    .where(and(eq(clientPeople.companyId, practiceId), eq(clientPeople.clientId, clientId), eq(users.email, email)));
  return rows.length > 0;
}

function recordInvitationChange(
  deps: AppDeps,
  tx: Tx,
  { tenant, actor, ip }: InvitationChange,
  action: string,
  after: object,
  before?: object,
): Promise<void> {
  const at = deps.clock.now();
  return recordAudit(tx, { companyId: tenant.practiceId, at, actor: actor.userId, action, subject: tenant.clientId, before, after, ip });
}
