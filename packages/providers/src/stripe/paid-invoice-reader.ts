/**
 * Adds an invoice's payment, charge and dispute. Stripe expands at most four levels of a property (docs.stripe.com, Expanding responses), and
 * `payments.data.payment.payment_intent.latest_charge` has five, so payments are read in calls of their own.
 */
import { z } from 'zod';
import type { StripeHttp } from './stripe-http.ts';
import { getIntentId, toDispute, toInvoice } from './stripe-map.ts';
import type { ProviderDispute, ProviderInvoice } from './stripe-port.ts';
import { disputeListWire, intentWire, type IntentWire, type InvoiceWire } from './stripe-wire.ts';

/** The maximum that the SDK reads in one list. A month with more items fails rather than being truncated. */
export const MAX_ITEMS = 10_000;

type PaidInvoiceReader = {
  toPaidInvoice(wire: InvoiceWire): Promise<ProviderInvoice>;
  /** For invoices of one customer, whose payments are read together. */
  toPaidInvoices(wires: readonly InvoiceWire[]): Promise<ProviderInvoice[]>;
};

export function createPaidInvoiceReader(http: StripeHttp): PaidInvoiceReader {
  const { stripe } = http;
  const getIntent = (id: string): Promise<IntentWire> => {
    const send = () => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    return http.read({ operation: 'get_payment', schema: intentWire, send });
  };
  const listIntents = async (customer: string): Promise<Map<string, IntentWire>> => {
    const list = stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.latest_charge'] });
    const send = () => list.autoPagingToArray({ limit: MAX_ITEMS });
    const intents = await http.read({ operation: 'list_payments', schema: z.array(intentWire), send });
    return new Map(intents.map((intent) => [intent.id, intent]));
  };
  const findDispute = async (intent: IntentWire | undefined): Promise<ProviderDispute | undefined> => {
    const charge = intent?.latest_charge;
    if (!charge?.disputed) return undefined;
    // `disputed` remains true after a dispute that we won.
    const send = () => stripe.disputes.list({ charge: charge.id, limit: 100 });
    const { data } = await http.read({ operation: 'list_disputes', schema: disputeListWire, send });
    return toDispute(data);
  };
  const addPayment = async (wire: InvoiceWire, known: ReadonlyMap<string, IntentWire>): Promise<ProviderInvoice> => {
    const id = getIntentId(wire);
    const intent = id === undefined ? undefined : (known.get(id) ?? (await getIntent(id)));
    return toInvoice(wire, intent, await findDispute(intent));
  };
  return {
    toPaidInvoice: (wire) => addPayment(wire, new Map()),
    toPaidInvoices: async (wires) => {
      const customer = wires.find((wire) => getIntentId(wire) !== undefined)?.customer;
      const known = customer ? await listIntents(customer) : new Map<string, IntentWire>();
      const invoices: ProviderInvoice[] = [];
      for (const wire of wires) invoices.push(await addPayment(wire, known));
      return invoices;
    },
  };
}
