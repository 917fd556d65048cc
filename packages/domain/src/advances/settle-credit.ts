import { pence, type Pence } from '../money.ts';
import type { AdvanceState } from './advance-states.ts';

/** States in which an advance is still outstanding, so an operator may match a credit to it. */
export const MATCHABLE_STATES = ['awaiting_hmrc', 'shortfall', 'collecting'] as const satisfies readonly AdvanceState[];

export type MatchableState = (typeof MATCHABLE_STATES)[number];

/** Type guard that also accepts the plain text of a database row. */
export function isMatchable(state: string): state is MatchableState {
  return MATCHABLE_STATES.some((matchableState) => matchableState === state);
}

/** Returns the part of an advance's refund still to come, from HMRC or the trader; never negative. */
export function getOutstandingRefund(advance: { readonly refund: Pence; readonly received: Pence }): Pence {
  return pence(Math.max(0, advance.refund - advance.received));
}

export type CreditSettlement = {
  /** The part of the credit that pays off the advance; pence, not negative. */
  readonly applied: Pence;
  /** The part of the credit that belongs to the trader. */
  readonly surplus: Pence;
  /** The amount still missing after this credit, which the trader owes. */
  readonly missing: Pence;
  /** The state the advance moves to. */
  readonly to: 'settled' | 'shortfall' | 'collecting';
};

/**
 * Returns the effect of matching an amount to an advance. While HMRC's repayment is outstanding, a smaller amount creates a shortfall;
 * afterwards each amount reduces the shortfall until nothing is owed.
 */
export function settleCredit(credit: Pence, advance: { state: MatchableState; refund: Pence; received: Pence }): CreditSettlement {
  const outstanding = getOutstandingRefund(advance);
  const appliedAmount = pence(Math.min(credit, outstanding));
  const missingAmount = pence(outstanding - appliedAmount);
  const unsettledState = advance.state === 'awaiting_hmrc' ? 'shortfall' : 'collecting';
  return {
    applied: appliedAmount,
    surplus: pence(credit - appliedAmount),
    missing: missingAmount,
    to: missingAmount === 0 ? 'settled' : unsettledState,
  };
}

/** States of an advance that has been fully or partly paid by a credit, so the match can be reversed. */
const REVERSIBLE_STATES = ['shortfall', 'collecting', 'settled'] as const satisfies readonly AdvanceState[];

export type ReversibleState = (typeof REVERSIBLE_STATES)[number];

/** Type guard that also accepts the plain text of a database row. A written-off shortfall is final. */
export function isReversible(state: string): state is ReversibleState {
  return REVERSIBLE_STATES.some((reversibleState) => reversibleState === state);
}

export type MatchReversal = {
  /** The state implied by the remaining payments. Equal to the current state if it doesn't change. */
  readonly to: 'awaiting_hmrc' | 'shortfall' | 'collecting';
  /** The amount that HMRC owes us again; in pence, not negative. */
  readonly receivable: Pence;
  /**
   * The change in the amount the trader owes; negative if HMRC's repayment is outstanding again. `receivable` and `due` add up to the
   * reversed amount.
   */
  readonly due: Pence;
};

/** Returns the effect of reversing a match of `amount`. Without another payment, HMRC's repayment is outstanding again. */
export function reverseMatch(amount: Pence, advance: { state: ReversibleState; refund: Pence; received: Pence }): MatchReversal {
  const { state, refund, received } = advance;
  const remaining = pence(received - amount);
  const dueBefore = state === 'settled' ? 0 : refund - received;
  if (remaining <= 0) return { to: 'awaiting_hmrc', receivable: refund, due: pence(-dueBefore) };
  return { to: state === 'settled' ? 'collecting' : state, receivable: pence(0), due: pence(refund - remaining - dueBefore) };
}
