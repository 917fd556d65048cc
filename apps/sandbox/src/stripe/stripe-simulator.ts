/** Simulates the part of Stripe's API that the portal uses, with its hosted pages and signed webhooks. */
import { createHash, createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText } from '../simulator/request.ts';
import { sendHtml } from '../simulator/responses.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { createWebhookSender, type SandboxWebhook, type WebhookDelays } from '../simulator/webhook-sender.ts';
import { SANDBOX_STRIPE } from './sandbox-credentials.ts';
import { findObject } from './stripe-responses.ts';
import { advanceToClock } from './stripe-billing.ts';
import { sendStripeError, StripeApiError } from './stripe-error.ts';
import { expandObject, parseStripeForm, readExpansions, type Params } from './stripe-form.ts';
import { completeCheckout, serveStripePages } from './stripe-pages.ts';
import { closeDispute, disputeCharge } from './stripe-payments.ts';
import { createId, openStripeRecords, type StripeRecords } from './stripe-records.ts';
import { failRefund, refundCharge } from './stripe-charge-refunds.ts';
import type { StripeResponse, StripeRoute } from './stripe-route.ts';
import { STRIPE_ROUTES } from './stripe-routes.ts';

const API_VERSION = '2026-10-28.endive';

export type StripeSimulatorDeps = SimulatorDeps & {
  /** Without it, no webhooks are sent. */
  readonly webhookUrl?: string;
  readonly webhookDelays?: WebhookDelays;
  /** How often objects catch up with the clock, in real time. Defaults to 5 seconds. */
  readonly sweepMs?: number;
};

export type StripeControls = {
  readonly records: StripeRecords;
  /**
   * Acts as the payer on Checkout's page: saves a test card or account for the newest open session. Returns false if the bank rejects it.
   */
  completeNewestCheckout(number: string): boolean;
  /** Has the payer's bank dispute a charge. Returns false for an unknown ID. */
  dispute(chargeId: string): boolean;
  /** Has the payer's bank decide the charge's open dispute. Returns false if there is none. */
  closeDispute(chargeId: string, outcome: 'won' | 'lost'): boolean;
  /** Has the payer's bank return a refund. Returns false for an unknown ID or a refund that has already failed. */
  failRefund(refundId: string, reason?: string): boolean;
  /** Refunds a charge as a user would in Stripe's dashboard. Returns the refund's ID, or undefined if Stripe rejects it. */
  refundInDashboard(chargeId: string, amount: number): string | undefined;
  /** Advances every object to the clock's current time. */
  followClock(): void;
  listWebhooks(): SandboxWebhook[];
};

export type StripeSimulator = {
  readonly plugin: FastifyPluginAsync;
  readonly controls: StripeControls;
  start(): void;
  stop(): Promise<void>;
};

/** Operations for which faults can be set. */
export const STRIPE_OPERATIONS = [
  'stripe.read',
  'stripe.write',
  'stripe.create_subscription',
  'stripe.change_subscription',
  'stripe.mark_uncollectible',
  'stripe.refund',
] as const;

export function createStripeSimulator(deps: StripeSimulatorDeps): StripeSimulator {
  const { store, clock, publicUrl, webhookUrl = '' } = deps;
  const sender = createWebhookSender({
    store,
    clock,
    provider: 'stripe',
    webhookUrl,
    delays: deps.webhookDelays,
    sign: (body) => ({ 'stripe-signature': signWebhook(body) }),
  });
  const records: StripeRecords = openStripeRecords(store, clock, (type, _object, id) => {
    if (webhookUrl === '') return;
    const event = { id: createId('evt'), object: 'event', type, api_version: API_VERSION, created: records.now(), livemode: false };
    const object = findObject(records, publicUrl, id);
    sender.queue({ event_id: event.id, type }, { ...event, data: { object: object && expandObject(object, [], () => undefined) } });
  });
  let followedAt: number | undefined;
  /** Everything stored is due in the future, so there is nothing to do until the clock moves. */
  const advanceClock = (): void => {
    if (followedAt === records.now()) return;
    followedAt = records.now();
    store.atomically(() => advanceToClock(records));
  };
  const followClock = (): void => {
    advanceClock();
    sender.wake();
  };
  const wake = <Result>(result: Result): Result => {
    sender.wake();
    return result;
  };
  let sweep: NodeJS.Timeout | undefined;
  return {
    plugin: async (app) => {
      app.setErrorHandler(sendStripeError);
      app.setNotFoundHandler((request, reply) =>
        sendStripeError(new StripeApiError(404, 'invalid_request_error', `Unrecognized request URL (${request.url}).`), request, reply),
      );
      app.addHook('onRequest', async () => advanceClock());
      for (const route of STRIPE_ROUTES) serveRoute(app, deps, records, route);
      serveStripePages(app, records);
    },
    controls: {
      records,
      completeNewestCheckout: (number) => {
        const openCheckout = records.checkouts.list().findLast(({ document }) => document.status === 'open')?.document;
        return wake(openCheckout !== undefined && store.atomically(() => completeCheckout(records, openCheckout, number)) !== undefined);
      },
      dispute: (id) => wake(store.atomically(() => tryDispute(records, id))),
      closeDispute: (id, outcome) => wake(store.atomically(() => closeDispute(records, id, outcome))),
      refundInDashboard: (id, amount) => {
        const refundId = store.atomically(() => tryRefundCharge(records, id, amount));
        return wake(refundId !== undefined) ? refundId : undefined;
      },
      failRefund: (id, reason) => wake(store.atomically(() => tryFailRefund(records, id, reason))),
      followClock,
      listWebhooks: () => sender.list(),
    },
    start: () => {
      sweep ??= setInterval(followClock, deps.sweepMs ?? 5_000).unref();
      sender.wake();
    },
    stop: async () => {
      clearInterval(sweep);
      await sender.stop();
    },
  };
}

