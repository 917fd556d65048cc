import { formatInstant, type Instant } from '../clock.ts';
import { formatPounds, type Pence } from '../money.ts';
import type { AdvanceState } from './advance-states.ts';
import type { AdvanceTerms } from './advance-terms.ts';

export type GateFacts = {
  readonly state: AdvanceState;
  readonly net: Pence;
  readonly collectionAccountOpen: boolean;
  readonly collectionConfirmed: boolean;
  readonly bankHoldEndsAt: Instant | undefined;
  /** Number of different operators who have released this payout. */
  readonly releases: number;
  /** Whether an eligibility rule asked for a review. */
  readonly reviewed: boolean;
  /** Why HMRC's figures hold back an approved payout, as a sentence; null if they do not. */
  readonly hold: string | null;
};

/** Number of operators who must release a payout of this size: none for small amounts that no rule flagged. */
export function releasesNeeded(net: Pence, reviewed: boolean, terms: AdvanceTerms): number {
  if (net > terms.twoReleasesAbovePence) return 2;
  return reviewed ? 1 : 0;
}

/** What the payout is waiting for, as a sentence to the trader; undefined if nothing blocks it. */
export function whatPayoutWaitsFor(facts: GateFacts, terms: AdvanceTerms, now: Instant): string | undefined {
  const { state } = facts;
  if (state === 'accepted' || state === 'in_review' || state === 'approved') {
    if (!facts.collectionAccountOpen) return 'We are opening the collection account in your name.';
    if (!facts.collectionConfirmed) return 'Tell HMRC to repay into the collection account, then confirm it here.';
  }
  if (state === 'in_review') return 'One of our team looks at the refund.';
  if (state !== 'approved') return undefined;
  if (facts.hold !== null) return facts.hold;
  if (facts.bankHoldEndsAt !== undefined && facts.bankHoldEndsAt > now) {
    return `Your bank account was changed, so we hold the payout until ${formatInstant(facts.bankHoldEndsAt)}.`;
  }
  const missing = releasesNeeded(facts.net, facts.reviewed, terms) - facts.releases;
  if (missing > 0) return `${formatPounds(facts.net)} waits for release by ${missing === 1 ? 'one of our team' : 'two of our team'}.`;
  return undefined;
}
