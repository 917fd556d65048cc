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
  // New facts about the payee send an approved advance back to review.
  approved: ['paying', 'in_review', 'declined', 'withdrawn'],
  declined: [],
  paying: ['paid', 'payout_failed'],
  // A bank may return a payment after executing it, which puts the money back with us.
  paid: ['awaiting_hmrc', 'payout_failed'],
  awaiting_hmrc: ['repaid', 'shortfall', 'payout_failed'],
  repaid: ['settled'],
  // Reversing a wrong match opens the advance again, and so does a Direct Debit that is charged back.
  settled: ['awaiting_hmrc', 'collecting'],
  expired: [],
  withdrawn: [],
  payout_failed: ['approved', 'withdrawn', 'declined'],
  shortfall: ['collecting', 'awaiting_hmrc'],
  collecting: ['settled', 'written_off', 'awaiting_hmrc'],
  written_off: ['collecting'],
};

/** Whether an advance may go from one state to the other. */
export function canTransition(from: AdvanceState, to: AdvanceState): boolean {
  return ALLOWED_TRANSITIONS[from].includes(to);
}

/** Whether the trader may still withdraw: only before any money has left. */
export function canWithdraw(state: AdvanceState): boolean {
  return canTransition(state, 'withdrawn');
}

/** States between the acceptance and the payout, in which the facts still matter. */
export const STATES_BEFORE_PAYOUT: readonly AdvanceState[] = ['accepted', 'in_review', 'approved'];

/** States in which nothing more is to be done, unless a match is reversed or a Direct Debit charged back. */
export const ENDED_STATES: readonly AdvanceState[] = ['declined', 'settled', 'expired', 'withdrawn', 'written_off'];

/** States after the acceptance in which the trader has not been paid yet. */
export const UNPAID_STATES: readonly AdvanceState[] = [...STATES_BEFORE_PAYOUT, 'paying', 'payout_failed'];

/** States in which there is an agreement and HMRC has not repaid yet. */
export const STATES_BEFORE_REPAYMENT: readonly AdvanceState[] = [...UNPAID_STATES, 'paid', 'awaiting_hmrc'];

/** States in which our money is or may be out; they count towards exposure. */
export const EXPOSED_STATES: readonly AdvanceState[] = [...STATES_BEFORE_REPAYMENT, 'shortfall', 'collecting'];

/** States of a payout that was released and has not failed. */
export const RELEASED_STATES: readonly AdvanceState[] = ['paying', 'paid', 'awaiting_hmrc', 'repaid', 'settled'];
