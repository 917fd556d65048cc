/** Invoices, payments, and Stripe's payouts to our bank. */
import type { BalanceTransaction, BillingProvider } from './stripe-port.ts';
import { ProviderError } from '../http/provider-error.ts';
import type { StripeHttp } from './stripe-http.ts';
import { createPaidInvoiceReader, MAX_ITEMS } from './paid-invoice-reader.ts';
import { fromUnixSeconds, toSeconds, toTransaction } from './stripe-map.ts';
import { pence } from '@portal/domain/money.ts';
import { invoiceListWire, invoiceWire, payoutWire, transactionWire } from './stripe-wire.ts';
import { z } from 'zod';

type MoneyCalls = Pick<
  BillingProvider,
  'getInvoice' | 'markUncollectible' | 'listInvoices' | 'payInvoice' | 'listBalanceTransactions' | 'listPayouts' | 'listPayoutTransactions'
>;

export function createMoneyCalls(http: StripeHttp): MoneyCalls {
  const { stripe } = http;
  const listTransactions = async (filter: { created?: object; payout?: string }): Promise<BalanceTransaction[]> => {
    const send = () =>
      stripe.balanceTransactions.list({ ...filter, limit: 100, expand: ['data.source'] }).autoPagingToArray({ limit: MAX_ITEMS });
    const foundTransactions = await http.read({
      operation: 'list_balance_transactions',
      schema: z.array(transactionWire).max(MAX_ITEMS - 1),
      send,
    });
    return foundTransactions.map((wire) => toTransaction(wire, filter.payout)).toReversed();
  };
  const paidInvoices = createPaidInvoiceReader(http);
  return {
    getInvoice: async (id) => {
      const send = () => stripe.invoices.retrieve(id, { expand: ['payments'] });
      return paidInvoices.toPaidInvoice(await http.read({ operation: 'get_invoice', schema: invoiceWire, send }));
    },
    markUncollectible: async ({ idempotencyKey, invoiceId }) => {
      const send = () => stripe.invoices.markUncollectible(invoiceId, { expand: ['payments'] }, { idempotencyKey });
      return paidInvoices.toPaidInvoice(await http.write({ operation: 'mark_uncollectible', schema: invoiceWire, send }));
    },
    listInvoices: async (subscription) => {
      const send = () => stripe.invoices.list({ subscription, limit: 100, expand: ['data.payments'] });
      const { data } = await http.read({ operation: 'list_invoices', schema: invoiceListWire, send });
      return (await paidInvoices.toPaidInvoices(data)).toReversed();
    },
    payInvoice: async ({ idempotencyKey, invoiceId, paymentMethodId }) => {
      const params = { payment_method: paymentMethodId, off_session: true };
      const send = () => stripe.invoices.pay(invoiceId, params, { idempotencyKey });
      try {
        await http.write({ operation: 'pay_invoice', schema: invoiceWire, send });
      } catch (error) {
        // 402: declined, or the payer must confirm it. The invoice says which.
        if (!(error instanceof ProviderError && error.facts.status === 402)) throw error;
      }
    },
    listBalanceTransactions: (from, before) => listTransactions({ created: { gte: toSeconds(from), lt: toSeconds(before) } }),
    listPayoutTransactions: (payout) => listTransactions({ payout }),
    listPayouts: async (from, before) => {
      const createdRange = { gte: toSeconds(from), lt: toSeconds(before) };
      const send = () => stripe.payouts.list({ created: createdRange, limit: 100 }).autoPagingToArray({ limit: MAX_ITEMS });
      const foundPayouts = await http.read({ operation: 'list_payouts', schema: z.array(payoutWire).max(MAX_ITEMS - 1), send });
      const toPayout = ({ id, amount, status, created: createdAt, arrival_date: arrivesAt }: z.infer<typeof payoutWire>) => ({
        payoutId: id,
        amountPence: pence(amount),
        status,
        createdAt: fromUnixSeconds(createdAt),
        arrivesAt: fromUnixSeconds(arrivesAt),
      });
      return foundPayouts.map(toPayout).toReversed();
    },
  };
}
