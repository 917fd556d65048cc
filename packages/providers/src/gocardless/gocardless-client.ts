/** Client for GoCardless: mandates through billing requests, Direct Debit payments, payouts to us and webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@portal/domain/app-error.ts';
import { parseInstant, toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import type { PayoutItem } from '@portal/domain/shortfalls/direct-debit-payout.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { z } from 'zod';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError } from '../http/provider-error.ts';
import { AlreadyCreatedError, createGoCardlessHttp, type GoCardlessHttp, type GoCardlessHttpSettings } from './gocardless-http.ts';
import type {
  DirectDebit,
  DirectDebitEvent,
  DirectDebitPayout,
  DirectDebitProvider,
  DirectDebitWebhook,
  Mandate,
  MandateRequest,
} from './gocardless-port.ts';
import {
  billingRequestWire,
  customerBankAccountWire,
  eventListWire,
  flowWire,
  mandateWire,
  ORDER_KEY,
  paymentListWire,
  paymentWire,
  payoutItemListWire,
  payoutListWire,
  webhookWire,
  type EventWire,
  type PaymentWire,
  type PayoutItemWire,
  type PayoutWire,
} from './gocardless-wire.ts';

/** `webhookSecrets`: newest first, then an older secret while GoCardless still signs with it. */
export type GoCardlessSettings = GoCardlessHttpSettings & { readonly webhookSecrets: readonly string[] };

const MAX_PAGES = 20;

export function createGoCardlessClient(settings: GoCardlessSettings): DirectDebitProvider {
  const http = createGoCardlessHttp(settings);
  return {
    ...createMandateCalls(http),
    ...createPaymentCalls(http),
    ...createPayoutCalls(http),
    verifyWebhook: (webhook) => verifyWebhook(webhook, settings.webhookSecrets),
  };
}

type MandateCalls = Pick<
  DirectDebitProvider,
  'requestMandate' | 'startFlow' | 'findMandateRequest' | 'findMandate' | 'findAccountEnding' | 'cancelMandate' | 'cancelMandateRequest'
>;

function createMandateCalls(http: GoCardlessHttp): MandateCalls {
  const readRequest = (id: string) =>
    http.read({ operation: 'get_billing_request', path: `/billing_requests/${encodeURIComponent(id)}`, schema: billingRequestWire });
  const cancel = (operation: string, path: string, schema: z.ZodType) =>
    ignoreAlreadyEnded(() => http.write({ operation, path: `${path}/actions/cancel`, schema, body: {}, idempotencyKey: `cancel-${path}` }));
  return {
    requestMandate: async ({ idempotencyKey }) => {
      const body = {
        billing_requests: { mandate_request: { scheme: 'bacs', currency: 'GBP' }, metadata: { [ORDER_KEY]: idempotencyKey } },
      };
      const call = { operation: 'create_billing_request', path: '/billing_requests', schema: billingRequestWire, body, idempotencyKey };
      return toMandateRequest(await createOrGetExisting(() => http.write(call), readRequest));
    },
    startFlow: async ({ idempotencyKey, billingRequestId, returnUrl, exitUrl, payer }) => {
      const response = await http.write({
        operation: 'create_billing_request_flow',
        path: '/billing_request_flows',
        schema: flowWire,
        idempotencyKey,
        body: {
          billing_request_flows: {
            redirect_uri: returnUrl,
            exit_uri: exitUrl,
            prefilled_customer: { company_name: payer.companyName, email: payer.email },
            links: { billing_request: billingRequestId },
          },
        },
      });
      return { authorisationUrl: response.billing_request_flows.authorisation_url };
    },
    findMandateRequest: (id) => requireRecord(async () => toMandateRequest(await readRequest(id))),
    findMandate: (id) =>
      requireRecord(async () =>
        toMandate(await http.read({ operation: 'get_mandate', path: `/mandates/${encodeURIComponent(id)}`, schema: mandateWire })),
      ),
    findAccountEnding: async (id) => {
      const path = `/customer_bank_accounts/${encodeURIComponent(id)}`;
      const account = await http.read({ operation: 'get_customer_bank_account', path, schema: customerBankAccountWire });
      return account.customer_bank_accounts.account_number_ending;
    },
    cancelMandate: (id) => cancel('cancel_mandate', `/mandates/${encodeURIComponent(id)}`, mandateWire),
    cancelMandateRequest: (id) => cancel('cancel_billing_request', `/billing_requests/${encodeURIComponent(id)}`, billingRequestWire),
  };
}

