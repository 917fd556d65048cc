import { addMilliseconds, formatInstant, type Instant } from '../clock.ts';
import { formatPounds, type Pence } from '../money.ts';
import { STATES_BEFORE_PAYOUT, type AdvanceState } from './advance-states.ts';
import type { AdvanceTerms } from './advance-terms.ts';
import { IDENTITY_RULE } from './identity-rule.ts';

export type PayoutGateFacts = {
  readonly state: AdvanceState;
  readonly net: Pence;
  readonly isCollectionAccountOpen: boolean;
  readonly isCollectionConfirmed: boolean;
  /** True if the identity rule is met (identity-rule.ts). */
  readonly isIdentityVerified: boolean;
  /** When HMRC's figures were last read for this advance at the trader's request; null if never. */
  readonly factsReadAt: Instant | null;
  readonly bankHoldEndsAt: Instant | undefined;
  /** The number of different operators who have released this payout, excluding the one who approved it. */
  readonly releases: number;
  /** See `needsManualRelease`. */
  readonly reviewRequired: boolean;
  /** True if the payout needs a Direct Debit mandate that isn't set up at the trader's bank yet. */
  readonly awaitsMandate: boolean;
  /** A sentence explaining why HMRC's figures or payment hold back a payout; null if they don't. */
  readonly holdReason: string | null;
};

/**
 * Returns the number of operators who must release a payout, excluding its approver: none for small amounts that passed every rule, two
 * above the higher limit. Including the approval, that makes two or three people.
 */
export function countRequiredReleases(net: Pence, isReviewRequired: boolean, terms: AdvanceTerms): number {
  if (net > terms.twoReleasesAbovePence) return 2;
  return isReviewRequired || net > terms.reviewAbovePence ? 1 : 0;
}

type Approval = { readonly fromState: string | null; readonly toState: string; readonly actor: string };
type DatedApproval = Approval & { readonly at: Instant };

const isReviewApproval = ({ fromState, toState }: Approval): boolean => fromState === 'in_review' && toState === 'approved';

/** Returns the operator who approved the advance after a review; undefined if the rules did, or it isn't approved yet. */
export function findApprover(transitions: readonly Approval[]): string | undefined {
  const approval = transitions.findLast(isReviewApproval);
  return approval === undefined || approval.actor === 'rules' ? undefined : approval.actor;
}

/** Returns the operator who resent a failed payout; undefined if the newest approval isn't a retry. */
export function findRetrier(transitions: readonly Approval[]): string | undefined {
  const newestApproval = transitions.findLast(({ toState }) => toState === 'approved');
  return newestApproval?.fromState === 'payout_failed' ? newestApproval.actor : undefined;
}

/**
 * Returns true if the rules alone can't release the payout: a rule calls for review, an operator approved it, or an operator resent a
 * failed payout to a bank account other than the approved one.
 */
export function needsManualRelease(facts: {
  readonly isReviewRequired: boolean;
  readonly transitions: readonly DatedApproval[];
  readonly accountAddedAt: Instant | undefined;
}): boolean {
  const { isReviewRequired, transitions, accountAddedAt } = facts;
  if (isReviewRequired || findApprover(transitions) !== undefined) return true;
  const approvedAt = transitions.findLast(isReviewApproval)?.at;
  const isDifferentAccount = approvedAt !== undefined && accountAddedAt !== undefined && accountAddedAt > approvedAt;
  return findRetrier(transitions) !== undefined && isDifferentAccount;
}

/**
 * Returns true if an operator's release counts. It can't be the approver's or, if one release is enough, that of the operator who resent
 * the payout, who could otherwise pay alone.
 */
export function mayRelease(
  operatorId: string,
  { approver, retrier, releasesNeeded }: { approver: string | undefined; retrier: string | undefined; releasesNeeded: number },
): boolean {
  return operatorId !== approver && (releasesNeeded > 1 || operatorId !== retrier);
}

/** The exact details of a release, as the operator saw them. */
export type ReleasedPayout = { readonly amountPence: Pence; readonly quoteVersion: number; readonly bankAccountId: string | undefined };

/** Describes the changes since the operator saw the payout; empty if there are none. */
export function listReleaseChanges(seenPayout: ReleasedPayout, current: ReleasedPayout): string[] {
  return [
    ...(seenPayout.amountPence === current.amountPence ? [] : [`the amount is now ${formatPounds(current.amountPence)}`]),
    ...(seenPayout.quoteVersion === current.quoteVersion ? [] : ['the trader has a newer quote']),
    ...(seenPayout.bankAccountId === current.bankAccountId ? [] : ['the trader’s bank account has changed']),
  ];
}

/** Returns true if HMRC's figures are too old for a payout, so the trader must confirm them again. */
export function areFactsStale(factsReadAt: Instant | null, terms: AdvanceTerms, now: Instant): boolean {
  return factsReadAt === null || addMilliseconds(factsReadAt, terms.factsValidHours * 3_600_000) <= now;
}

/** Returns a sentence telling the trader why the payout is waiting; undefined if nothing blocks it. */
export function describePayoutBlocker(facts: PayoutGateFacts, terms: AdvanceTerms, now: Instant): string | undefined {
  const { state } = facts;
  if (STATES_BEFORE_PAYOUT.includes(state)) {
    if (!facts.isCollectionAccountOpen) return 'We’re opening the collection account in your name.';
    if (!facts.isCollectionConfirmed) return 'Ask HMRC to repay into the collection account, then confirm here that you’ve done it.';
    if (!facts.isIdentityVerified) return `Verify your identity. ${IDENTITY_RULE}`;
    if (facts.awaitsMandate) return 'Set up a Direct Debit. We’ll pay you once your bank has accepted it, usually within two working days.';
  }
  if (state === 'in_review') return 'One of our team is reviewing the refund.';
  // Either the order differs from the one the portal wrote, or it wasn't sent because HMRC's payment arrived first.
  if (state === 'paying' || state === 'payout_failed') return facts.holdReason ?? undefined;
  if (state !== 'approved') return undefined;
  if (areFactsStale(facts.factsReadAt, terms, now)) {
    return `HMRC’s figures are more than ${terms.factsValidHours} hours old. Confirm again, so that we can check them before we pay you.`;
  }
  if (facts.holdReason !== null) return facts.holdReason;
  if (facts.bankHoldEndsAt !== undefined && facts.bankHoldEndsAt > now) {
    return `You changed your bank account, so the payment is on hold until ${formatInstant(facts.bankHoldEndsAt)}.`;
  }
  const missingReleases = countRequiredReleases(facts.net, facts.reviewRequired, terms) - facts.releases;
  if (missingReleases > 0)
    return `${missingReleases === 1 ? 'One of our team needs' : 'Two of our team need'} to release the ${formatPounds(facts.net)} payment.`;
  return undefined;
}
