/** Control page for the Stripe simulator: subscriptions, charges, payouts and disputes. */
import { sendResult, sendError, getPathParam, readInput, readText, type ControlRoute } from '../control/control-call.ts';
import { formatPenceAsPounds } from '../control/format.ts';
import { h, type Markup } from '../control/markup.ts';
import { renderField, renderTable, sendPage } from '../control/page.ts';
import type { StripeControls } from './stripe-simulator.ts';

const PAGE = '/control/stripe';

export function stripeControlRoutes({ records, ...controls }: StripeControls): ControlRoute[] {
  const listDocuments = <Document>(collection: { list(): { document: Document }[] }) => collection.list().map(({ document }) => document);
  return [
    { method: 'GET', url: PAGE, handler: (_request, reply) => sendPage(reply, 'Stripe', toPage({ records, ...controls })) },
    {
      method: 'GET',
      url: `${PAGE}.json`,
      summary: 'Customers, subscriptions, invoices, charges, credit notes, refunds, balance transactions, payouts and webhooks at Stripe.',
      responseExample: '{"subscriptions": [...], "invoices": [...], "charges": [...], "payouts": [...], "webhooks": [...]}',
      handler: (_request, reply) =>
        reply.send({
          customers: listDocuments(records.customers),
          subscriptions: listDocuments(records.subscriptions),
          invoices: listDocuments(records.invoices),
          charges: listDocuments(records.charges),
          credit_notes: listDocuments(records.creditNotes),
          refunds: listDocuments(records.refunds),
          balance_transactions: listDocuments(records.transactions),
          payouts: listDocuments(records.payouts),
          webhooks: controls.listWebhooks(),
        }),
    },
    ...disputeRoutes(controls),
    {
      method: 'POST',
      url: `${PAGE}/charges/:id/refund`,
      summary: 'A person refunds a charge in Stripe’s dashboard, in pence.',
      requestExample: '{"amount": "1200"}',
      responseExample: '{"refunded": true}',
      handler: (request, reply) => {
        const amount = Number(readText(readInput(request), 'amount'));
        if (controls.refundInDashboard(getPathParam(request, 'id'), amount) === undefined)
          return sendError(reply, 409, 'amount', 'Stripe refuses this refund: charge unknown or disputed, or more than is left of it.');
        return sendResult(reply, { refunded: true }, PAGE, 'The charge is refunded.');
      },
    },
    {
      method: 'POST',
      url: `${PAGE}/refunds/:id/fail`,
      summary: 'The payer’s bank sends a refund back.',
      responseExample: '{"failed": true}',
      handler: (request, reply) => {
        if (!controls.failRefund(getPathParam(request, 'id'))) return sendError(reply, 404, 'id', 'No refund that can fail.');
        return sendResult(reply, { failed: true }, PAGE, 'The refund has failed.');
      },
    },
    {
      method: 'POST',
      url: `${PAGE}/checkout/complete`,
      summary: 'Saves a test card or account on the newest Checkout page, as the payer would.',
      requestExample: '{"number": "4242424242424242"}',
      responseExample: '{"saved": true}',
      handler: (request, reply) => {
        if (!controls.completeNewestCheckout(readText(readInput(request), 'number')))
          return sendError(reply, 409, 'number', 'No Checkout page is open, or the bank rejected this number.');
        return sendResult(reply, { saved: true }, PAGE, 'The payment method is saved.');
      },
    },
  ];
}

function disputeRoutes(controls: Pick<StripeControls, 'dispute' | 'closeDispute'>): ControlRoute[] {
  return [
    {
      method: 'POST',
      url: `${PAGE}/charges/:id/dispute`,
      summary: 'The payer’s bank takes a charge back (a dispute).',
      responseExample: '{"disputed": true}',
      handler: (request, reply) => {
        if (!controls.dispute(getPathParam(request, 'id'))) return sendError(reply, 404, 'id', 'Charge not found.');
        return sendResult(reply, { disputed: true }, PAGE, 'The charge is disputed.');
      },
    },
    {
      method: 'POST',
      url: `${PAGE}/charges/:id/close-dispute`,
      summary: 'The payer’s bank decides a dispute: won by us, or lost.',
      requestExample: '{"outcome": "lost"}',
      responseExample: '{"closed": true}',
      handler: (request, reply) => {
        const outcome = readText(readInput(request), 'outcome');
        if (outcome !== 'won' && outcome !== 'lost') return sendError(reply, 400, 'outcome', 'Choose won or lost.');
        if (!controls.closeDispute(getPathParam(request, 'id'), outcome))
          return sendError(reply, 404, 'id', 'No open dispute of this charge.');
        return sendResult(reply, { closed: true }, PAGE, 'The dispute is closed.');
      },
    },
  ];
}

function toPage({ records }: StripeControls): Markup {
  const formatDay = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);
  return h`<p class="lead">Subscriptions at the Stripe simulator. Renewals, retries and payouts follow the sandbox clock.</p>
${renderTable(
  'Subscriptions',
  ['Customer', 'Status', 'Connections', 'Renews on'],
  records.subscriptions
    .list()
    .toReversed()
    .map(
      ({ document: one }) =>
        h`<tr><td>${records.customers.get(one.customer)?.name ?? one.customer}</td><td>${one.status}</td><td>${String(one.quantity)}</td><td class="short">${formatDay(one.period_end)}</td></tr>`,
    ),
  'No subscriptions yet.',
)}
${renderTable(
  'Charges',
  [{ amount: 'Amount' }, 'Charged on', 'Status', 'Change'],
  records.charges
    .list()
    .toReversed()
    .map(
      ({ document: charge }) =>
        h`<tr><td class="amount">${formatPenceAsPounds(charge.amount)}</td><td class="short">${formatDay(charge.created)}</td><td>${charge.disputed ? 'disputed' : 'paid'}</td><td><form method="post" action="${PAGE}/charges/${charge.id}/dispute"><button class="plain">Dispute</button></form><form method="post" action="${PAGE}/charges/${charge.id}/refund"><input type="hidden" name="amount" value="${String(charge.amount - charge.amount_refunded)}"><button class="plain">Refund in the dashboard</button></form></td></tr>`,
    ),
  'No charges yet.',
)}
${renderTable(
  'Refunds',
  [{ amount: 'Amount' }, 'Made on', 'Status', 'Change'],
  records.refunds
    .list()
    .toReversed()
    .map(
      ({ document: refund }) =>
        h`<tr><td class="amount">${formatPenceAsPounds(refund.amount)}</td><td class="short">${formatDay(refund.created)}</td><td>${refund.status}</td><td><form method="post" action="${PAGE}/refunds/${refund.id}/fail"><button class="plain">Fail</button></form></td></tr>`,
    ),
  'No refunds yet.',
)}
${renderTable(
  'Payouts to the portal’s bank account',
  [{ amount: 'Amount' }, 'Created', 'Arrives'],
  records.payouts
    .list()
    .toReversed()
    .map(
      ({ document: payout }) =>
        h`<tr><td class="amount">${formatPenceAsPounds(payout.amount)}</td><td class="short">${formatDay(payout.created)}</td><td class="short">${formatDay(payout.arrival_date)}</td></tr>`,
    ),
  'No payouts yet.',
)}
<div class="cards forms"><form class="card" method="post" action="${PAGE}/checkout/complete"><h2>Complete the newest Checkout page</h2>${renderField('Number', 'number', '4242424242424242')}<button>Save payment method</button></form></div>`;
}
