import { pence, type Pence } from '../money.ts';
import type { AdvanceState } from './advance-states.ts';

/** States in which an advance still waits for money, so that an operator may match a credit to it. */
export const MATCHABLE_STATES = ['awaiting_hmrc', 'shortfall', 'collecting'] as const satisfies readonly AdvanceState[];

export type MatchableState = (typeof MATCHABLE_STATES)[number];

/** Type guard that also accepts the plain text of a database row. */
export function isMatchable(state: string): state is MatchableState {
  return MATCHABLE_STATES.some((matchable) => matchable === state);
}

/** The part of an advance's refund still to come, from HMRC or the trader; never negative. */
export function getOutstandingRefund(advance: { readonly refund: Pence; readonly received: Pence }): Pence {
  return pence(Math.max(0, advance.refund - advance.received));
}

export type CreditSettlement = {
  /** The part of the credit that pays off the advance; pence, not negative. */
  readonly applied: Pence;
  /** The part of the credit that belongs to the trader. */
  readonly surplus: Pence;
  /** The amount still missing afterwards, which the trader owes. */
  readonly missing: Pence;
  /** The state the advance moves to. */
  readonly to: 'settled' | 'shortfall' | 'collecting';
};

/**
 * The effect of matching a stored credit to an advance. While HMRC's repayment is awaited, a smaller amount creates a shortfall;
 * after that, each credit reduces the shortfall until nothing is missing.
 */
export function settleCredit(credit: Pence, advance: { state: MatchableState; refund: Pence; received: Pence }): CreditSettlement {
  const outstanding = getOutstandingRefund(advance);
  const applied = pence(Math.min(credit, outstanding));
  const missing = pence(outstanding - applied);
  const unsettled = advance.state === 'awaiting_hmrc' ? 'shortfall' : 'collecting';
  return { applied, surplus: pence(credit - applied), missing, to: missing === 0 ? 'settled' : unsettled };
}
