/** Stripe's hosted pages, marked as a simulator: Checkout for entering a payment method, payment confirmation and the customer portal. */
import type { FastifyInstance } from 'fastify';
import { readForm } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther, sendHtml } from '../simulator/responses.ts';
import { attemptPayment, confirmPayment } from './stripe-payments.ts';
import {
  createId,
  saveDocument,
  type Behaviour,
  type CheckoutRecord,
  type PaymentMethodRecord,
  type StripeRecords,
} from './stripe-records.ts';

type TestMethod = { readonly number: string; readonly label: string; readonly behaviour: Behaviour | 'rejected' };

/** docs.stripe.com/testing */
export const TEST_CARDS: readonly TestMethod[] = [
  { number: '4242424242424242', label: 'Pays', behaviour: 'pays' },
  { number: '4000002760003184', label: 'Each payment must be confirmed (3-D Secure)', behaviour: 'confirms' },
  { number: '4000000000000341', label: 'Can be saved, but its payments are declined', behaviour: 'declines' },
  { number: '4000000000000002', label: 'Declined when it is saved', behaviour: 'rejected' },
  { number: '4000000000000259', label: 'Pays, then the payment is disputed', behaviour: 'disputes' },
];
/** Accounts with sort code 10-88-00 (docs.stripe.com/payments/bacs-debit). */
export const TEST_ACCOUNTS: readonly TestMethod[] = [
  { number: '00012345', label: 'Pays', behaviour: 'pays' },
  { number: '22222227', label: 'Insufficient funds', behaviour: 'declines' },
  { number: '55555559', label: 'Pays, then the payment is disputed', behaviour: 'disputes' },
];

const STYLE = `
  body { margin: 0; font: 18px/1.5 system-ui, sans-serif; color: #1a1f36; background: #fff; }
  header { background: #1a1f36; color: #fff; padding: 0.75rem 1.25rem; font-weight: 700; }
  .notice { background: #fff7bf; border-bottom: 1px solid #594d00; padding: 0.5rem 1.25rem; font-size: 1rem; }
  main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
  fieldset { border: 1px solid #697386; border-radius: 6px; padding: 0.75rem 1rem; }
  label { display: block; margin: 0.4rem 0; }
  .error { border-left: 4px solid #b3093c; padding-left: 0.75rem; }
  button { font: inherit; margin: 1rem 0.5rem 0 0; padding: 0.6rem 1rem; border: 2px solid #1a1f36; border-radius: 6px; background: #fff; cursor: pointer; }
  button.main { color: #fff; background: #1a1f36; }
  :focus-visible { outline: 3px solid #1a1f36; outline-offset: 2px; }
`;

function toPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} – Stripe sandbox</title><style>${STYLE}</style></head>
<body>
<header>Stripe – sandbox simulator</header>
<aside class="notice" aria-label="Simulator">This is not Stripe. It is a simulator on this computer. Don’t enter real card or bank details.</aside>
<main><h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;
}

const NOT_FOUND = toPage('Page not found', '<p>Go back and start again.</p>');
type IdRoute = { Params: { id: string } };

