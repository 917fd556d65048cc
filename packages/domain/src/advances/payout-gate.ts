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
  /** Number of different operators who have released this payout. */
  readonly releases: number;
  /** Whether an eligibility rule calls for a review. */
  readonly reviewRequired: boolean;
  /** Whether the payout needs a Direct Debit mandate that isn't at the trader's bank yet. */
  readonly awaitsMandate: boolean;
  /** Why HMRC's figures hold back an approved payout, as a sentence; null if they do not. */
  readonly holdReason: string | null;
};

/** Number of operators who must release a payout of this size: none for small amounts that no rule flagged. */
export function countRequiredReleases(net: Pence, isReviewRequired: boolean, terms: AdvanceTerms): number {
  if (net > terms.twoReleasesAbovePence) return 2;
  return isReviewRequired ? 1 : 0;
}

/** The reason the payout is waiting, as a sentence to the trader; undefined if nothing blocks it. */
export function describePayoutBlocker(facts: PayoutGateFacts, terms: AdvanceTerms, now: Instant): string | undefined {
  const { state } = facts;
  if (state === 'accepted' || state === 'in_review' || state === 'approved') {
    if (!facts.collectionAccountOpen) return 'We’re opening the collection account in your name.';
    if (!facts.collectionConfirmed) return 'Ask HMRC to repay into the collection account, then confirm it here.';
    if (facts.awaitsMandate) return 'Set up a Direct Debit. We pay you once your bank has it, usually within two working days.';
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
