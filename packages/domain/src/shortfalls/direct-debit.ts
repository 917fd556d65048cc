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
/** `requested`: the trader hasn't finished GoCardless's page yet. `abandoned`: the request ended without a mandate. */
export const ALL_MANDATE_STATUSES = [...MANDATE_STATUSES, 'requested', 'abandoned'] as const;
export type MandateStatus = (typeof ALL_MANDATE_STATUSES)[number];

const USABLE: readonly MandateStatus[] = ['pending_submission', 'submitted', 'active'];
const SUBMITTED: readonly MandateStatus[] = ['submitted', 'active'];

/** Whether a payment can be created on it. */
export function isUsableMandate(status: MandateStatus): boolean {
  return USABLE.includes(status);
}

/** Whether the mandate is at the trader's bank, which the payout needs where the rules want one. */
export function isSubmittedMandate(status: MandateStatus): boolean {
  return SUBMITTED.includes(status);
}

/** Whether the mandate may still become usable, or is. At most one of them per company. */
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
/** `created`: not yet known to be at GoCardless. */
export const DIRECT_DEBIT_STATUSES = [...PAYMENT_STATUSES, 'created'] as const;
export type DirectDebitStatus = (typeof DIRECT_DEBIT_STATUSES)[number];

/**
 * Where the money of a Direct Debit is, as our ledger holds it. `in_transit`: with GoCardless; its payouts take it on to our bank
 * (direct-debit-payout.ts). `cash`: as earlier versions posted what GoCardless had paid out.
 */
export type DirectDebitPlace = 'trader' | 'in_transit' | 'cash';

/**
 * Where the money is for a status. The status alone decides, whatever came before: a charge-back after `paid_out` takes the money back, so
 * that GoCardless withholds it from a later payout, and a charge-back that the bank cancels brings it again.
 */
export function getDirectDebitPlace(status: DirectDebitStatus): DirectDebitPlace {
  return status === 'confirmed' || status === 'paid_out' ? 'in_transit' : 'trader';
}

/** Whether the Direct Debit may still collect money. */
export function isPendingDirectDebit(status: DirectDebitStatus): boolean {
  return ['created', 'pending_customer_approval', 'pending_submission', 'submitted'].includes(status);
}

/** Whether it ended without the money, or lost it again. */
export function isFailedDirectDebit(status: DirectDebitStatus): boolean {
  return ['failed', 'charged_back', 'customer_approval_denied'].includes(status);
}

/** What decides whether a person must act before more is collected. */
export type DirectDebitAttempt = { readonly status: DirectDebitStatus; readonly createdAt: Instant; readonly updatedAt: Instant };

/**
 * Whether a Direct Debit failed or was charged back and none has been ordered since. Then a person decides, so that a dispute with the bank
 * isn't repeated by a machine. Any order; empty: false.
 */
export function hasUnansweredFailure(attempts: readonly DirectDebitAttempt[]): boolean {
  const newest = attempts.reduce<DirectDebitAttempt | undefined>(
    (latest, attempt) => (latest === undefined || attempt.createdAt > latest.createdAt ? attempt : latest),
    undefined,
  );
  if (newest === undefined) return false;
  return attempts.some(({ status, updatedAt }) => isFailedDirectDebit(status) && updatedAt > newest.createdAt);
}

/**
 * Days for which we expect that a payer may take a Direct Debit back. The Direct Debit Guarantee has no limit, but most do within weeks. Until
 * then we watch it, and pay out nothing of it.
 */
export const RECLAIM_DAYS = 120;
