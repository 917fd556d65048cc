/** Direct Debit mandates and payments in GoCardless's statuses (developer.gocardless.com/api-reference, "Mandates" and "Payments"). */
import type { Instant } from '../clock.ts';

export const MANDATE_STATUSES = [
  'pending_customer_approval',
  'pending_submission',
  'submitted',
  'active',
  'failed',
  'cancelled',
  'expired',
  'consumed',
  'blocked',
  'suspended_by_payer',
] as const;
/** `requested`: the trader hasn't completed GoCardless's page yet. `abandoned`: the request ended without a mandate. */
export const ALL_MANDATE_STATUSES = [...MANDATE_STATUSES, 'requested', 'abandoned'] as const;
export type MandateStatus = (typeof ALL_MANDATE_STATUSES)[number];

const USABLE_STATUSES: readonly MandateStatus[] = ['pending_submission', 'submitted', 'active'];
const SUBMITTED_STATUSES: readonly MandateStatus[] = ['submitted', 'active'];

/** Returns true if payments can be created on the mandate. */
export function isUsableMandate(status: MandateStatus): boolean {
  return USABLE_STATUSES.includes(status);
}

/** Returns true if the mandate has been submitted to the trader's bank. If the rules require a mandate, a payout waits for this. */
export function isSubmittedMandate(status: MandateStatus): boolean {
  return SUBMITTED_STATUSES.includes(status);
}

/** Returns true if the mandate is usable or may still become usable. Each company has at most one such mandate. */
export function isLiveMandate(status: MandateStatus): boolean {
  return isUsableMandate(status) || status === 'requested' || status === 'pending_customer_approval';
}

export const PAYMENT_STATUSES = [
  'pending_customer_approval',
  'pending_submission',
  'submitted',
  'confirmed',
  'paid_out',
  'failed',
  'cancelled',
  'charged_back',
  'customer_approval_denied',
] as const;
/** `created`: not yet known to have reached GoCardless. */
export const DIRECT_DEBIT_STATUSES = [...PAYMENT_STATUSES, 'created'] as const;
export type DirectDebitStatus = (typeof DIRECT_DEBIT_STATUSES)[number];

/**
 * The ledger account that holds a Direct Debit's money. `in_transit`: with GoCardless, whose payouts move it to our bank
 * (direct-debit-payout.ts). `cash`: used by earlier versions for GoCardless's payouts.
 */
export type DirectDebitAccount = 'trader' | 'in_transit' | 'cash';

/**
 * Returns where the money is for a status, whatever the history: a charge-back after `paid_out` takes the money back, so GoCardless
 * withholds it from a later payout; if the bank cancels a charge-back, the money returns.
 */
export function getDirectDebitAccount(status: DirectDebitStatus): DirectDebitAccount {
  return status === 'confirmed' || status === 'paid_out' ? 'in_transit' : 'trader';
}

/** Returns true if the Direct Debit may still collect money. */
export function isPendingDirectDebit(status: DirectDebitStatus): boolean {
  return ['created', 'pending_customer_approval', 'pending_submission', 'submitted'].includes(status);
}

/** Returns true if it ended without collecting the money, or the money was charged back. */
export function isFailedDirectDebit(status: DirectDebitStatus): boolean {
  return ['failed', 'charged_back', 'customer_approval_denied'].includes(status);
}

/** The facts that decide whether a user must act before more money is collected. */
export type DirectDebitAttempt = { readonly status: DirectDebitStatus; readonly createdAt: Instant; readonly updatedAt: Instant };

/**
 * Returns true if a Direct Debit failed or was charged back and none has been ordered since. A user must then decide, so that a dispute
 * with the bank isn't repeated automatically. Accepts any order; false if empty.
 */
export function hasUnansweredFailure(attempts: readonly DirectDebitAttempt[]): boolean {
  const newestAttempt = attempts.reduce<DirectDebitAttempt | undefined>(
    (latest, attempt) => (latest === undefined || attempt.createdAt > latest.createdAt ? attempt : latest),
    undefined,
  );
  if (newestAttempt === undefined) return false;
  return attempts.some(({ status, updatedAt }) => isFailedDirectDebit(status) && updatedAt > newestAttempt.createdAt);
}

/**
 * How many days we expect a payer may reclaim a Direct Debit. The Direct Debit Guarantee has no time limit, but most claims come within
 * weeks. Until then we watch it, and don't pay any of it out.
 */
export const RECLAIM_DAYS = 120;
