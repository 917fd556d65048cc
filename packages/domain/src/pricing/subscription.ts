/** A practice's subscription and its invoices (docs/decisions/0057-billing.md). */
import { addDays, type PlainDate } from '../plain-date.ts';

/**
 * `starting`: ordered, but not confirmed by the provider yet. `incomplete`: the first payment hasn't been made, so the subscription hasn't
 * started. `active`. `past_due`: a renewal hasn't been paid. `ended`: back on the free tier.
 */
export const SUBSCRIPTION_STATUSES = ['starting', 'incomplete', 'active', 'past_due', 'ended'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const PAYMENT_METHODS = ['card', 'bacs_debit'] as const;
export type PaymentMethodKind = (typeof PAYMENT_METHODS)[number];

/** The consequences of a failed payment: first a banner, then figures are no longer refreshed. Data is never deleted. */
export const DUNNING_STATES = ['past_due', 'read_only'] as const;
export type DunningState = (typeof DUNNING_STATES)[number];

/**
 * A subscription's move to a later price list. `noticed`: announced. `ended`: the subscription ended before the move. `stopped`: an operator
 * cancelled the move.
 */
export const PRICE_MOVE_STATUSES = ['noticed', 'moved', 'ended', 'stopped'] as const;
export type PriceMoveStatus = (typeof PRICE_MOVE_STATUSES)[number];

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/**
 * `credited`: nothing of the invoice is left to pay. For a credit note, it means that it reduces a payment; `refunding`, `refunded` and `refund_failed` mean that it is being,
 * was or couldn't be refunded; and `transferred` means that we paid it from our bank account. `disputed`: the payer's bank reversed the
 * payment. `written_off`: as a bad debt.
 */
export const INVOICE_STATUSES = [
  'open',
  'paid',
  'failed',
  'disputed',
  'written_off',
  'credited',
  'refunding',
  'refunded',
  'refund_failed',
  'transferred',
] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/**
 * `sending`: approved, but not accepted by the provider yet. `refused`: the provider rejected it, so nothing was paid back. `pending`: on
 * its way to the payer's bank. `failed`: the bank returned it; an operator must resend it. `transferred`: returned, and then paid from our
 * bank account. `excess`: an operator refunded more at the provider than was left of the invoice, so there's no credit note.
 */
export const REFUND_STATUSES = ['sending', 'refused', 'pending', 'succeeded', 'failed', 'transferred', 'excess'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** A `reduction` reduces what an unpaid invoice asks for, so no money moves. */
export const REFUND_KINDS = ['refund', 'reduction'] as const;
export type InvoiceRefundKind = (typeof REFUND_KINDS)[number];

/** The statuses of refunds that don't reduce the invoice. */
export const UNCREDITED_REFUNDS = ['refused', 'excess'] as const satisfies readonly RefundStatus[];

/**
 * `sending`: approved, but not yet marked at the provider. `refused`: it can't be written off, for example because it was paid. `reversed`:
 * paid after it had been written off.
 */
export const WRITE_OFF_STATUSES = ['sending', 'refused', 'written_off', 'reversed'] as const;
export type WriteOffStatus = (typeof WRITE_OFF_STATUSES)[number];

/** How many days a banner is shown before refreshes stop. */
export const GRACE_DAYS = 14;

/** Returns the first day without refreshes after a failed payment. */
export function getReadOnlyDay(pastDueSince: PlainDate): PlainDate {
  return addDays(pastDueSince, GRACE_DAYS);
}

/** Returns how a payment that failed on a given day affects the practice today. */
export function getDunningState(pastDueSince: PlainDate, today: PlainDate): DunningState {
  return today >= getReadOnlyDay(pastDueSince) ? 'read_only' : 'past_due';
}
