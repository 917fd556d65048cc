/** Client for Stripe: prices, customers, payment methods entered at Checkout, subscriptions, invoices and webhooks. */
import { AppError } from '@portal/domain/app-error.ts';
import type { BillingEvent, BillingProvider, BillingWebhook } from './stripe-port.ts';
import { createCatalogueCalls } from './stripe-catalogue.ts';
import { createStripeHttp, type StripeHttp, type StripeHttpSettings } from './stripe-http.ts';
import { toPaymentMethod } from './stripe-map.ts';
import { createMoneyCalls } from './stripe-money.ts';
import { createRefundCalls } from './stripe-refunds.ts';
import { createSubscriptionCalls } from './stripe-subscriptions.ts';
import { checkoutWire, completedCheckoutWire, eventObjectWire, idWire, urlWire } from './stripe-wire.ts';

/** `webhookSecrets`: newest first, then an older secret while Stripe still signs with it. */
export type StripeSettings = StripeHttpSettings & { readonly webhookSecrets: readonly string[] };

/** Older webhook signatures are rejected (docs.stripe.com, Verify webhook signatures). */
const TOLERANCE_SECONDS = 300;

export function createStripeClient(settings: StripeSettings): BillingProvider {
  const http = createStripeHttp(settings);
  return {
    ...createCatalogueCalls(http),
    ...createCustomerCalls(http),
    ...createSubscriptionCalls(http),
    ...createMoneyCalls(http),
    ...createRefundCalls(http),
    verifyWebhook: (webhook) => verifyWebhook(http, webhook, settings.webhookSecrets),
  };
}

type CustomerCalls = Pick<
  BillingProvider,
  'createCustomer' | 'updateCustomer' | 'startSetup' | 'findEnteredMethod' | 'setDefaultMethod' | 'createPortalSession'
>;

function createCustomerCalls(http: StripeHttp): CustomerCalls {
  return {
    createCustomer: async ({ idempotencyKey, companyId, contact }) => {
      const { name, email } = contact;
      const params = { name, ...(email === '' ? {} : { email }), metadata: { company_id: companyId }, preferred_locales: ['en-GB'] };
      const send = () => http.stripe.customers.create(params, { idempotencyKey });
      return (await http.write({ operation: 'create_customer', schema: idWire, send })).id;
    },
    updateCustomer: async ({ idempotencyKey, customerId, contact }) => {
      const send = () => http.stripe.customers.update(customerId, contact, { idempotencyKey });
      await http.write({ operation: 'update_customer', schema: idWire, send });
    },
    startSetup: async ({ idempotencyKey, customerId, kind, returnUrl, cancelUrl }) => {
      const params = {
        mode: 'setup' as const,
        currency: 'gbp',
        customer: customerId,
        payment_method_types: [kind],
        success_url: returnUrl,
        cancel_url: cancelUrl,
      };
      const send = () => http.stripe.checkout.sessions.create(params, { idempotencyKey });
      const session = await http.write({ operation: 'create_checkout', schema: checkoutWire, send });
      return { setupId: session.id, url: session.url ?? '' };
    },
    findEnteredMethod: async (setupId) => {
      const send = () => http.stripe.checkout.sessions.retrieve(setupId, { expand: ['setup_intent.payment_method'] });
      const { status, setup_intent: intent } = await http.read({ operation: 'get_checkout', schema: completedCheckoutWire, send });
      const method = status === 'complete' && intent?.status === 'succeeded' ? intent.payment_method : null;
      return method ? toPaymentMethod(method) : undefined;
    },
    setDefaultMethod: async ({ idempotencyKey, customerId, paymentMethodId }) => {
      const params = { invoice_settings: { default_payment_method: paymentMethodId } };
      const send = () => http.stripe.customers.update(customerId, params, { idempotencyKey });
      await http.write({ operation: 'set_default_method', schema: idWire, send });
    },
    createPortalSession: async ({ idempotencyKey, customerId, returnUrl }) => {
      const send = () => http.stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl }, { idempotencyKey });
      return (await http.write({ operation: 'create_portal_session', schema: urlWire, send })).url;
    },
  };
}

function verifyWebhook({ stripe }: StripeHttp, { rawBody, signature, now }: BillingWebhook, secrets: readonly string[]): BillingEvent {
  const event = secrets.map((secret) => tryConstruct(stripe, { rawBody, signature, now }, secret)).find((found) => found !== undefined);
  if (!event) throw new AppError('unauthenticated', 'webhook.bad_signature', 'The signature doesn’t match.');
  const object = eventObjectWire.safeParse(event.data?.object).data;
  if (!object) throw new AppError('invalid', 'webhook.unreadable', 'The body doesn’t match the published format.');
  return {
    eventId: event.id,
    type: event.type,
    customerId: object.object === 'customer' ? object.id : (object.customer ?? undefined),
    chargeId: object.charge ?? undefined,
  };
}

function tryConstruct(stripe: StripeHttp['stripe'], { rawBody, signature, now }: BillingWebhook, secret: string) {
  try {
    return stripe.webhooks.constructEvent(rawBody, signature ?? '', secret, TOLERANCE_SECONDS, undefined, Date.parse(now));
  } catch {
    // It is signed with another secret, or not by Stripe.
    return undefined;
  }
}