/** GoCardless rejects cancelling something that has already ended. */
async function ignoreAlreadyEnded(cancel: () => Promise<unknown>): Promise<void> {
  try {
    await cancel();
  } catch (error) {
    if (!(error instanceof ProviderError && (error.failure === 'refused' || error instanceof AlreadyCreatedError))) throw error;
  }
}

function createPaymentCalls(http: GoCardlessHttp): Omit<DirectDebitProvider, keyof MandateCalls | keyof PayoutCalls | 'verifyWebhook'> {
  const readPayment = (id: string) =>
    http.read({ operation: 'get_payment', path: `/payments/${encodeURIComponent(id)}`, schema: paymentWire });
  return {
    createDirectDebit: async ({ idempotencyKey, mandateId, amountPence, chargeOn, description }) => {
      const payments = {
        amount: amountPence,
        currency: 'GBP',
        charge_date: chargeOn,
        description,
        metadata: { [ORDER_KEY]: idempotencyKey },
        links: { mandate: mandateId },
      };
      const call = { operation: 'create_payment', path: '/payments', schema: paymentWire, body: { payments }, idempotencyKey };
      return toDirectDebit((await createOrGetExisting(() => http.write(call), readPayment)).payments);
    },
    findDirectDebit: (id) => requireRecord(async () => toDirectDebit((await readPayment(id)).payments)),
    findDirectDebitByKey: ({ idempotencyKey, mandateId }) => findByKey(http, mandateId, idempotencyKey),
    cancelDirectDebit: async (id) => {
      try {
        const path = `/payments/${encodeURIComponent(id)}/actions/cancel`;
        const call = { operation: 'cancel_payment', path, schema: paymentWire, body: {}, idempotencyKey: `cancel-${id}` };
        return toDirectDebit((await http.write(call)).payments);
      } catch (error) {
        // It is already cancelled or already at the bank; its current state shows which.
        if (error instanceof ProviderError && (error.failure === 'refused' || error instanceof AlreadyCreatedError)) {
          return toDirectDebit((await readPayment(id)).payments);
        }
        throw error;
      }
    },
    findFailure: async (id) => {
      const path = `/events?${new URLSearchParams({ payment: id, limit: '50' })}`;
      const { events } = await http.read({ operation: 'list_events', path, schema: eventListWire });
      // Events are newest first.
      const failure = events.find(({ action }) =>
        ['failed', 'charged_back', 'late_failure_settled', 'customer_approval_denied'].includes(action),
      );
      return failure?.details?.description;
    },
  };
}

type PayoutCalls = Pick<DirectDebitProvider, 'listPayouts' | 'listPayoutItems'>;

function createPayoutCalls(http: GoCardlessHttp): PayoutCalls {
  return {
    listPayouts: async (createdSince) => {
      const buildPath = (pageQuery: object) =>
        `/payouts?${new URLSearchParams({ 'created_at[gte]': createdSince, payout_type: 'merchant', limit: '500', ...pageQuery })}`;
      const pages = readPages((pageQuery) => http.read({ operation: 'list_payouts', path: buildPath(pageQuery), schema: payoutListWire }));
      return (await pages).flatMap(({ payouts }) => payouts.map(toPayout));
    },
    listPayoutItems: async (payoutId) => {
      const buildPath = (pageQuery: object) => `/payout_items?${new URLSearchParams({ payout: payoutId, limit: '500', ...pageQuery })}`;
      const pages = readPages((pageQuery) =>
        http.read({ operation: 'list_payout_items', path: buildPath(pageQuery), schema: payoutItemListWire }),
      );
      return (await pages).flatMap(({ payout_items: items }) => items.map(toPayoutItem));
    },
  };
}

type Page = { readonly meta: { readonly cursors: { readonly after?: string | null | undefined } } };

async function readPages<Answer extends Page>(read: (pageQuery: { after?: string }) => Promise<Answer>): Promise<Answer[]> {
  const pages: Answer[] = [];
  let after: string | undefined;
  do {
    if (pages.length >= MAX_PAGES) throw new RangeError('GoCardless’s list has too many pages.');
    const page = await read(after === undefined ? {} : { after });
    pages.push(page);
    after = page.meta.cursors.after ?? undefined;
  } while (after !== undefined);
  return pages;
}

