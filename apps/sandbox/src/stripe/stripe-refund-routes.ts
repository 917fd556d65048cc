/** Routes for refunds, and for credit notes that refund. */
import { toCreditNoteResponse, toListResponse, toRefundResponse, type Json } from './stripe-responses.ts';
import { createInvalidError, requireRecord } from './stripe-error.ts';
import { readParam, readTextMap, type Params } from './stripe-form.ts';
import { isCreatedWithin, toPage } from './stripe-lists.ts';
import { refundCharge } from './stripe-charge-refunds.ts';
import { createId, saveDocument, type CreditNoteRecord, type InvoiceRecord, type StripeRecords } from './stripe-records.ts';
import { markPaid } from './stripe-payments.ts';
import { requireInteger, requireParam, type StripeResponse, type StripeRoute, toOkResponse } from './stripe-route.ts';

/** Stripe rejects a credit note whose parts don't add up to its amount (docs.stripe.com/api/credit_notes/create). */
const createCreditNote: StripeRoute['answer'] = ({ params, records }) => {
  const id = requireParam(params, 'invoice');
  const invoice = requireRecord(records.invoices.get(id), 'invoice', id);
  const amount = requireInteger(params, 'amount');
  if (invoice.status === 'open') return creditOpenInvoice(records, invoice, params);
  if (invoice.status !== 'paid') throw createInvalidError('invoice', `Cannot issue a credit note for a ${invoice.status} invoice.`);
  if (requireInteger(params, 'refund_amount') !== amount)
    throw createInvalidError(
      'refund_amount',
      'The sum of refund_amount, credit_amount and out_of_band_amount must equal the credit note amount.',
    );
  const creditedAmount = listByInvoice(records, id).reduce((sum, note) => sum + note.amount, 0);
  if (amount > invoice.total - creditedAmount)
    throw createInvalidError('amount', 'The credit note amount is greater than the creditable amount.');
  const charge = records.charges.get(records.intents.get(invoice.payment_intent ?? '')?.latest_charge ?? '');
  if (!charge) throw createInvalidError('refund_amount', 'There is no payment to refund.');
  const refund = refundCharge(records, charge, amount, {});
  return toOkResponse(toCreditNoteResponse(saveCreditNote(records, invoice, params, { amount, refund: refund.id })));
};

// oxlint-disable-next-line max-params -- the note's facts differ for each caller
function saveCreditNote(
  records: StripeRecords,
  { id: invoice, customer }: InvoiceRecord,
  params: Params,
  facts: Pick<CreditNoteRecord, 'amount' | 'refund'>,
): CreditNoteRecord {
  const note = saveDocument(records.creditNotes, {
    id: createId('cn'),
    customer,
    invoice,
    ...facts,
    memo: readParam(params, 'memo') ?? null,
    created: records.now(),
    metadata: readTextMap(params, 'metadata'),
  });
  records.emit('credit_note.created', 'credit_note', note.id);
  return note;
}

/** Reduces the amount due. An invoice with nothing left to pay is paid (docs.stripe.com, Issue credit notes). */
function creditOpenInvoice(records: StripeRecords, invoice: InvoiceRecord, params: Params): StripeResponse {
  const amount = requireInteger(params, 'amount');
  if (readParam(params, 'refund_amount') !== undefined)
    throw createInvalidError('refund_amount', 'An open invoice has no payment to refund.');
  if (amount <= 0 || amount > invoice.amount_due)
    throw createInvalidError('amount', 'The credit note amount is greater than the amount remaining.');
  const creditedInvoice = saveDocument(records.invoices, {
    ...invoice,
    amount_due: invoice.amount_due - amount,
    pre_payment_credit_notes_amount: (invoice.pre_payment_credit_notes_amount ?? 0) + amount,
  });
  const note = saveCreditNote(records, invoice, params, { amount, refund: null });
  if (creditedInvoice.amount_due === 0) markPaid(records, creditedInvoice);
  return toOkResponse(toCreditNoteResponse(note));
}

const listByInvoice = (records: StripeRecords, invoice: string): CreditNoteRecord[] =>
  records.creditNotes.list().flatMap(({ document }) => (document.invoice === invoice ? [document] : []));

const createRefund: StripeRoute['answer'] = ({ params, records }) => {
  const id = requireParam(params, 'charge');
  const charge = requireRecord(records.charges.get(id), 'charge', id);
  return toOkResponse(toRefundResponse(refundCharge(records, charge, requireInteger(params, 'amount'), readTextMap(params, 'metadata'))));
};

const toNewestFirstList = (params: Params, url: string, data: readonly Json[]): Json =>
  toListResponse(url, data.toReversed().slice(0, readParam(params, 'limit') === undefined ? 10 : requireInteger(params, 'limit')));

export const REFUND_ROUTES: readonly StripeRoute[] = [
  { method: 'POST', path: '/credit_notes', operation: 'stripe.refund', answer: createCreditNote },
  {
    method: 'GET',
    path: '/credit_notes',
    operation: 'stripe.read',
    answer: ({ params, records }) =>
      toOkResponse(
        toNewestFirstList(params, '/v1/credit_notes', listByInvoice(records, requireParam(params, 'invoice')).map(toCreditNoteResponse)),
      ),
  },
  { method: 'POST', path: '/refunds', operation: 'stripe.refund', answer: createRefund },
  {
    method: 'GET',
    path: '/refunds',
    operation: 'stripe.read',
    answer: ({ params, records }) => {
      const charge = readParam(params, 'charge');
      const matchingRefunds = records.refunds
        .list()
        .map(({ document }) => document)
        .filter((refund) => (charge === undefined || refund.charge === charge) && isCreatedWithin(params, refund.created));
      return toOkResponse(toPage('/v1/refunds', params, matchingRefunds.toReversed(), toRefundResponse));
    },
  },
  {
    method: 'GET',
    path: '/refunds/:id',
    operation: 'stripe.read',
    answer: ({ id, records }) => toOkResponse(toRefundResponse(requireRecord(records.refunds.get(id), 'refund', id))),
  },
];
