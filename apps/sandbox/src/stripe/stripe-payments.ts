/** Invoice payments, responses from the payer's bank, and payouts to the portal's bank account. */
import { divideRounded } from './stripe-arithmetic.ts';
import { createId, saveDocument, type ChargeRecord, type IntentRecord, type InvoiceRecord, type StripeRecords } from './stripe-records.ts';

const DAY_SECONDS = 86_400;
/** Days between each failed attempt and the next. After the last one, the subscription stays past due. */
const RETRY_DAYS = [3, 5, 7];
/** Approximate number of days until a Direct Debit is known to have succeeded. */
const BACS_DAYS = 4;
/** Number of days until a charge can be paid out. */
const AVAILABLE_DAYS = 3;
const DISPUTE_FEE = 20_00;

/** Returns Stripe's fee: 1.5% and 20p for a UK card; 1% for a Direct Debit, at least 20p and at most £2 (stripe.com/gb/pricing). */
function getFee(amount: number, type: 'card' | 'bacs_debit'): number {
  if (type === 'card') return divideRounded(BigInt(amount) * 15n, 1_000n) + 20;
  return Math.min(2_00, Math.max(20, divideRounded(BigInt(amount), 100n)));
}

/** Tries to collect an open invoice with a payment method, after finalising, on a retry or for POST /invoices/:id/pay. */
export function attemptPayment(records: StripeRecords, invoice: InvoiceRecord, methodId: string): InvoiceRecord {
  const method = records.methods.get(methodId);
  const existing = invoice.payment_intent === null ? undefined : records.intents.get(invoice.payment_intent);
  const intent: IntentRecord = {
    id: existing?.id ?? createId('pi'),
    invoice: invoice.id,
    customer: invoice.customer,
    amount: invoice.amount_due,
    payment_method: methodId,
    latest_charge: existing?.latest_charge ?? null,
    last_payment_error: null,
    settles_at: null,
    status: 'processing',
  };
  const attemptedInvoice = saveDocument(records.invoices, {
    ...invoice,
    payment_intent: intent.id,
    attempt_count: invoice.attempt_count + 1,
  });
  if (!method) return failPayment(records, attemptedInvoice, intent, 'payment_method_missing', 'There is no payment method.');
  if (method.type === 'bacs_debit') {
    saveDocument(records.intents, { ...intent, settles_at: records.now() + BACS_DAYS * DAY_SECONDS });
    return setSubscription(records, saveDocument(records.invoices, { ...attemptedInvoice, next_payment_attempt: null }), 'active');
  }
  if (method.behaviour === 'declines') return failPayment(records, attemptedInvoice, intent, 'card_declined', 'Your card was declined.');
  if (method.behaviour === 'confirms') {
    saveDocument(records.intents, { ...intent, status: 'requires_action' });
    records.emit('invoice.payment_action_required', 'invoice', invoice.id);
    return setSubscription(records, attemptedInvoice, 'past_due');
  }
  return completePayment(records, attemptedInvoice, intent);
}

/** Applies the payer's choice on the payment confirmation page (3-D Secure). */
export function confirmPayment(records: StripeRecords, invoice: InvoiceRecord, isConfirmed: boolean): InvoiceRecord {
  const intent = invoice.payment_intent === null ? undefined : records.intents.get(invoice.payment_intent);
  if (intent?.status !== 'requires_action') return invoice;
  if (isConfirmed) return completePayment(records, invoice, intent);
  return failPayment(records, invoice, intent, 'payment_intent_authentication_failure', 'The payment was not confirmed.');
}

function completePayment(records: StripeRecords, invoice: InvoiceRecord, intent: IntentRecord): InvoiceRecord {
  const method = records.methods.get(intent.payment_method);
  const type = method?.type ?? 'card';
  const now = records.now();
  const charge = saveDocument(records.charges, {
    id: createId('ch'),
    customer: invoice.customer,
    amount: intent.amount,
    amount_refunded: 0,
    payment_intent: intent.id,
    disputed: false,
    created: now,
  });
  saveDocument(records.intents, { ...intent, status: 'succeeded', latest_charge: charge.id, last_payment_error: null, settles_at: null });
  addTransaction(records, type === 'card' ? 'charge' : 'payment', charge.amount, getFee(charge.amount, type), charge.id, AVAILABLE_DAYS);
  const paidInvoice = markPaid(records, { ...invoice, amount_paid: intent.amount });
  if (method?.behaviour === 'disputes') disputeCharge(records, charge);
  return paidInvoice;
}

/** Marks an invoice as paid. This includes invoices for £0, which don't need a payment. */
export function markPaid(records: StripeRecords, invoice: InvoiceRecord): InvoiceRecord {
  const paidInvoice = saveDocument(records.invoices, { ...invoice, status: 'paid', paid_at: records.now(), next_payment_attempt: null });
  records.emit('invoice.paid', 'invoice', paidInvoice.id);
  return setSubscription(records, paidInvoice, 'active');
}

function failPayment(records: StripeRecords, invoice: InvoiceRecord, intent: IntentRecord, code: string, message: string): InvoiceRecord {
  saveDocument(records.intents, { ...intent, status: 'requires_payment_method', last_payment_error: { code, message }, settles_at: null });
  const days = RETRY_DAYS[invoice.attempt_count - 1];
  const failedInvoice = saveDocument(records.invoices, {
    ...invoice,
    next_payment_attempt: days === undefined ? null : records.now() + days * DAY_SECONDS,
  });
  records.emit('invoice.payment_failed', 'invoice', failedInvoice.id);
  // It's already a bad debt, so the subscription continues.
  if (failedInvoice.status === 'uncollectible') return saveDocument(records.invoices, { ...failedInvoice, next_payment_attempt: null });
  return setSubscription(records, failedInvoice, 'past_due');
}