function toPayout(payout: PayoutWire): DirectDebitPayout {
  return {
    payoutId: payout.id,
    status: payout.status,
    net: pence(payout.amount),
    currency: payout.currency,
    reference: payout.reference ?? '',
    createdAt: parseInstant(payout.created_at) ?? toInstant(0),
    arrivesOn: toDate(payout.arrival_date),
  };
}

function toPayoutItem({ type, amount, links }: PayoutItemWire): PayoutItem {
  const [wholePart = '', tenth = '0'] = amount.split('.');
  return { type, paymentId: links?.payment ?? undefined, tenths: Number(`${wholePart}${tenth}`) };
}

/** GoCardless responds with 409 to a repeated key, and identifies the resource that the first call created. */
async function createOrGetExisting<Answer>(create: () => Promise<Answer>, read: (id: string) => Promise<Answer>): Promise<Answer> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof AlreadyCreatedError) return read(error.resourceId);
    throw error;
  }
}

async function requireRecord<Answer>(read: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProviderError && error.facts.status === 404) return undefined;
    throw error;
  }
}

async function findByKey(http: GoCardlessHttp, mandateId: string, key: string): Promise<DirectDebit | undefined> {
  const buildPath = (pageQuery: object) => `/payments?${new URLSearchParams({ mandate: mandateId, limit: '500', ...pageQuery })}`;
  const pages = await readPages((pageQuery) =>
    http.read({ operation: 'list_payments', path: buildPath(pageQuery), schema: paymentListWire }),
  );
  const foundPayment = pages.flatMap(({ payments }) => payments).find(({ metadata }) => metadata?.[ORDER_KEY] === key);
  return foundPayment && toDirectDebit(foundPayment);
}

function toMandateRequest({ billing_requests: request }: z.infer<typeof billingRequestWire>): MandateRequest {
  const { status } = request;
  return {
    billingRequestId: request.id,
    status: status === 'fulfilled' || status === 'cancelled' ? status : 'pending',
    mandateId: request.links?.mandate_request_mandate ?? undefined,
  };
}

function toMandate({ mandates: mandate }: z.infer<typeof mandateWire>): Mandate {
  return {
    mandateId: mandate.id,
    status: mandate.status,
    reference: mandate.reference ?? undefined,
    nextChargeOn: toDate(mandate.next_possible_charge_date),
    payerAccountId: mandate.links.customer_bank_account,
  };
}

function toDirectDebit(payment: PaymentWire): DirectDebit {
  return {
    paymentId: payment.id,
    status: payment.status,
    amountPence: pence(payment.amount),
    chargeOn: toDate(payment.charge_date),
    orderId: payment.metadata?.[ORDER_KEY],
  };
}

function toDate(text: string | null | undefined): PlainDate | undefined {
  return text ? parsePlainDate(text) : undefined;
}

/** Returns the hex HMAC-SHA256 of the raw body ("Checking the signature" in GoCardless's webhook guide). */
export function signGoCardlessWebhook(secret: string, rawBody: Buffer | string): string {
  return createHmac('sha256', secret).update(rawBody).digest('hex');
}

function verifyWebhook({ rawBody, signature }: DirectDebitWebhook, secrets: readonly string[]): DirectDebitEvent[] {
  const receivedSignature = Buffer.from(signature ?? '');
  const isSigned = secrets.some((secret) => {
    const expectedSignature = Buffer.from(signGoCardlessWebhook(secret, rawBody));
    return expectedSignature.length === receivedSignature.length && timingSafeEqual(expectedSignature, receivedSignature);
  });
  if (!isSigned) throw new AppError('unauthenticated', 'webhook.bad_signature', 'The signature doesn’t match.');
  const webhook = webhookWire.safeParse(parseJson(rawBody.toString('utf8')));
  if (!webhook.success) throw new AppError('invalid', 'webhook.unreadable', 'The body doesn’t match the published format.');
  return webhook.data.events.map(toEvent);
}

function toEvent({ id, created_at, resource_type, action, links, details }: EventWire): DirectDebitEvent {
  return {
    eventId: id,
    createdAt: parseInstant(created_at) ?? toInstant(0),
    type: `${resource_type}.${action}`,
    billingRequestId: links['billing_request'] ?? undefined,
    mandateId: links['mandate'] ?? links['mandate_request_mandate'] ?? undefined,
    paymentId: links['payment'] ?? undefined,
    payoutId: links['payout'] ?? undefined,
    description: details?.description,
  };
}
