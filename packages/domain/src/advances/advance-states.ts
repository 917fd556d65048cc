/** States of an advance and the transitions allowed between them. */

export const ADVANCE_STATES = [
  'quoted',
  'accepted',
  'in_review',
  'approved',
  'declined',
  'paying',
  'paid',
  'awaiting_hmrc',
  'repaid',
  'settled',
  'expired',
  'withdrawn',
  'payout_failed',
  'shortfall',
  'collecting',
  'written_off',
] as const;

export type AdvanceState = (typeof ADVANCE_STATES)[number];

/** Allowed next states (docs/product/decisions.md section 4). declined, expired and withdrawn are final. */
const ALLOWED_TRANSITIONS: Readonly<Record<AdvanceState, readonly AdvanceState[]>> = {
  quoted: ['accepted', 'expired', 'withdrawn'],
  accepted: ['in_review', 'withdrawn'],
  in_review: ['approved', 'declined', 'withdrawn'],
  // New information about the payee sends an approved advance back to review.
  approved: ['paying', 'in_review', 'declined', 'withdrawn'],
  declined: [],
  paying: ['paid', 'payout_failed'],
  // A bank may return a payment after executing it, which returns the money to us.
  paid: ['awaiting_hmrc', 'payout_failed'],
  awaiting_hmrc: ['repaid', 'shortfall', 'payout_failed'],
  repaid: ['settled'],
  // Reversing a wrong match reopens the advance, and so does a Direct Debit that is charged back.
  settled: ['awaiting_hmrc', 'collecting'],
  expired: [],
  withdrawn: [],
  payout_failed: ['approved', 'withdrawn', 'declined'],
  shortfall: ['collecting', 'awaiting_hmrc'],
  collecting: ['settled', 'written_off', 'awaiting_hmrc'],
  written_off: ['collecting'],
};

/** Returns true if an advance may change from one state to the other. */
export function canTransition(from: AdvanceState, to: AdvanceState): boolean {
  return ALLOWED_TRANSITIONS[from].includes(to);
}

/** Returns true if the trader may still withdraw, which is only before any money has been paid out. */
export function canWithdraw(state: AdvanceState): boolean {
  return canTransition(state, 'withdrawn');
}

/** States between acceptance and payout, in which the eligibility facts still matter. */
export const STATES_BEFORE_PAYOUT: readonly AdvanceState[] = ['accepted', 'in_review', 'approved'];

/** States that need no further action, unless a match is reversed or a Direct Debit is charged back. */
export const ENDED_STATES: readonly AdvanceState[] = ['declined', 'settled', 'expired', 'withdrawn', 'written_off'];

/** States that end without a payment to the trader. */
export const ENDED_UNPAID_STATES: readonly AdvanceState[] = ['declined', 'expired', 'withdrawn'];

/** States after acceptance in which the trader hasn't been paid yet. */
export const UNPAID_STATES: readonly AdvanceState[] = [...STATES_BEFORE_PAYOUT, 'paying', 'payout_failed'];

/** States in which an agreement exists and HMRC hasn't repaid yet. */
export const STATES_BEFORE_REPAYMENT: readonly AdvanceState[] = [...UNPAID_STATES, 'paid', 'awaiting_hmrc'];

/** States in which our money is, or may have been, paid out. They count towards exposure. */
export const EXPOSED_STATES: readonly AdvanceState[] = [...STATES_BEFORE_REPAYMENT, 'shortfall', 'collecting'];

/** States of an advance whose payout has been released and hasn't failed. */
export const RELEASED_STATES: readonly AdvanceState[] = ['paying', 'paid', 'awaiting_hmrc', 'repaid', 'settled'];
