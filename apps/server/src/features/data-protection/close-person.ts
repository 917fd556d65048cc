/**
 * Closes a user's account permanently. Identifying details leave `users` immediately, so that no sign-in or invitation can find the user.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { dataProtectionApi } from '@portal/contract/data-protection.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import {
  authenticators,
  authorisationStates,
  calendarFeeds,
  challenges,
  clientMembers,
  closedAccounts,
  companies,
  deskViews,
  emailChanges,
  formerMemberships,
  identities,
  knownDevices,
  loginLinks,
  memberships,
  operators,
  partnerContacts,
  passkeys,
  practiceTotals,
  recoveryCodes,
  savedViews,
  sessions,
  signInStates,
  teamInvitations,
  users,
} from '@portal/db/schema/schema.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, or, sql } from '@portal/db/sql.ts';
import { deleteBooksGrants } from '../identity/sign-up-books.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { leaveAllClients } from '../client-portal/client-people.ts';
import { endLeaversInvitations } from '../client-portal/end-leavers-invitations.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { endLeaversMailbox } from '../mailbox/record-mailbox-loss.ts';
import { endInvitations } from '../team/end-invitations.ts';
import { assertNoBlockers, endMemberships, isSameText } from './close-company.ts';
import { getPersonFacts } from './closing-facts.ts';
import { createPersonClosedEmail } from './closing-emails.ts';
import type { Blocker } from './company-blockers.ts';

type PersonClosing = EndpointOutput<typeof dataProtectionApi.personClosing>;

/** Shown where a record refers to an account whose name was erased. */
export const CLOSED_NAME = 'Closed account';

/** RFC 2606 reserves the domain, so no mailbox has the address and its ownership can't be proved. */
export const toClosedEmail = (userId: string): string => `closed-${userId}@account.invalid`;

export async function describePersonClosing(deps: AppDeps, actor: Actor): Promise<PersonClosing> {
  const { db } = deps.database;
  return {
    confirm_with: actor.email,
    blockers: await listPersonBlockers(db, actor.userId),
    ...getPersonFacts(deps.clock.today(), await hasWorkedForCompany(db, actor.userId)),
  };
}

export async function closePerson(deps: AppDeps, actor: Actor, confirmWith: string, ip: string): Promise<void> {
  const { userId, email } = actor;
  if (!isSameText(confirmWith, email)) throw createInvalidFieldError('confirm_with', `Type your email address exactly: ${email}`);
  await deps.database.db.transaction(async (tx) => {
    const at = deps.clock.now();
    const ownMemberships = await tx.select({ companyId: memberships.companyId }).from(memberships).where(eq(memberships.userId, userId));
    // Two owners who leave at the same moment could otherwise leave a company without one.
    for (const { companyId } of ownMemberships.toSorted((a, b) => a.companyId.localeCompare(b.companyId))) await lockCompany(tx, companyId);
    assertNoBlockers(await listPersonBlockers(tx, userId));
    const hasHistory = await hasWorkedForCompany(tx, userId);
    const facts = getPersonFacts(deps.clock.today(), hasHistory);
    await enqueueEmail(deps, tx, email, createPersonClosedEmail(deps.site.brand, { at, facts }));
    for (const { companyId } of ownMemberships) await leaveCompany(deps, tx, { companyId, userId, at, ip });
    await leaveAllClients(deps, tx, userId, ip);
    await deleteAccountRows(tx, userId, email);
    await tx.insert(closedAccounts).values({ userId, email: hasHistory ? email : null, closedAt: at });
    await tx
      .update(users)
      .set({
        email: toClosedEmail(userId),
        ...(hasHistory ? {} : { fullName: CLOSED_NAME }),
        phone: null,
        phoneVerifiedAt: null,
        emailVerifiedAt: null,
        passwordHash: null,
        firstPartner: null,
        firstPartnerAt: null,
        lastPartner: null,
        lastPartnerAt: null,
      })
      .where(eq(users.id, userId));
    await recordAudit(tx, { companyId: NO_COMPANY, at, actor: userId, action: 'identity.account_closed', subject: userId, ip });
  });
}

