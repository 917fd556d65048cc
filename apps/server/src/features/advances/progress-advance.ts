/**
 * Takes an advance as far as it can go automatically: collection account, approval by the rules, payout. Runs again after every change.
 * Each step does nothing when its work is done.
 */
import { createHash } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { advances, collectionAccounts, companies, users } from '@portal/db/schema/schema.ts';
import { STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';
import { isEligible, needsReview } from '@portal/domain/advances/evaluate-eligibility.ts';
import { getPayoutReference } from '@portal/domain/advances/payout-reference.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findScreeningHold } from '../screening/find-screening-hold.ts';
import { enqueueScreening } from '../screening/screening-jobs.ts';
import { getAdvanceSnapshot, type AdvanceSnapshot } from './get-advance.ts';
import { getVatNumber } from './get-vat-number.ts';
import { approveAdvance, areTermsSealed, readApprovals } from './payout-facts.ts';
import { orderPayout, type Authorisation } from './payout-order.ts';
import { findPayoutHold } from './recheck-refund.ts';
import { planNetting, storeNetting } from '../shortfalls/net-payouts.ts';
import { refreshPayeeFacts } from './refresh-payee-facts.ts';
import { rejectForgedFacts } from './reject-forged-facts.ts';
import { requestReconfirmation } from './request-facts.ts';
import { isReviewedByOperator, recheckApproved, updateRules } from './review-rules.ts';
import { lockAdvance, lockCompany, transitionAdvance, type AdvanceRow } from './transition-advance.ts';

export async function progressAdvance(deps: AppDeps, companyId: string, advanceId: string): Promise<void> {
  const { advance, collectionAccount } = await getAdvanceSnapshot(deps, deps.database.db, companyId, advanceId);
  if (!STATES_BEFORE_PAYOUT.includes(advance.state)) return;
  if (!collectionAccount) await openCollectionAccount(deps, companyId);
  await refreshPayeeFacts(deps, companyId);
  if (advance.state === 'accepted' || advance.state === 'in_review') await advanceReview(deps, companyId, advanceId);
  await createPayout(deps, companyId, advanceId);
}

/** The provider opens only one account for each company, however often it is called with the same key. */
async function openCollectionAccount(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const [company] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  if (!company) return;
  const account = await deps.payments.openCollectionAccount({ idempotencyKey: companyId, accountHolderName: company.name });
  await db
    .insert(collectionAccounts)
    .values({
      companyId,
      providerAccountId: account.accountId,
      accountHolder: company.name,
      sortCode: account.sortCode,
      accountNumber: account.accountNumber,
      openedAt: deps.clock.now(),
    })
    .onConflictDoNothing();
}

async function advanceReview(deps: AppDeps, companyId: string, advanceId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    let advance = await lockAdvance(tx, companyId, advanceId);
    const context = { actor: 'rules', at: deps.clock.now() };
    if (advance?.state === 'accepted') advance = await transitionAdvance(tx, advance, 'in_review', context, 'Accepted by the trader.');
    if (advance?.state !== 'in_review') return;
    // Facts that were missing at acceptance, such as the owner's identity, may have arrived since.
    advance = await updateRules(deps, tx, advance);
    if (needsReview(advance.rules) || !isEligible(advance.rules) || !areTermsSealed(deps.tokenCipher, advance)) return;
    if (await isReviewedByOperator(tx, advance)) return;
    const reason = 'Every rule passed, so no manual review was needed.';
    await approveAdvance(deps, tx, advance, { ...context, reason, round: await getRound(deps, tx, advance) });
  });
}

/** Stores on the advance why HMRC's data or a rule holds back the payout, so that every screen shows the same reason. */
async function storePayoutHold(deps: AppDeps, tx: Tx, advance: AdvanceRow, ruleHold: string | null): Promise<void> {
  const screening = await findScreeningHold(tx, advance.companyId, deps.clock.now());
  if (screening?.needsScreening) await enqueueScreening(deps, tx, advance.companyId);
  const payoutHold = (await findPayoutHold(tx, advance, deps.clock.today())) ?? ruleHold ?? screening?.text ?? null;
  if (payoutHold === advance.payoutHold) return;
  await tx
    .update(advances)
    .set({ payoutHold, updatedAt: deps.clock.now() })
    .where(and(eq(advances.companyId, advance.companyId), eq(advances.id, advance.id)));
}

