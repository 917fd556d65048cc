/**
 * The invited person's side. The link proves the address, so it may create the account of that address. An account that exists must be logged
 * in: the link alone would bypass its second factor.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { teamInvitationsApi } from '@portal/contract/team-invitations.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, formerMemberships, memberships, teamInvitations, users } from '@portal/db/schema/schema.ts';
import { and, eq, gt, isNull } from '@portal/db/sql.ts';
import { AppError, invalidField } from '@portal/domain/app-error.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { hashToken, type Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { assertGoodPassword } from '../identity/check-new-password.ts';
import { completeSignIn, renewSessionCookie, type SignInResult } from '../identity/complete-sign-in.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { hashPassword } from '../identity/passwords.ts';
import { readReferral } from '../identity/read-referral.ts';
import { createLinkSpentError, insertUser } from '../identity/sign-in-links.ts';
import { enqueueJoined } from './team-emails.ts';
import { toWireRole } from './team-access.ts';

type Accept = Call<typeof teamInvitationsApi.accept, Actor | undefined>;
type Invitation = typeof teamInvitations.$inferSelect;

const MAX_LINKS_PER_NETWORK = 100;

function isUsable({ wallClock }: AppDeps, token: string) {
  return and(
    eq(teamInvitations.tokenHash, hashToken(token)),
    isNull(teamInvitations.acceptedAt),
    isNull(teamInvitations.revokedAt),
    gt(teamInvitations.expiresAt, wallClock.now()),
  );
}

export async function previewInvitation(
  deps: AppDeps,
  { input, caller }: Call<typeof teamInvitationsApi.preview, Actor | undefined>,
): Promise<EndpointOutput<typeof teamInvitationsApi.preview>> {
  const { db } = deps.database;
  await limitAttempts(db, deps.wallClock, { [`link-ip:${toNetwork(caller.ip)}`]: MAX_LINKS_PER_NETWORK });
  const inviter = alias(users, 'inviter');
  const [found] = await db
    .select({
      practice: companies.name,
      email: teamInvitations.email,
      role: teamInvitations.role,
      invitedBy: inviter.fullName,
      accountId: users.id,
    })
    .from(teamInvitations)
    .innerJoin(companies, eq(companies.id, teamInvitations.companyId))
    .innerJoin(inviter, eq(inviter.id, teamInvitations.invitedBy))
    .leftJoin(users, eq(users.email, teamInvitations.email))
    .where(isUsable(deps, input.token));
  if (!found) throw createLinkSpentError();
  const { practice, email, role, invitedBy, accountId } = found;
  return { practice, email, role: toWireRole(role), invited_by: invitedBy, has_account: accountId !== null };
}

export async function acceptInvitation(deps: AppDeps, call: Accept): Promise<SignInResult> {
  const { input, actor, caller, reply } = call;
  const { db } = deps.database;
  await limitAttempts(db, deps.wallClock, { [`link-ip:${toNetwork(caller.ip)}`]: MAX_LINKS_PER_NETWORK });
  const [invitation] = await db.select().from(teamInvitations).where(isUsable(deps, input.token));
  if (!invitation) throw createLinkSpentError();
  const home = { type: 'practice' as const, home_path: `${PAGES.practiceDashboard.path}?company_id=${invitation.companyId}` };
  if (actor) {
    assertInvited(actor, invitation);
    await db.transaction((tx) => join(deps, tx, input.token, { id: actor.userId, name: actor.fullName }, caller.ip));
    // New rights come with a new cookie, so that a copy of the old one is useless.
    await renewSessionCookie(deps, reply);
    return home;
  }
  const account = await prepareAccount(deps, db, call, invitation);
  const userId = await db.transaction(async (tx) => {
    const id = await insertUser(deps, tx, { ...account, email: invitation.email, phone: null, product: 'open_tax', ip: caller.ip });
    await join(deps, tx, input.token, { id, name: account.fullName }, caller.ip);
    return id;
  });
  return { ...(await completeSignIn(deps, { caller, reply }, userId, 'link')), ...home };
}

function assertInvited({ email }: Actor, invitation: Invitation): void {
  if (email === invitation.email) return;
  const message = `This invitation is for ${invitation.email}, but you’re logged in as ${email}. Log in with the invited address, or ask for an invitation to yours.`;
  throw new AppError('conflict', 'team.other_address', message);
}

/** Checks the new account's details before the transaction, because hashing a password takes time. */
async function prepareAccount(deps: AppDeps, db: Db, { input, reply }: Accept, { email }: Invitation) {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (user) throw new AppError('conflict', 'team.log_in_first', `${email} has an account. Log in to accept the invitation.`);
  const { full_name: fullName, password } = input;
  if (fullName === undefined) throw invalidField('full_name', 'Enter your full name');
  if (password !== undefined) await assertGoodPassword(deps, { field: 'password', password, about: [email, fullName] });
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return { fullName, passwordHash, referral: readReferral(reply.request.cookies, undefined, deps.clock.now()) };
}

/** Uses the invitation: of two at the same moment, the second finds it used. */
async function join(deps: AppDeps, tx: Tx, token: string, person: { id: string; name: string }, ip: string): Promise<void> {
  const at = deps.clock.now();
  const [invitation] = await tx
    .update(teamInvitations)
    .set({ acceptedAt: at, acceptedBy: person.id })
    .where(isUsable(deps, token))
    .returning();
  if (!invitation) throw createLinkSpentError();
  const { companyId, id, email, role, permissions, teamRoleId, groups, invitedBy } = invitation;
  const access = { role, permissions, teamRoleId, groups };
  await tx
    .insert(memberships)
    .values({ companyId, userId: person.id, ...access, createdAt: at })
    .onConflictDoNothing();
  await tx.delete(formerMemberships).where(and(eq(formerMemberships.companyId, companyId), eq(formerMemberships.userId, person.id)));
  await recordAudit(tx, {
    companyId,
    at,
    actor: person.id,
    action: 'team.joined',
    subject: person.id,
    after: { invitation_id: id, email, ...access, role: toWireRole(role) },
    ip,
  });
  await enqueueJoined(deps, tx, invitedBy, { companyId, email, name: person.name });
}
