/** Refunds of paid invoices and reductions of unpaid ones, using Stripe's credit notes (docs.stripe.com, Issue credit notes). */
import type { BillingProvider, RefundOrder } from './stripe-port.ts';
import type { StripeHttp } from './stripe-http.ts';
import { MAX_ITEMS } from './paid-invoice-reader.ts';
import { toCreditNote, toRefund, toSeconds } from './stripe-map.ts';
import { z } from 'zod';
import { creditNoteListWire, creditNoteWire, refundListWire, refundWire, type CreditNoteWire } from './stripe-wire.ts';

/** The metadata key under which a credit note or refund stores the idempotency key it was created with. */
const ORDER_KEY = 'order';

type RefundCalls = Pick<
  BillingProvider,
  'refund' | 'findCreditNote' | 'creditUnpaid' | 'findUnpaidCredit' | 'refundAgain' | 'listRefunds' | 'listRefundsSince' | 'getRefund'
>;

export function createRefundCalls(http: StripeHttp): RefundCalls {
  const { stripe } = http;
  const toParams = ({ idempotencyKey, invoiceId, amountPence, memo }: RefundOrder) => ({
    invoice: invoiceId,
    amount: amountPence,
    memo,
    // The practice receives only our own credit note.
    email_type: 'none' as const,
    metadata: { [ORDER_KEY]: idempotencyKey },
    expand: ['refunds.refund'],
  });
  const findByKey = async (invoice: string, idempotencyKey: string): Promise<CreditNoteWire | undefined> => {
    const send = () => stripe.creditNotes.list({ invoice, limit: 100, expand: ['data.refunds.refund'] });
    const { data } = await http.read({ operation: 'list_credit_notes', schema: creditNoteListWire, send });
    return data.find(({ metadata }) => metadata?.[ORDER_KEY] === idempotencyKey);
  };
  return {
    refund: async (order) => {
      const { idempotencyKey } = order;
      const params = { ...toParams(order), refund_amount: order.amountPence };
      const send = () => stripe.creditNotes.create(params, { idempotencyKey });
      return toCreditNote(await http.write({ operation: 'create_credit_note', schema: creditNoteWire, send }));
    },
    findCreditNote: async (invoiceId, idempotencyKey) => {
      const foundRefund = await findByKey(invoiceId, idempotencyKey);
      return foundRefund && toCreditNote(foundRefund);
    },
    creditUnpaid: async (order) => {
      const send = () => stripe.creditNotes.create(toParams(order), { idempotencyKey: order.idempotencyKey });
      return (await http.write({ operation: 'create_credit_note', schema: creditNoteWire, send })).id;
    },
    findUnpaidCredit: async (invoiceId, idempotencyKey) => (await findByKey(invoiceId, idempotencyKey))?.id,
    refundAgain: async ({ idempotencyKey, chargeId, amountPence }) => {
      const params = { charge: chargeId, amount: amountPence, metadata: { [ORDER_KEY]: idempotencyKey } };
      const send = () => stripe.refunds.create(params, { idempotencyKey });
      return toRefund(await http.write({ operation: 'create_refund', schema: refundWire, send }));
    },
    listRefunds: async (charge) => {
      const send = () => stripe.refunds.list({ charge, limit: 100 });
      const { data } = await http.read({ operation: 'list_refunds', schema: refundListWire, send });
      return data.map((refund) => ({ ...toRefund(refund), key: refund.metadata?.[ORDER_KEY] }));
    },
    listRefundsSince: async (since) => {
      const createdRange = { gte: toSeconds(since) };
      const send = () => stripe.refunds.list({ created: createdRange, limit: 100 }).autoPagingToArray({ limit: MAX_ITEMS });
      const foundRefunds = await http.read({ operation: 'list_refunds', schema: z.array(refundWire).max(MAX_ITEMS - 1), send });
      return foundRefunds.map((refund) => ({ ...toRefund(refund), chargeId: refund.charge ?? undefined })).toReversed();
    },
    getRefund: async (id) =>
      toRefund(await http.read({ operation: 'get_refund', schema: refundWire, send: () => stripe.refunds.retrieve(id) })),
  };
}
