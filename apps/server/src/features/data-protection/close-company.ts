/** Closes the account of a trader's company or a practice permanently, at the request of its last owner or admin. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { dataProtectionApi } from '@portal/contract/data-protection.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import {
  advances,
  authorisationStates,
  booksConnections,
  booksConnectionStates,
  booksGrants,
  booksObjects,
  booksReads,
  booksVatFigures,
  booksUploads,
  calendarFeeds,
  companies,
  companyAgents,
  formerMemberships,
  hmrcConnections,
  mandates,
  memberships,
  savedViews,
  subscriptions,
  vrnClaims,
  webhookEndpoints,
} from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { PRACTICE_ROLES, TRADER_ROLES } from '@portal/domain/identity/roles.ts';
import { isLiveMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, eq, isNotNull, isNull, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { enqueueEmailToRoles } from '../../mail/enqueue-email.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { withdrawOffers } from '../advances/withdraw-offers.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { revokeApiKeysFor } from '../api-keys/end-api-keys.ts';
import { endApps } from '../connected-apps/end-apps.ts';
import { endInvitationRuns } from '../invitation-runs/end-invitation-runs.ts';
import { endInvitations } from '../team/end-invitations.ts';
import { endAllClientAccess } from '../client-portal/client-people.ts';
import { getCompanyFacts } from './closing-facts.ts';
import { createCompanyClosedEmail } from './closing-emails.ts';
import { listCompanyBlockers, type Blocker } from './company-blockers.ts';

type CompanyClosing = EndpointOutput<typeof dataProtectionApi.companyClosing>;

/** The role that manages each kind of company. */
const OWNER_ROLES = { trader: 'trader_owner', practice: 'practice_admin' } as const;
type ClosableKind = keyof typeof OWNER_ROLES;
type ClosableCompany = { readonly name: string; readonly kind: ClosableKind; readonly vrn: string | null };

export async function describeCompanyClosing(deps: AppDeps, actor: Actor, companyId: string): Promise<CompanyClosing> {
  const { db } = deps.database;
  const company = await getOpenCompany(db, companyId);
  return {
    confirm_with: company.name,
    blockers: await listCompanyBlockers(db, companyId, { userId: actor.userId, role: OWNER_ROLES[company.kind] }),
    ...getCompanyFacts(company.kind, deps.clock.today(), await hasSoldRefund(db, companyId)),
  };
}

type ClosingRequest = { readonly companyId: string; readonly confirmWith: string; readonly ip: string };

export async function closeCompany(deps: AppDeps, actor: Actor, { companyId, confirmWith, ip }: ClosingRequest): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const company = await getOpenCompany(tx, companyId);
    if (!isSameText(confirmWith, company.name)) throw createInvalidFieldError('confirm_with', `Type the name exactly: ${company.name}`);
    assertNoBlockers(await listCompanyBlockers(tx, companyId, { userId: actor.userId, role: OWNER_ROLES[company.kind] }));
    const at = deps.clock.now();
    // First, because sending an invitation locks its run before the rows that follow.
    await endInvitationRuns(tx, companyId, at);
    await withdrawOffers(tx, companyId, { actor: actor.userId, at, ip }, 'The trader closed the company’s account.');
    const isVrnKept = await hasSoldRefund(tx, companyId);
    if (!isVrnKept) await tx.delete(vrnClaims).where(eq(vrnClaims.companyId, companyId));
    const facts = getCompanyFacts(company.kind, deps.clock.today(), isVrnKept);
    const roles = company.kind === 'practice' ? PRACTICE_ROLES : TRADER_ROLES;
    await enqueueEmailToRoles(deps, tx, companyId, roles, ({ name }) => createCompanyClosedEmail(deps.site.brand, { name, at, facts }));
    await endGrants(deps, tx, companyId, { userId: actor.userId, at });
    await endMemberships(tx, companyId, at);
    await endInvitations(tx, companyId, at);
    await endAllClientAccess(deps, tx, companyId);
    await tx.update(companies).set({ closedAt: at, closedBy: actor.userId }).where(eq(companies.id, companyId));
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'company.closed', subject: companyId, ip });
    if (company.kind === 'practice') await enqueuePracticeErasure(deps, tx, companyId);
  });
}