function tryRefundCharge(records: StripeRecords, id: string, amount: number): string | undefined {
  const charge = records.charges.get(id);
  try {
    return charge && refundCharge(records, charge, amount, {}).id;
  } catch (error) {
    if (error instanceof StripeApiError) return undefined;
    throw error;
  }
}

function tryDispute(records: StripeRecords, id: string): boolean {
  const charge = records.charges.get(id);
  if (charge) disputeCharge(records, charge);
  return charge !== undefined;
}

function tryFailRefund(records: StripeRecords, id: string, reason = 'expired_or_canceled_card'): boolean {
  const refund = records.refunds.get(id);
  if (!refund || refund.status === 'failed') return false;
  failRefund(records, refund, reason);
  return true;
}

/** Signs as described in docs.stripe.com, Verify webhook signatures manually: HMAC-SHA256 of the time, a dot and the body. */
function signWebhook(body: string): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', SANDBOX_STRIPE.webhookSecret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

function serveRoute(app: FastifyInstance, deps: StripeSimulatorDeps, records: StripeRecords, route: StripeRoute): void {
  const { preHandler, onSend } = createFaultHooks(deps.faults, route.operation, rejectCall);
  const find = (id: string) => findObject(records, deps.publicUrl, id);
  const handleCall = (request: FastifyRequest): StripeResponse => {
    const params = readParams(request);
    const expansions = readExpansions(params);
    const response = route.answer({ params, id: (request.params as { id?: string }).id ?? '', records, publicUrl: deps.publicUrl });
    return { status: response.status, body: expandObject(response.body, expansions, find) };
  };
  app.route({
    method: route.method,
    url: `/v1${route.path}`,
    preHandler: [preHandler, checkHeaders],
    onSend,
    handler: (request, reply) => {
      const send = ({ status, body }: StripeResponse): FastifyReply => reply.code(status).send(body);
      // GET changes nothing and repeating a DELETE is harmless, so neither needs an idempotency key.
      if (route.method !== 'POST') return send(deps.store.atomically(() => handleCall(request)));
      return send(deps.store.atomically(() => respondOnce(deps, request, reply, () => handleCall(request))));
    },
  });
}

function readParams(request: FastifyRequest): Params {
  return parseStripeForm(request.method === 'GET' ? (request.url.split('?')[1] ?? '') : readBodyText(request));
}

type StoredResponse = StripeResponse & { readonly request: string };

/** A repeated key returns the first response; with different parameters it is an error (docs.stripe.com/api/idempotent_requests). */
function respondOnce(
  deps: StripeSimulatorDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  createStripeResponse: () => StripeResponse,
): StripeResponse {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') throw new StripeApiError(400, 'invalid_request_error', 'The portal must send an Idempotency-Key.');
  const storedResponses = deps.store.collection<StoredResponse>('stripe.idempotency');
  const digest = createHash('sha256')
    .update(`${request.url}\n${readBodyText(request)}`)
    .digest('hex');
  const storedResponse = storedResponses.get(key);
  if (storedResponse && storedResponse.request !== digest) {
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
    throw new StripeApiError(400, 'idempotency_error', message);
  }
  if (storedResponse) {
    reply.header('idempotent-replayed', 'true');
    return storedResponse;
  }
  const newResponse = createStripeResponse();
  storedResponses.put(key, { ...newResponse, request: digest });
  return newResponse;
}

async function checkHeaders(request: FastifyRequest): Promise<void> {
  if (request.headers.authorization !== `Bearer ${SANDBOX_STRIPE.secretKey}`)
    throw new StripeApiError(401, 'invalid_request_error', 'Invalid API Key provided');
  if (request.headers['stripe-version'] !== API_VERSION)
    throw new StripeApiError(400, 'invalid_request_error', 'Invalid Stripe API version');
}

const rejectCall: RejectCall = (reply, call, request) => {
  if (call.status === 200) return sendHtml(reply, 200, call.html);
  if (call.retryAfterSeconds !== undefined) reply.header('retry-after', String(call.retryAfterSeconds));
  return sendStripeError(new StripeApiError(call.status, 'api_error', 'Rejected'), request, reply);
};