/** Creates the payout only once: its row with a unique index and the state change are committed together. */
async function createPayout(deps: AppDeps, companyId: string, advanceId: string): Promise<void> {
  // Until it is ordered, operators can decline the refund: payouts may be paused because of a fraud. The sweep goes on after the pause.
  if (deps.paused.has('payouts')) return;
  await deps.database.db.transaction(async (tx) => {
    // Deductions change other advances of the company, so lock the company first.
    await lockCompany(tx, companyId);
    const lockedAdvance = await lockAdvance(tx, companyId, advanceId);
    if (lockedAdvance?.state !== 'approved') return;
    const recheckedAdvance = await recheckApproved(deps, tx, lockedAdvance);
    if (recheckedAdvance.advance.state !== 'approved') return;
    const checkedFacts = await rejectForgedFacts(deps, tx, await getAdvanceSnapshot(deps, tx, companyId, advanceId));
    if (checkedFacts.isBackInReview) return;
    await storePayoutHold(deps, tx, recheckedAdvance.advance, recheckedAdvance.hold ?? checkedFacts.hold);
    const snapshot = await getAdvanceSnapshot(deps, tx, companyId, advanceId);
    const { advance, waitingFor, bankAccount, round, obligation, releases } = snapshot;
    // By the time the bank has the mandate, the figures would be out of date again.
    if (!snapshot.awaitsMandate) await requestReconfirmation(deps, tx, advance);
    if (waitingFor !== undefined || !bankAccount) return;
    const payoutId = getPayoutId(advance, round);
    const { payout, shares } = await planNetting(tx, advance);
    const { accountHolder, sortCode, accountNumber } = bankAccount;
    const reference = getPayoutReference(await getVatNumber(tx, companyId), obligation.periodEnd);
    const order = { companyId: advance.companyId, id: payoutId, advanceId: advance.id, round, amountPence: payout, reference };
    const payee = { accountHolder, sortCode, accountNumber };
    await orderPayout(deps, tx, { ...order, ...payee, createdAt: deps.clock.now() }, toAuthorisation(deps, snapshot));
    await storeNetting(tx, companyId, payoutId, shares);
    await transitionAdvance(tx, advance, 'paying', { actor: 'rules', at: deps.clock.now() }, await describeRelease(tx, releases), {
      bankAccountId: bankAccount.id,
    });
  });
}

async function getRound(deps: AppDeps, tx: Tx, { companyId, id }: AdvanceRow): Promise<number> {
  return (await getAdvanceSnapshot(deps, tx, companyId, id)).round;
}

/** Returns the facts that authorise the order: the accepted quote, its approvals and the operators who released it. */
function toAuthorisation(deps: AppDeps, { advance, releases }: AdvanceSnapshot): Authorisation {
  return {
    quote_version: advance.version,
    accepted_by: advance.acceptedBy,
    approvals: readApprovals(deps.tokenCipher, advance).map(({ by, at }) => ({ by, at })),
    releases: releases.map(({ operatorId, releasedAt }) => ({ by: operatorId, at: releasedAt })),
  };
}

/**
 * Returns the idempotency key, which is the same for each round of an advance. If a portal on a restored database orders the payout again,
 * it gets the one the bank has already made.
 */
function getPayoutId({ companyId, id }: AdvanceRow, round: number): string {
  return toUuid(createHash('sha256').update(`payout:${companyId}:${id}:${round}`).digest());
}

/** A version 8 UUID (RFC 9562, section 5.8). */
function toUuid(digest: Buffer): string {
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Describes, for the history, which operators or rules released the payout. */
async function describeRelease(tx: Tx, releases: readonly { readonly operatorId: string }[]): Promise<string> {
  if (releases.length === 0) return 'Released automatically: every rule passed, and the amount doesn’t need a manual release.';
  const ids = releases.map(({ operatorId }) => operatorId);
  const releasingOperators = await tx.select({ name: users.fullName }).from(users).where(inArray(users.id, ids)).orderBy(users.fullName);
  return `Released by ${releasingOperators.map(({ name }) => name).join(' and ')}.`;
}
