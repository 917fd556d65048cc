/**
 * A referral's progress as its partner may see it: a stage and its date, but no amounts or problems (docs/product/decisions.md section 8).
 */
import type { AdvanceState } from '../advances/advance-states.ts';
import { toLondonDate, type Instant } from '../clock.ts';
import type { PlainDate } from '../plain-date.ts';

/** Stages in order. `offered`: an offer is open. `settled`: HMRC has repaid us. */
export const REFERRAL_STAGES = ['signed_up', 'connected', 'offered', 'accepted', 'paid', 'settled'] as const;
export type ReferralStage = (typeof REFERRAL_STAGES)[number];

/** A referred company's newest advance; a time is null if the advance hasn't reached that point. */
export type ReferredAdvance = {
  readonly state: AdvanceState;
  readonly eligible: boolean;
  readonly quotedAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly paidAt: Instant | null;
  readonly repaidAt: Instant | null;
};

export type ReferralFacts = {
  readonly signedUpAt: Instant;
  /** When the company connected to HMRC; null if it never did. */
  readonly connectedAt: Instant | null;
  readonly advance: ReferredAdvance | undefined;
};

/** The stage that a partner sees for each state. A failed offer stays private, so the stage falls back to `connected`. */
const STAGE_BY_STATE: Readonly<Record<AdvanceState, ReferralStage>> = {
  quoted: 'offered',
  accepted: 'accepted',
  in_review: 'accepted',
  approved: 'accepted',
  paying: 'accepted',
  payout_failed: 'accepted',
  paid: 'paid',
  awaiting_hmrc: 'paid',
  // A shortfall concerns only the trader and us.
  shortfall: 'paid',
  collecting: 'paid',
  written_off: 'paid',
  repaid: 'settled',
  settled: 'settled',
  declined: 'connected',
  expired: 'connected',
  withdrawn: 'connected',
};

/** Returns the stage and the day it was reached. */
export function getReferralStage({ signedUpAt, connectedAt, advance }: ReferralFacts): { stage: ReferralStage; since: PlainDate } {
  const stage = advance && (advance.state !== 'quoted' || advance.eligible) ? STAGE_BY_STATE[advance.state] : 'connected';
  const reachedAt: Readonly<Record<ReferralStage, Instant | null | undefined>> = {
    signed_up: signedUpAt,
    connected: connectedAt,
    offered: advance?.quotedAt,
    accepted: advance?.acceptedAt,
    paid: advance?.paidAt,
    settled: advance?.repaidAt,
  };
  const at = reachedAt[stage];
  if (stage === 'connected' && !connectedAt) return { stage: 'signed_up', since: toLondonDate(signedUpAt) };
  return { stage, since: toLondonDate(at ?? connectedAt ?? signedUpAt) };
}
