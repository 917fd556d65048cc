/** Routes for refunds, and for credit notes that refund. */
import { creditNoteAnswer, listAnswer, refundAnswer, type Json } from './stripe-answers.ts';
import { invalid, orMissing } from './stripe-error.ts';
import { text, textMap, type Params } from './stripe-form.ts';
import { isCreatedWithin, pageOf } from './stripe-lists.ts';
import { refundCharge } from './stripe-charge-refunds.ts';
import { newId, put, type CreditNoteRecord, type StripeRecords } from './stripe-records.ts';
import { integer, ok, required, type StripeRoute } from './stripe-route.ts';

/** Stripe rejects a credit note whose parts don't add up to its amount (docs.stripe.com/api/credit_notes/create). */
const createCreditNote: StripeRoute['answer'] = ({ params, records }) => {
  const id = required(params, 'invoice');
  const invoice = orMissing(records.invoices.get(id), 'invoice', id);
  const amount = integer(params, 'amount');
  if (invoice.status !== 'paid') throw invalid('invoice', 'The simulator knows credit notes of paid invoices only.');
  if (integer(params, 'refund_amount') !== amount)
    throw invalid('refund_amount', 'The sum of refund_amount, credit_amount and out_of_band_amount must equal the credit note amount.');
  const credited = listOfInvoice(records, id).reduce((sum, note) => sum + note.amount, 0);
  if (amount > invoice.total - credited) throw invalid('amount', 'The credit note amount is greater than the creditable amount.');
  const charge = records.charges.get(records.intents.get(invoice.payment_intent ?? '')?.latest_charge ?? '');
  if (!charge) throw invalid('refund_amount', 'There is no payment to refund.');
  const refund = refundCharge(records, charge, amount, {});
  const { customer } = invoice;
  const facts = { customer, invoice: id, amount, memo: text(params, 'memo') ?? null, refund: refund.id };
  const note = put(records.creditNotes, { id: newId('cn'), ...facts, created: records.now(), metadata: textMap(params, 'metadata') });
  records.emit('credit_note.created', 'credit_note', note.id);
  return ok(creditNoteAnswer(note));
};

const listOfInvoice = (records: StripeRecords, invoice: string): CreditNoteRecord[] =>
  records.creditNotes.list().flatMap(({ document }) => (document.invoice === invoice ? [document] : []));

const createRefund: StripeRoute['answer'] = ({ params, records }) => {
  const id = required(params, 'charge');
  const charge = orMissing(records.charges.get(id), 'charge', id);
  return ok(refundAnswer(refundCharge(records, charge, integer(params, 'amount'), textMap(params, 'metadata'))));
};

const newestFirst = (params: Params, url: string, data: readonly Json[]): Json =>
  listAnswer(url, data.toReversed().slice(0, text(params, 'limit') === undefined ? 10 : integer(params, 'limit')));

export const REFUND_ROUTES: readonly StripeRoute[] = [
  { method: 'POST', path: '/credit_notes', operation: 'stripe.refund', answer: createCreditNote },
  {
    method: 'GET',
    path: '/credit_notes',
    operation: 'stripe.read',
    answer: ({ params, records }) =>
      ok(newestFirst(params, '/v1/credit_notes', listOfInvoice(records, required(params, 'invoice')).map(creditNoteAnswer))),
  },
  { method: 'POST', path: '/refunds', operation: 'stripe.refund', answer: createRefund },
  {
    method: 'GET',
    path: '/refunds',
    operation: 'stripe.read',
    answer: ({ params, records }) => {
      const charge = text(params, 'charge');
      const found = records.refunds
        .list()
        .map(({ document }) => document)
        .filter((refund) => (charge === undefined || refund.charge === charge) && isCreatedWithin(params, refund.created));
      return ok(pageOf('/v1/refunds', params, found.toReversed(), refundAnswer));
    },
  },
  {
    method: 'GET',
    path: '/refunds/:id',
    operation: 'stripe.read',
    answer: ({ id, records }) => ok(refundAnswer(orMissing(records.refunds.get(id), 'refund', id))),
  },
];
