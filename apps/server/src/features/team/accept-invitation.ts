/**
 * Accepting an invitation to a practice’s team or a trader’s company. Code shared with invitations to clients is in features/invitations/.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { teamInvitationsApi } from '@portal/contract/team-invitations.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, formerMemberships, memberships, teamInvitations, users } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { isTraderRole, type Role } from '@portal/domain/identity/roles.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { SignInResult } from '../identity/complete-sign-in.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { createLinkSpentError } from '../identity/sign-in-links.ts';
import { enqueueCompanyJoined } from '../company-people/company-people-emails.ts';
import { toWireRole as toCompanyWireRole } from '../company-people/wire-access.ts';
import { acceptWithAccount, type InvitedPerson } from '../invitations/accept-with-account.ts';
import { lockOpenCompany } from '../identity/lock-open-company.ts';
import { isUsableInvitation, MAX_INVITATION_LINKS_PER_NETWORK } from '../invitations/invitation-link.ts';
import { enqueueJoinedEmail } from './team-emails.ts';
import { toWireRole } from './team-access.ts';

type AcceptInvitationCall = Call<typeof teamInvitationsApi.accept, Actor | undefined>;
const isUsable = (deps: AppDeps, token: string) => isUsableInvitation(deps, teamInvitations, token);

export async function previewInvitation(
  deps: AppDeps,
  { input, caller }: Call<typeof teamInvitationsApi.preview, Actor | undefined>,
): Promise<EndpointOutput<typeof teamInvitationsApi.preview>> {
  const { db } = deps.database;
  await limitAttempts(db, deps.wallClock, { [`link-ip:${toNetwork(caller.ip)}`]: MAX_INVITATION_LINKS_PER_NETWORK });
  const inviter = alias(users, 'inviter');
  const [foundInvitation] = await db
    .select({
      company: companies.name,
      email: teamInvitations.email,
      role: teamInvitations.role,
      invitedBy: inviter.fullName,
      accountId: users.id,
    })
    .from(teamInvitations)
    .innerJoin(companies, eq(companies.id, teamInvitations.companyId))
    .innerJoin(inviter, eq(inviter.id, teamInvitations.invitedBy))
    .leftJoin(users, eq(users.email, teamInvitations.email))
    .where(and(isUsable(deps, input.token), isNull(companies.closedAt)));
  if (!foundInvitation) throw createLinkSpentError();
  const { company, email, role, invitedBy, accountId } = foundInvitation;
  return {
    company,
    email,
    role: isTraderRole(role) ? toCompanyWireRole(role) : toWireRole(role),
    invited_by: invitedBy,
    has_account: accountId !== null,
  };
}

export async function acceptInvitation(deps: AppDeps, call: AcceptInvitationCall): Promise<SignInResult> {
  const { token } = call.input;
  const { ip } = call.caller;
  const { db } = deps.database;
  await limitAttempts(db, deps.wallClock, { [`link-ip:${toNetwork(ip)}`]: MAX_INVITATION_LINKS_PER_NETWORK });
  const [invitation] = await db.select().from(teamInvitations).where(isUsable(deps, token));
  if (!invitation) throw createLinkSpentError();
  return acceptWithAccount(deps, call, {
    email: invitation.email,
    product: isTraderRole(invitation.role) ? 'instant_vat' : 'open_tax',
    home: getHome(invitation),
    isUsable: async () => (await db.$count(teamInvitations, isUsable(deps, token))) > 0,
    join: (tx, person) => joinTeam(deps, tx, token, person, ip),
  });
}

function getHome({ companyId, role }: { readonly companyId: string; readonly role: Role }): SignInResult {
  const query = `?company_id=${companyId}`;
  if (isTraderRole(role)) return { type: 'trader', home_path: PAGES.dashboard.path + query };
  return { type: 'practice', home_path: PAGES.practiceDashboard.path + query };
}

/** Uses up the invitation. Of two concurrent requests, the second finds it used. */
async function joinTeam(deps: AppDeps, tx: Tx, token: string, person: InvitedPerson, ip: string): Promise<void> {
  const at = deps.clock.now();
  const [foundInvitation] = await tx.select({ companyId: teamInvitations.companyId }).from(teamInvitations).where(isUsable(deps, token));
  // Locks the company first, like every change to its members, so that a custom role can't change in between.
  if (!foundInvitation || !(await lockOpenCompany(tx, foundInvitation.companyId))) throw createLinkSpentError();
  const [invitation] = await tx
    .update(teamInvitations)
    .set({ acceptedAt: at, acceptedBy: person.id })
    .where(isUsable(deps, token))
    .returning();
  if (!invitation) throw createLinkSpentError();
  const { companyId, id, email, role, permissions, teamRoleId, groups, invitedBy } = invitation;
  const access = { role, permissions, teamRoleId, groups };
  await assertNotDeactivated(tx, companyId, person.id);
  await tx
    .insert(memberships)
    .values({ companyId, userId: person.id, ...access, createdAt: at })
    .onConflictDoNothing();
  await recordAudit(tx, {
    companyId,
    at,
    actor: person.id,
    action: isTraderRole(role) ? 'company_people.joined' : 'team.joined',
    subject: person.id,
    after: { invitation_id: id, email, ...access, role: isTraderRole(role) ? toCompanyWireRole(role) : toWireRole(role) },
    ip,
  });
  if (isTraderRole(role)) await enqueueCompanyJoined(deps, tx, { companyId, email, name: person.name, role });
  else await enqueueJoinedEmail(deps, tx, invitedBy, { companyId, email, name: person.name });
}

/** Only an admin can reactivate a former member, who then gets their earlier access back. */
async function assertNotDeactivated(tx: Tx, companyId: string, userId: string): Promise<void> {
  const [formerMembership] = await tx
    .select({ userId: formerMemberships.userId })
    .from(formerMemberships)
    .where(and(eq(formerMemberships.companyId, companyId), eq(formerMemberships.userId, userId)));
  if (!formerMembership) return;
  throw new AppError('conflict', 'team.deactivated', 'You’ve worked at this practice before. Ask one of its admins to reactivate you.');
}
