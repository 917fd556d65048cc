/** Charge refunds: accepted immediately, then settled by the payer's bank (docs.stripe.com/refunds). */
import { createInvalidError } from './stripe-error.ts';
import { addTransaction } from './stripe-payments.ts';
import { createId, saveDocument, type ChargeRecord, type RefundRecord, type StripeRecords } from './stripe-records.ts';

/** Approximate time until a refund to a bank account arrives (docs.stripe.com/payments/payment-methods/bacs-debit). */
const BACS_REFUND_DAYS = 4;

/** Refunds a charge. Throws Stripe's error if the amount exceeds what is left to refund. */
export function refundCharge(
  records: StripeRecords,
  charge: ChargeRecord,
  amount: number,
  metadata: RefundRecord['metadata'],
): RefundRecord {
  if (charge.disputed)
    throw createInvalidError('charge', `Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  const remaining = charge.amount - charge.amount_refunded;
  if (remaining === 0) throw createInvalidError('charge', `Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  if (amount <= 0 || amount > remaining)
    throw createInvalidError(
      'amount',
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${remaining})`,
      'amount_too_large',
    );
  const isBacs = records.methods.get(records.intents.get(charge.payment_intent)?.payment_method ?? '')?.type === 'bacs_debit';
  const createdAt = records.now();
  const refund = saveDocument(records.refunds, {
    id: createId('re'),
    charge: charge.id,
    amount,
    created: createdAt,
    status: isBacs ? ('pending' as const) : ('succeeded' as const),
    settles_at: isBacs ? createdAt + BACS_REFUND_DAYS * 86_400 : null,
    failure_reason: null,
    metadata,
  });
  saveDocument(records.charges, { ...charge, amount_refunded: charge.amount_refunded + amount });
  addTransaction(records, 'refund', -amount, 0, refund.id, 0);
  records.emit('charge.refunded', 'charge', charge.id);
  return refund;
}

/** Fails a refund that the payer's bank returned, even after it succeeded (docs.stripe.com/refunds#failed-refunds). */
export function failRefund(records: StripeRecords, refund: RefundRecord, reason: string): void {
  const charge = records.charges.get(refund.charge);
  if (refund.status === 'failed' || !charge) return;
  saveDocument(records.refunds, { ...refund, status: 'failed', settles_at: null, failure_reason: reason });
  saveDocument(records.charges, { ...charge, amount_refunded: charge.amount_refunded - refund.amount });
  addTransaction(records, 'refund_failure', refund.amount, 0, refund.id, 0);
  records.emit('refund.failed', 'refund', refund.id);
}

/** Completes the refunds that have arrived. */
export function settleRefunds(records: StripeRecords): void {
  for (const { document: refund } of records.refunds.list()) {
    if (refund.status !== 'pending' || refund.settles_at === null || refund.settles_at > records.now()) continue;
    saveDocument(records.refunds, { ...refund, status: 'succeeded', settles_at: null });
    records.emit('refund.updated', 'refund', refund.id);
  }
}
