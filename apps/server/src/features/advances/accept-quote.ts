import type { Tx } from '@portal/db/database.ts';
import { advances, shortfalls } from '@portal/db/schema/schema.ts';
import { canWithdraw, STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import type { EvaluatedRule } from '@portal/domain/advances/evaluate-eligibility.ts';
import { isMandateRequired } from '@portal/domain/advances/mandate-rule.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { assertNotPaused } from '../../paused-work.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { assertStillHasRight } from '../company-people/assert-right.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { enqueueScreening } from '../screening/screening-jobs.ts';
import { enqueueAcceptedEmail } from './advance-emails.ts';
import { declineAdvance } from './decline-advance.ts';
import { enqueueProgress } from './enqueue-progress.ts';
import { areTermsSealed, sealTerms } from './payout-facts.ts';
import { EARLY_REFUNDS_PAUSED, quoteRefund } from './quote-refund.ts';
import {
  hasSameFigures,
  readBeforeAcceptance,
  readBeforeConfirmation,
  createQuoteChangedError,
  findRefundProblem,
} from './recheck-refund.ts';
import { evaluateAdvance } from './review-rules.ts';
import { lockAdvance, lockCompany, lockTotalExposure, transitionAdvance, type AdvanceRow } from './transition-advance.ts';

export type Acceptance = {
  readonly companyId: string;
  readonly advanceId: string;
  readonly version: number;
  readonly agreementHash: string;
};

/** Accepts exactly the quote and agreement that the customer saw. Repeating it changes nothing. */
export async function acceptQuote(deps: AppDeps, user: ActingUser, acceptance: Acceptance): Promise<void> {
  const { companyId, advanceId } = acceptance;
  assertNotPaused(deps.paused, 'early_refunds', EARLY_REFUNDS_PAUSED);
  await replaceUnsealedQuote(deps, user, acceptance);
  const factsReadAt = await readBeforeAcceptance(deps, user, acceptance);
  await deps.database.db.transaction(async (tx) => {
    // If a company accepts two offers concurrently, each must count the other in its exposure.
    await lockCompany(tx, companyId);
    await assertStillHasRight(tx, 'company.accept_advance', companyId, user.actor.userId);
    const advance = await lockAdvance(tx, companyId, advanceId);
    if (!advance) throw createNotFoundError();
    if (advance.acceptedAt !== null && advance.version === acceptance.version && advance.agreementHash === acceptance.agreementHash) return;
    if (advance.version !== acceptance.version || advance.agreementHash !== acceptance.agreementHash) {
      throw createQuoteChangedError();
    }
    if (!areTermsSealed(deps.tokenCipher, advance) || !(await hasSameFigures(tx, advance))) throw createQuoteChangedError();
    const at = deps.clock.now();
    if (advance.state === 'quoted' && advance.validUntil <= at) {
      throw new AppError('conflict', 'advance.quote_expired', 'The offer has expired. Ask for a new one.');
    }
    if (!advance.eligible)
      throw new AppError('conflict', 'advance.not_eligible', 'We can’t buy this refund yet. See what’s missing below.');
    // Locked after the company and the advance, as everywhere else, and held until this acceptance counts towards the total.
    await lockTotalExposure(tx);
    // A quote fixes the price for a week but not the rule results: in that week, an authorisation can be revoked or a return can become
    // overdue.
    const rules = await evaluateAdvance(deps, tx, advance);
    assertEligible(rules);
    const context = { actor: user.actor.userId, at, ip: user.caller.ip };
    const acceptanceFields = { acceptedAt: at, acceptedBy: user.actor.userId, mandateRequired: await needsMandate(deps, tx, advance) };
    await transitionAdvance(tx, advance, 'accepted', context, 'Agreement accepted.', {
      ...acceptanceFields,
      acceptedIp: user.caller.ip,
      factsReadAt,
      rules,
      termsSeal: sealTerms(deps.tokenCipher, { ...advance, ...acceptanceFields }),
    });
    await enqueueAcceptedEmail(deps, tx, advance);
    // Queue screening now, because the payout waits for its result.
    await enqueueScreening(deps, tx, companyId);
    await enqueueProgress(deps, tx, companyId, advanceId);
  });
}

/** Reprices a quote from its return before acceptance if the portal didn't write the quote, or wrote it before quotes were sealed. */
async function replaceUnsealedQuote(deps: AppDeps, user: ActingUser, { companyId, advanceId }: Acceptance): Promise<void> {
  const [advance] = await deps.database.db
    .select()
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
  if (advance?.state !== 'quoted' || areTermsSealed(deps.tokenCipher, advance)) return;
  deps.recordSecurityEvent('payout_refused', { reason: 'payout.terms_not_sealed' });
  const noQuoteReason = await quoteRefund(deps, companyId, advance.obligationId, user.actor.userId);
  if (noQuoteReason === undefined) throw createQuoteChangedError();
  throw new AppError('conflict', 'advance.not_eligible', `We can no longer buy this refund. ${noQuoteReason}`);
}

function assertEligible(rules: readonly EvaluatedRule[]): void {
  const failedRule = rules.find(({ outcome }) => outcome === 'fail');
  if (!failedRule) return;
  throw new AppError(
    'conflict',
    'advance.not_eligible',
    `We can no longer buy this refund. ${failedRule.finding} ${failedRule.how_to_fix}`.trim(),
  );
}

/** Returns false if no Direct Debit provider is configured, because no mandate could be set up. */
async function needsMandate(deps: AppDeps, tx: Tx, { companyId, refundPence, quotedAt }: AdvanceRow): Promise<boolean> {
  if (!deps.directDebits) return false;
  const [earlierShortfall] = await tx
    .select({ id: shortfalls.id })
    .from(shortfalls)
    .where(and(eq(shortfalls.companyId, companyId), isNotNull(shortfalls.dueOn)))
    .limit(1);
  return isMandateRequired({ refund: refundPence, hadShortfall: earlierShortfall !== undefined }, getAdvanceTerms(toLondonDate(quotedAt)));
}

/** Records the trader's confirmation that HMRC now repays into the collection account. */
export async function confirmCollectionAccount(deps: AppDeps, user: ActingUser, companyId: string, advanceId: string): Promise<void> {
  const factsReadAt = await readBeforeConfirmation(deps, user, { companyId, advanceId });
  await deps.database.db.transaction(async (tx) => {
    await assertStillHasRight(tx, 'company.accept_advance', companyId, user.actor.userId);
    const advance = await lockAdvance(tx, companyId, advanceId);
    if (!advance) throw createNotFoundError();
    if (advance.collectionConfirmedAt !== null || advance.state === 'declined') return;
    if (!STATES_BEFORE_PAYOUT.includes(advance.state)) {
      throw new AppError('conflict', 'advance.wrong_state', 'There’s no collection account to confirm at the moment.');
    }
    const reason = await findRefundProblem(deps, tx, advance);
    if (reason !== undefined) return declineAutomatically(deps, tx, advance, reason);
    await tx
      .update(advances)
      .set({ collectionConfirmedAt: deps.clock.now(), factsReadAt, factsRequestedAt: null, updatedAt: deps.clock.now() })
      .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: user.actor.userId,
      action: 'advance.collection_account_confirmed',
      subject: advanceId,
      ip: user.caller.ip,
    });
    await enqueueProgress(deps, tx, companyId, advanceId);
  });
}

/** Declines the advance before any payout, so nothing is charged. The history records the reason. */
async function declineAutomatically(deps: AppDeps, tx: Tx, advance: AdvanceRow, reason: string): Promise<void> {
  const context = { actor: 'rules', at: deps.clock.now() };
  const reviewedAdvance =
    advance.state === 'accepted' ? await transitionAdvance(tx, advance, 'in_review', context, 'Accepted by the trader.') : advance;
  await declineAdvance(deps, tx, reviewedAdvance, context, reason);
}

/** Withdraws the advance before any payout. Repeating it changes nothing. */
export async function withdrawAdvance(deps: AppDeps, user: ActingUser, companyId: string, advanceId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const advance = await lockAdvance(tx, companyId, advanceId);
    if (!advance) throw createNotFoundError();
    if (advance.state === 'withdrawn') return;
    if (!canWithdraw(advance.state)) {
      throw new AppError('conflict', 'advance.wrong_state', 'It’s too late to withdraw. The money is on its way or has already been paid.');
    }
    await transitionAdvance(
      tx,
      advance,
      'withdrawn',
      { actor: user.actor.userId, at: deps.clock.now(), ip: user.caller.ip },
      'The trader withdrew.',
    );
  });
}