export function enqueuePracticeErasure(deps: AppDeps, tx: Db | Tx, practiceId: string): Promise<void> {
  return deps.enqueue(tx, 'practice.erase', { practice_id: practiceId }, { singletonKey: `practice.erase:${practiceId}` });
}

/** Ignores differences in case and spacing, but accepts no other name. */
export function isSameText(confirmation: string, name: string): boolean {
  const normalise = (text: string): string => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
  return normalise(confirmation) === normalise(name);
}

export function assertNoBlockers(blockers: readonly Blocker[]): void {
  if (blockers.length === 0) return;
  throw new AppError('conflict', 'closing.blocked', `This account can’t be closed yet. ${blockers.map(({ text }) => text).join(' ')}`);
}

async function getOpenCompany(db: Db | Tx, companyId: string): Promise<ClosableCompany> {
  const [company] = await db
    .select({ name: companies.name, kind: companies.kind, vrn: companies.vrn })
    .from(companies)
    .where(and(eq(companies.id, companyId), isNull(companies.closedAt)));
  if (!company || company.kind === 'client') throw createNotFoundError();
  return { ...company, kind: company.kind };
}

/**
 * Returns whether the company has sold a refund. If so, its VAT number stays claimed, because otherwise the same refund could be sold again
 * from another account.
 */
async function hasSoldRefund(db: Db | Tx, companyId: string): Promise<boolean> {
  const rows = await db
    .select({ id: advances.id })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), isNotNull(advances.paidAt)))
    .limit(1);
  return rows.length > 0;
}

/** HMRC has no call that ends an authorisation, so our tokens are deleted. GoCardless and Stripe have one, which a job calls. */
async function endGrants(deps: AppDeps, tx: Tx, companyId: string, { userId, at }: { userId: string; at: Instant }): Promise<void> {
  await tx.delete(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  for (const table of [booksConnections, booksConnectionStates, booksGrants, booksReads, booksObjects, booksVatFigures])
    await tx.delete(table).where(eq(table.companyId, companyId));
  await tx.delete(authorisationStates).where(eq(authorisationStates.companyId, companyId));
  await tx.delete(booksUploads).where(eq(booksUploads.companyId, companyId));
  await tx.delete(calendarFeeds).where(eq(calendarFeeds.companyId, companyId));
  await tx.delete(savedViews).where(eq(savedViews.companyId, companyId));
  await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.companyId, companyId));
  await tx
    .update(companyAgents)
    .set({ endedAt: at, endedBy: userId })
    .where(and(eq(companyAgents.companyId, companyId), isNull(companyAgents.endedAt)));
  const companyMandates = await tx
    .select({ id: mandates.id, status: mandates.status })
    .from(mandates)
    .where(eq(mandates.companyId, companyId));
  for (const { id, status } of companyMandates) {
    if (deps.directDebits && isLiveMandate(status)) await deps.enqueue(tx, 'mandate.cancel', { company_id: companyId, mandate_id: id });
  }
  const isPaid = and(eq(subscriptions.companyId, companyId), ne(subscriptions.status, 'ended'));
  const paidSubscriptions = await tx.select({ id: subscriptions.providerSubscriptionId }).from(subscriptions).where(isPaid);
  // Enqueue Stripe's ID, because a practice's own rows are deleted within minutes.
  for (const { id } of paidSubscriptions) if (id !== null) await deps.enqueue(tx, 'billing.end', { subscription_id: id });
}

type LeavingMember = { readonly userId: string } & Partial<Pick<typeof formerMemberships.$inferInsert, 'deactivatedBy' | 'successors'>>;

/** Ends all memberships of a company, or one user's, and records that they existed. */
export async function endMemberships(tx: Tx, companyId: string, at: Instant, leaver?: LeavingMember): Promise<void> {
  const endedMemberships = await tx
    .delete(memberships)
    .where(and(eq(memberships.companyId, companyId), leaver && eq(memberships.userId, leaver.userId)))
    .returning();
  // A key acts for a member, so it ends with the membership and isn't restored with it.
  await revokeApiKeysFor(tx, { companyId, ...(leaver && { userId: leaver.userId }) }, at);
  await endApps(tx, { companyId, userId: leaver?.userId }, at);
  if (endedMemberships.length === 0) return;
  await tx
    .insert(formerMemberships)
    .values(endedMemberships.map(({ createdAt, ...membership }) => ({ ...membership, ...leaver, joinedAt: createdAt, endedAt: at })));
}