export function serveStripePages(app: FastifyInstance, records: StripeRecords): void {
  serveCheckoutPage(app, records);
  app.get<IdRoute>('/i/:id', ({ params }, reply) => {
    const invoice = records.invoices.get(params.id);
    if (!invoice) return sendHtml(reply, 404, NOT_FOUND);
    const status = records.intents.get(invoice.payment_intent ?? '')?.status;
    const pounds = (invoice.amount_due / 100).toFixed(2);
    if (invoice.status === 'open' && status !== 'requires_action' && status !== 'processing') {
      const payForm = `<p>£${pounds} to pay.</p>
<form method="post"><button class="main" name="choice" value="pay">Pay with your saved method</button></form>`;
      return sendHtml(reply, 200, toPage('Invoice', payForm));
    }
    if (status !== 'requires_action')
      return sendHtml(reply, 200, toPage('Invoice', `<p>This invoice is ${invoice.status}. Close this page.</p>`));
    const form = `<p>Your bank asks you to confirm a payment of £${pounds}.</p>
<form method="post"><button class="main" name="choice" value="confirm">Confirm payment</button><button name="choice" value="fail">Don’t confirm</button></form>`;
    return sendHtml(reply, 200, toPage('Confirm your payment', form));
  });
  app.post<IdRoute>('/i/:id', (request, reply) => {
    const invoice = records.invoices.get(request.params.id);
    if (!invoice) return sendHtml(reply, 404, NOT_FOUND);
    const choice = readForm(request).get('choice');
    const methodId = records.customers.get(invoice.customer)?.default_payment_method ?? '';
    const { status } =
      choice === 'pay' ? attemptPayment(records, invoice, methodId) : confirmPayment(records, invoice, choice === 'confirm');
    const message =
      status === 'paid' ? 'Payment confirmed. Go back to the portal.' : 'The payment was not confirmed. Go back to the portal.';
    return sendHtml(reply, 200, toPage('Invoice', `<p>${message}</p>`));
  });
  app.get<IdRoute>('/p/session/:id', (request, reply) => {
    const customer = records.customers.get(request.params.id);
    if (!customer) return sendHtml(reply, 404, NOT_FOUND);
    const returnUrl = new URL(request.url, `http://${request.host}`).searchParams.get('return_url') ?? '';
    const method = records.methods.get(customer.default_payment_method ?? '');
    const methodText = method ? `${method.type === 'card' ? 'Card' : 'Account'} ending ${method.last4}` : 'No payment method';
    return sendHtml(reply, 200, toPage('Customer portal', `<p>${methodText}</p><p><a href="${escapeHtml(returnUrl)}">Return</a></p>`));
  });
}

function serveCheckoutPage(app: FastifyInstance, records: StripeRecords): void {
  app.get<IdRoute>('/c/pay/:id', ({ params }, reply) => {
    const checkout = records.checkouts.get(params.id);
    return checkout?.status === 'open' ? sendHtml(reply, 200, toSetupPage(checkout)) : sendHtml(reply, 404, NOT_FOUND);
  });
  app.post<IdRoute>('/c/pay/:id', (request, reply) => {
    const checkout = records.checkouts.get(request.params.id);
    if (checkout?.status !== 'open') return sendHtml(reply, 404, NOT_FOUND);
    const form = readForm(request);
    if (form.get('choice') !== 'save') return redirectSeeOther(reply, checkout.cancel_url);
    const method = completeCheckout(records, checkout, form.get('number') ?? '');
    if (!method) return sendHtml(reply, 200, toSetupPage(checkout, 'Your card was declined. Try a different card.'));
    return redirectSeeOther(reply, checkout.success_url.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id));
  });
}

function toSetupPage(checkout: CheckoutRecord, error?: string): string {
  const methods = checkout.type === 'card' ? TEST_CARDS : TEST_ACCOUNTS;
  const options = methods.map(
    ({ number, label }, index) =>
      `<label><input type="radio" name="number" value="${number}"${index === 0 ? ' checked' : ''}> ${number} – ${escapeHtml(label)}</label>`,
  );
  const title = checkout.type === 'card' ? 'Save a card' : 'Set up a Direct Debit';
  const legend = checkout.type === 'card' ? 'Test card' : 'Test account at sort code 10-88-00';
  const alert = error === undefined ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`;
  return toPage(
    title,
    `${alert}<form method="post"><fieldset><legend>${legend}</legend>${options.join('\n')}</fieldset>
<button class="main" name="choice" value="save">Save</button><button name="choice" value="cancel">Cancel</button></form>`,
  );
}

/** Saves a test card or account as the customer's payment method. Returns undefined if the bank rejects it. */
export function completeCheckout(records: StripeRecords, checkout: CheckoutRecord, number: string): PaymentMethodRecord | undefined {
  const methods = checkout.type === 'card' ? TEST_CARDS : TEST_ACCOUNTS;
  const behaviour = methods.find((method) => method.number === number)?.behaviour ?? 'rejected';
  if (behaviour === 'rejected') return undefined;
  const method = saveDocument(records.methods, {
    id: createId('pm'),
    customer: checkout.customer,
    type: checkout.type,
    brand: 'visa',
    last4: number.slice(-4),
    behaviour,
  });
  saveDocument(records.setupIntents, { id: checkout.setup_intent, status: 'succeeded', payment_method: method.id });
  saveDocument(records.checkouts, { ...checkout, status: 'complete' });
  records.emit('checkout.session.completed', 'checkout.session', checkout.id);
  return method;
}