async function listPersonBlockers(db: Db | Tx, userId: string): Promise<Blocker[]> {
  const [operator] = await db.select({ userId: operators.userId }).from(operators).where(eq(operators.userId, userId));
  const soleOwnedCompanies = await db
    .select({ companyId: memberships.companyId, name: companies.name, role: memberships.role })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(
      and(
        eq(memberships.userId, userId),
        sql`${memberships.role} in ('trader_owner', 'practice_admin')`,
        sql`not exists (select 1 from memberships other where other.company_id = ${memberships.companyId} and other.role = ${memberships.role} and other.user_id <> ${userId})`,
      ),
    )
    .orderBy(companies.name);
  return [
    ...(operator
      ? [{ kind: 'operator' as const, text: 'Operator accounts can’t be closed here. Ask an administrator.', first: null }]
      : []),
    ...soleOwnedCompanies.map(({ companyId, name, role }) => ({
      kind: 'last_owner' as const,
      text: `You’re the only person who manages ${name}. Close ${name} first.`,
      first: { of: role === 'practice_admin' ? ('practice' as const) : ('company' as const), company_id: companyId },
    })),
  ];
}

async function hasWorkedForCompany(db: Db | Tx, userId: string): Promise<boolean> {
  const [currentMembership] = await db
    .select({ id: memberships.companyId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .limit(1);
  if (currentMembership) return true;
  const [formerMembership] = await db
    .select({ id: formerMemberships.companyId })
    .from(formerMemberships)
    .where(eq(formerMemberships.userId, userId))
    .limit(1);
  return formerMembership !== undefined;
}

type LeavingPerson = { readonly companyId: string; readonly userId: string; readonly at: Instant; readonly ip: string };

/** The user's clients stay with the practice, unassigned. */
async function leaveCompany(deps: AppDeps, tx: Tx, { companyId, userId, at, ip }: LeavingPerson): Promise<void> {
  const isAssigned = and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, userId));
  const unassignedRows = await tx.delete(clientMembers).where(isAssigned).returning({ id: clientMembers.clientId });
  const clientIds = [...new Set(unassignedRows.map(({ id }) => id))];
  if (clientIds.length > 0) await upsertClientRows(tx, companyId, clientIds);
  await tx.delete(practiceTotals).where(and(eq(practiceTotals.companyId, companyId), eq(practiceTotals.viewerId, userId)));
  await endMemberships(tx, companyId, at, { userId });
  await endInvitations(tx, companyId, at, eq(teamInvitations.invitedBy, userId));
  await endLeaversInvitations(deps, tx, companyId, userId);
  await endLeaversMailbox(deps, tx, companyId, userId);
  await recordAudit(tx, { companyId, at, actor: userId, action: 'member.left', subject: userId, after: { clients: clientIds.length }, ip });
}

/** Deletes everything that allows sign-in, and the user's private rows. A view that they shared stays with the practice. */
async function deleteAccountRows(tx: Tx, userId: string, email: string): Promise<void> {
  await deleteBooksGrants(tx, userId);
  const tables = [passkeys, authenticators, recoveryCodes, identities, knownDevices, challenges, emailChanges, calendarFeeds, deskViews];
  for (const table of [...tables, partnerContacts, authorisationStates]) await tx.delete(table).where(eq(table.userId, userId));
  await tx.delete(savedViews).where(and(eq(savedViews.userId, userId), eq(savedViews.isShared, false)));
  await tx.delete(signInStates).where(eq(signInStates.linkTo, userId));
  await tx.delete(loginLinks).where(eq(loginLinks.email, email));
  await tx.delete(sessions).where(or(eq(sessions.userId, userId), eq(sessions.viewAs, userId)));
}
