import { formatInstant, type Instant } from '../clock.ts';
import { formatPounds, type Pence } from '../money.ts';
import type { AdvanceState } from './advance-states.ts';
import type { AdvanceTerms } from './advance-terms.ts';

export type PayoutGateFacts = {
  readonly state: AdvanceState;
  readonly net: Pence;
  readonly collectionAccountOpen: boolean;
  readonly collectionConfirmed: boolean;
  readonly bankHoldEndsAt: Instant | undefined;
  /** Number of different operators who have released this payout, apart from the one who approved it. */
  readonly releases: number;
  /** Whether an eligibility rule calls for a review. */
  readonly reviewRequired: boolean;
  /** Why HMRC's figures hold back an approved payout, as a sentence; null if they do not. */
  readonly holdReason: string | null;
};

/**
 * Number of operators who must release a payout, none of whom may have approved it: none for small amounts that passed every rule, two
 * above the higher limit. With the approval that makes two people, or three.
 */
export function countRequiredReleases(net: Pence, isReviewRequired: boolean, terms: AdvanceTerms): number {
  if (net > terms.twoReleasesAbovePence) return 2;
  return isReviewRequired || net > terms.reviewAbovePence ? 1 : 0;
}

type Approval = { readonly fromState: string | null; readonly toState: string; readonly actor: string };

/** The person who approved the advance after a review; undefined if the rules did, or no one has yet. */
export function findApprover(transitions: readonly Approval[]): string | undefined {
  const approval = transitions.findLast(({ fromState, toState }) => fromState === 'in_review' && toState === 'approved');
  return approval === undefined || approval.actor === 'rules' ? undefined : approval.actor;
}

/** Exactly what a release is about, as the operator saw it. */
export type ReleasedPayout = { readonly amountPence: Pence; readonly quoteVersion: number; readonly bankAccountId: string | undefined };

/** What has changed since the operator saw it, in words; empty if nothing has. */
export function listReleaseChanges(seen: ReleasedPayout, current: ReleasedPayout): string[] {
  return [
    ...(seen.amountPence === current.amountPence ? [] : [`the amount is now ${formatPounds(current.amountPence)}`]),
    ...(seen.quoteVersion === current.quoteVersion ? [] : ['the trader has a newer quote']),
    ...(seen.bankAccountId === current.bankAccountId ? [] : ['the trader’s bank account is another one']),
  ];
}

/** The reason the payout is waiting, as a sentence to the trader; undefined if nothing blocks it. */
export function describePayoutBlocker(facts: PayoutGateFacts, terms: AdvanceTerms, now: Instant): string | undefined {
  const { state } = facts;
  if (state === 'accepted' || state === 'in_review' || state === 'approved') {
    if (!facts.collectionAccountOpen) return 'We’re opening the collection account in your name.';
    if (!facts.collectionConfirmed) return 'Ask HMRC to repay into the collection account, then confirm it here.';
  }
  if (state === 'in_review') return 'One of our team is reviewing the refund.';
  if (state !== 'approved') return undefined;
  if (facts.holdReason !== null) return facts.holdReason;
  if (facts.bankHoldEndsAt !== undefined && facts.bankHoldEndsAt > now) {
    return `You changed your bank account, so the payment is on hold until ${formatInstant(facts.bankHoldEndsAt)}.`;
  }
  const missingReleases = countRequiredReleases(facts.net, facts.reviewRequired, terms) - facts.releases;
  if (missingReleases > 0)
    return `${missingReleases === 1 ? 'One of our team needs' : 'Two of our team need'} to release the ${formatPounds(facts.net)} payment.`;
  return undefined;
}
