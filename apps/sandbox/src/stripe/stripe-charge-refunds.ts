/** Refunds of charges: accepted at once, and answered by the payer's bank (docs.stripe.com/refunds). */
import { invalid } from './stripe-error.ts';
import { addTransaction } from './stripe-payments.ts';
import { newId, put, type ChargeRecord, type RefundRecord, type StripeRecords } from './stripe-records.ts';

/** A refund to a bank account arrives after about this long (docs.stripe.com/payments/payment-methods/bacs-debit). */
const BACS_REFUND_DAYS = 4;

/** Throws as Stripe does if the charge can't give back as much. */
export function refundCharge(
  records: StripeRecords,
  charge: ChargeRecord,
  amount: number,
  metadata: RefundRecord['metadata'],
): RefundRecord {
  if (charge.disputed) throw invalid('charge', `Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) throw invalid('charge', `Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  if (amount <= 0 || amount > left)
    throw invalid('amount', `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount_too_large');
  const isBacs = records.methods.get(records.intents.get(charge.payment_intent)?.payment_method ?? '')?.type === 'bacs_debit';
  const created = records.now();
  const refund = put(records.refunds, {
    id: newId('re'),
    charge: charge.id,
    amount,
    created,
    status: isBacs ? ('pending' as const) : ('succeeded' as const),
    settles_at: isBacs ? created + BACS_REFUND_DAYS * 86_400 : null,
    failure_reason: null,
    metadata,
  });
  put(records.charges, { ...charge, amount_refunded: charge.amount_refunded + amount });
  addTransaction(records, 'refund', -amount, 0, refund.id, 0);
  records.emit('charge.refunded', 'charge', charge.id);
  return refund;
}

/** The payer's bank sends the money back, also after it was accepted (docs.stripe.com/refunds#failed-refunds). */
export function failRefund(records: StripeRecords, refund: RefundRecord, reason: string): void {
  const charge = records.charges.get(refund.charge);
  if (refund.status === 'failed' || !charge) return;
  put(records.refunds, { ...refund, status: 'failed', settles_at: null, failure_reason: reason });
  put(records.charges, { ...charge, amount_refunded: charge.amount_refunded - refund.amount });
  addTransaction(records, 'refund_failure', refund.amount, 0, refund.id, 0);
  records.emit('refund.failed', 'refund', refund.id);
}

/** Refunds that the bank has answered by now. */
export function settleRefunds(records: StripeRecords): void {
  for (const { document: refund } of records.refunds.list()) {
    if (refund.status !== 'pending' || refund.settles_at === null || refund.settles_at > records.now()) continue;
    put(records.refunds, { ...refund, status: 'succeeded', settles_at: null });
    records.emit('refund.updated', 'refund', refund.id);
  }
}
