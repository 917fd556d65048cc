import { pence, type Pence } from '../money.ts';
import type { AdvanceState } from './advance-states.ts';

/** States in which an advance still waits for money that an operator may find among the credits. */
export const MATCHABLE_STATES = ['awaiting_hmrc', 'shortfall', 'collecting'] as const satisfies readonly AdvanceState[];

export type MatchableState = (typeof MATCHABLE_STATES)[number];

/** Takes the text of a row, too. */
export function isMatchable(state: string): state is MatchableState {
  return MATCHABLE_STATES.some((matchable) => matchable === state);
}

/** What is still to come of an advance's refund, from HMRC or from the trader; never below zero. */
export function outstandingOf(advance: { readonly refund: Pence; readonly received: Pence }): Pence {
  return pence(Math.max(0, advance.refund - advance.received));
}

export type CreditSettlement = {
  /** What of the credit pays the advance off; positive pence. */
  readonly applied: Pence;
  /** What of it stays the trader's. */
  readonly surplus: Pence;
  /** What is still missing afterwards, due from the trader. */
  readonly missing: Pence;
  /** Where the advance ends up. */
  readonly to: 'settled' | 'shortfall' | 'collecting';
};

/**
 * What matching a kept credit to an advance does. While HMRC's repayment is awaited a smaller sum makes a shortfall; once there is
 * one, each credit takes from it, until nothing is missing.
 */
export function settleCredit(credit: Pence, advance: { state: MatchableState; refund: Pence; received: Pence }): CreditSettlement {
  const outstanding = outstandingOf(advance);
  const applied = pence(Math.min(credit, outstanding));
  const missing = pence(outstanding - applied);
  const unsettled = advance.state === 'awaiting_hmrc' ? 'shortfall' : 'collecting';
  return { applied, surplus: pence(credit - applied), missing, to: missing === 0 ? 'settled' : unsettled };
}