/**
 * Marks an invoice as a bad debt. Payment isn't retried, and if it is the subscription's latest invoice, the subscription continues
 * (docs.stripe.com, Subscription statuses). The payer can still pay it.
 */
export function markUncollectible(records: StripeRecords, invoice: InvoiceRecord): InvoiceRecord {
  const uncollectibleInvoice = saveDocument(records.invoices, { ...invoice, status: 'uncollectible', next_payment_attempt: null });
  records.emit('invoice.marked_uncollectible', 'invoice', uncollectibleInvoice.id);
  return setSubscription(records, uncollectibleInvoice, 'active');
}

/**
 * The subscription's status follows its latest invoice only (docs.stripe.com, Subscription statuses). A first payment that fails leaves it
 * incomplete. A Direct Debit makes it active until the bank rejects it.
 */
function setSubscription(records: StripeRecords, invoice: InvoiceRecord, status: 'active' | 'past_due'): InvoiceRecord {
  const subscription = records.subscriptions.get(invoice.subscription);
  if (!subscription || ['canceled', 'incomplete_expired'].includes(subscription.status)) return invoice;
  if (subscription.latest_invoice !== invoice.id) return invoice;
  const next = status === 'past_due' && subscription.status === 'incomplete' ? 'incomplete' : status;
  if (next !== subscription.status) {
    saveDocument(records.subscriptions, { ...subscription, status: next });
    records.emit('customer.subscription.updated', 'subscription', subscription.id);
  }
  return invoice;
}

/** Completes the Direct Debits that the bank has responded to. */
export function settleDirectDebits(records: StripeRecords): void {
  for (const { document: intent } of records.intents.list()) {
    if (intent.settles_at === null || intent.settles_at > records.now()) continue;
    const invoice = records.invoices.get(intent.invoice);
    const method = records.methods.get(intent.payment_method);
    if (!invoice) continue;
    if (method?.behaviour === 'declines')
      failPayment(records, invoice, intent, 'insufficient_funds', 'The bank account has insufficient funds.');
    else completePayment(records, invoice, intent);
  }
}

/** Disputes a charge: the payer's bank takes the money back. */
export function disputeCharge(records: StripeRecords, charge: ChargeRecord): void {
  if (charge.disputed) return;
  // The amount already refunded isn't taken back again.
  const amount = charge.amount - charge.amount_refunded;
  const dispute = saveDocument(records.disputes, {
    id: createId('du'),
    charge: charge.id,
    amount,
    created: records.now(),
    status: 'needs_response',
  });
  saveDocument(records.charges, { ...charge, disputed: true });
  addTransaction(records, 'adjustment', -amount, DISPUTE_FEE, dispute.id, 0);
  records.emit('charge.dispute.created', 'dispute', dispute.id);
}

/** The payer's bank decides. If we win, it returns the money, but `charge.disputed` stays true (docs.stripe.com/api/charges/object). */
export function closeDispute(records: StripeRecords, chargeId: string, outcome: 'won' | 'lost'): boolean {
  const dispute = records.disputes.list().findLast(({ document }) => document.charge === chargeId)?.document;
  if (dispute?.status !== 'needs_response') return false;
  saveDocument(records.disputes, { ...dispute, status: outcome });
  if (outcome === 'won') addTransaction(records, 'adjustment', dispute.amount, 0, dispute.id, 0);
  records.emit('charge.dispute.closed', 'dispute', dispute.id);
  return true;
}

type TransactionType = 'charge' | 'payment' | 'refund' | 'refund_failure' | 'adjustment';

// oxlint-disable-next-line max-params -- one line for each movement reads best
export function addTransaction(
  records: StripeRecords,
  type: TransactionType,
  amount: number,
  fee: number,
  source: string,
  days: number,
): void {
  const createdAt = records.now();
  saveDocument(records.transactions, {
    id: createId('txn'),
    type,
    amount,
    fee,
    created: createdAt,
    available_on: createdAt + days * DAY_SECONDS,
    source,
    payout: null,
  });
}

/** Pays out the available balance once a day, like Stripe's automatic payouts. */
export function payOut(records: StripeRecords): void {
  const now = records.now();
  const today = Math.floor(now / DAY_SECONDS);
  const last = records.payouts.list().at(-1)?.document;
  if (last && Math.floor(last.created / DAY_SECONDS) === today) return;
  const dueTransactions = records.transactions
    .list()
    .flatMap(({ document }) => (document.payout === null && document.available_on <= now ? [document] : []));
  const amount = dueTransactions.reduce((sum, transaction) => sum + transaction.amount - transaction.fee, 0);
  if (amount <= 0) return;
  const payout = saveDocument(records.payouts, { id: createId('po'), amount, created: now, arrival_date: now + DAY_SECONDS });
  for (const transaction of dueTransactions) saveDocument(records.transactions, { ...transaction, payout: payout.id });
  saveDocument(records.transactions, {
    id: createId('txn'),
    type: 'payout',
    amount: -amount,
    fee: 0,
    created: now,
    available_on: now,
    source: payout.id,
    payout: payout.id,
  });
  records.emit('payout.paid', 'payout', payout.id);
}
