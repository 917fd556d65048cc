/** Simulates GoCardless: billing requests with the payer's page, mandates, payments, events and signed webhooks. */
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { signGoCardlessWebhook } from '@portal/providers/gocardless/gocardless-client.ts';
import {
  API_VERSION,
  createBillingRequestWire,
  createFlowWire,
  createPaymentWire,
  SIGNATURE_HEADER,
  type EventWire,
} from '@portal/providers/gocardless/gocardless-wire.ts';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText, searchParams } from '../simulator/request.ts';
import { sendHtml } from '../simulator/responses.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { createWebhookSender, type SandboxWebhook, type WebhookDelays } from '../simulator/webhook-sender.ts';
import { serveAuthorisePage } from './authorise-page.ts';
import {
  toBillingRequestResponse,
  toFlowResponse,
  GoCardlessError,
  createInvalidFieldError,
  createCannotCancelError,
  createNotFoundError,
  requireFound,
  toPaymentResponse,
  toPayoutItemsResponse,
  toPayoutListResponse,
  sendGoCardlessError,
  toPayment,
  createValidationError,
} from './gocardless-responses.ts';
import { serveMandates } from './mandate-routes.ts';
import type { PayoutRecord } from './gocardless-payouts.ts';
import {
  openGoCardlessRecords,
  TEST_ACCOUNT_NUMBER,
  type GoCardlessRecords,
  type MandateRecord,
  type PaymentRecord,
} from './gocardless-records.ts';
import { SANDBOX_GOCARDLESS } from './sandbox-credentials.ts';

export type GoCardlessSimulatorDeps = SimulatorDeps & {
  readonly webhookUrl: string;
  readonly webhookDelays?: WebhookDelays;
  /** How often statuses catch up with the clock, in real time. Defaults to 5 seconds. */
  readonly sweepMs?: number;
};

export type GoCardlessControls = {
  listMandates(): MandateRecord[];
  listPayments(): PaymentRecord[];
  /** Acts as the payer on GoCardless's page, for the newest unfinished request. Returns undefined if there is none. */
  authoriseNewest(): MandateRecord | undefined;
  /** Sets a status as the bank would. Returns undefined for an unknown id. */
  moveMandate(id: string, status: MandateRecord['status'], description?: string): MandateRecord | undefined;
  movePayment(id: string, status: PaymentRecord['status'], description?: string): PaymentRecord | undefined;
  listPayouts(): PayoutRecord[];
  /** Sets a payout's status, for example "bounced". Returns undefined for an unknown id. */
  movePayout(id: string, status: PayoutRecord['status']): PayoutRecord | undefined;
  /** Makes the next charge fail with this reason. */
  failNextPayment(reason: string): void;
  /** Advances every status to the clock's current time. */
  followClock(): void;
  listWebhooks(): SandboxWebhook[];
};

export type GoCardlessSimulator = {
  readonly plugin: FastifyPluginAsync;
  readonly controls: GoCardlessControls;
  start(): void;
  stop(): Promise<void>;
};

/** Operations for which faults can be set. */
export const GOCARDLESS_OPERATIONS = [
  'gocardless.create_billing_request',
  'gocardless.create_flow',
  'gocardless.create_payment',
  'gocardless.cancel_payment',
  'gocardless.cancel_mandate',
  'gocardless.read',
] as const;
type GoCardlessOperation = (typeof GOCARDLESS_OPERATIONS)[number];

export function createGoCardlessSimulator(deps: GoCardlessSimulatorDeps): GoCardlessSimulator {
  const { store, clock, webhookUrl } = deps;
  const sender = createWebhookSender({
    store,
    clock,
    provider: 'gocardless',
    webhookUrl,
    delays: deps.webhookDelays,
    sign: (body) => ({ [SIGNATURE_HEADER]: signGoCardlessWebhook(SANDBOX_GOCARDLESS.webhookSecret, body) }),
  });
  const queue = (event: EventWire): void =>
    sender.queue(
      { event_id: event.id, type: `${event.resource_type}.${event.action}` },
      { events: [event], meta: { webhook_id: `WB${event.id}` } },
    );
  const records = openGoCardlessRecords(store, clock, queue);
  const followClock = (): void => {
    records.advance();
    sender.wake();
  };
  const notifySender = <Result>(result: Result): Result => {
    sender.wake();
    return result;
  };
  let sweepTimer: NodeJS.Timeout | undefined;
  return {
    plugin: async (app) => {
      app.setErrorHandler(sendGoCardlessError);
      app.setNotFoundHandler((request, reply) => sendGoCardlessError(createNotFoundError(), request, reply));
      app.addHook('onRequest', async () => records.advance());
      serveApi(app, deps, records);
      serveAuthorisePage(app, records, store);
    },
    controls: {
      listMandates: () => records.mandates.list().map(({ document }) => document),
      listPayments: () => records.payments.list().map(({ document }) => document),
      authoriseNewest: () => {
        const request = records.requests.list().findLast(({ document }) => document.status === 'pending')?.document;
        return notifySender(request && records.fulfil(request, { name: 'The payer', accountNumber: TEST_ACCOUNT_NUMBER }));
      },
      moveMandate: (id, status, description) => {
        const mandate = records.mandates.get(id);
        return notifySender(mandate && store.atomically(() => records.setMandate(mandate, status, description)));
      },
      movePayment: (id, status, description) => {
        const payment = records.payments.get(id);
        return notifySender(payment && store.atomically(() => records.setPayment(payment, status, description)));
      },
      listPayouts: () => records.payouts.list().map(({ document }) => document),
      movePayout: (id, status) => {
        const payout = records.payouts.get(id);
        return notifySender(payout && store.atomically(() => records.setPayout(payout, status)));
      },
      failNextPayment: (reason) => records.failNextPayment(reason),
      followClock,
      listWebhooks: () => sender.list(),
    },
    start: () => {
      sweepTimer ??= setInterval(followClock, deps.sweepMs ?? 5_000).unref();
      sender.wake();
    },
    stop: async () => {
      clearInterval(sweepTimer);
      await sender.stop();
    },
  };
}

type IdRoute = { Params: { id: string } };

function serveApi(app: FastifyInstance, deps: GoCardlessSimulatorDeps, records: GoCardlessRecords): void {
  const toRouteOptions = (operation: GoCardlessOperation) => {
    const { preHandler, onSend } = createFaultHooks(deps.faults, operation, rejectCall);
    return { preHandler: [preHandler, checkHeaders], onSend };
  };
  const read = toRouteOptions('gocardless.read');
  serveMandates(app, deps.store, records, { read, cancel: toRouteOptions('gocardless.cancel_mandate') });
  app.post('/billing_requests', toRouteOptions('gocardless.create_billing_request'), (request, reply) => {
    const order = parseBody(createBillingRequestWire, request).billing_requests;
    return createOnce(deps, request, reply, () => {
      const createdRequest = records.newRequest(order.metadata ?? {});
      return { id: createdRequest.id, answer: toBillingRequestResponse(createdRequest) };
    });
  });
  app.get<IdRoute>('/billing_requests/:id', read, ({ params }) => toBillingRequestResponse(requireFound(records.requests.get(params.id))));
  app.post('/billing_request_flows', toRouteOptions('gocardless.create_flow'), (request, reply) => {
    const flow = parseBody(createFlowWire, request).billing_request_flows;
    const target = requireFound(records.requests.get(flow.links.billing_request));
    if (target.status !== 'pending') throw new GoCardlessError(409, 'invalid_state', `The billing request is ${target.status}.`);
    const { redirect_uri, exit_uri, prefilled_customer } = flow;
    return createOnce(deps, request, reply, () => {
      const createdFlow = records.newFlow({
        billing_request_id: target.id,
        redirect_uri,
        exit_uri,
        company_name: prefilled_customer?.company_name ?? '',
      });
      return { id: createdFlow.id, answer: toFlowResponse(createdFlow, deps.publicUrl) };
    });
  });
  app.post('/payments', toRouteOptions('gocardless.create_payment'), (request, reply) => createPayment(deps, records, request, reply));
  app.get<IdRoute>('/payments/:id', read, ({ params }) => toPaymentResponse(requireFound(records.payments.get(params.id))));
  app.get('/payments', read, (request) => {
    const mandate = searchParams(request).get('mandate');
    const foundPayments = records.payments
      .list()
      .flatMap(({ document }) => (mandate === null || document.mandate_id === mandate ? [document] : []));
    return { payments: foundPayments.toReversed().map(toPayment), meta: { cursors: { before: null, after: null }, limit: 500 } };
  });
  app.post<IdRoute>('/payments/:id/actions/cancel', toRouteOptions('gocardless.cancel_payment'), ({ params }) => {
    const payment = requireFound(records.payments.get(params.id));
    if (payment.status !== 'pending_submission') throw createCannotCancelError(payment.status);
    return toPaymentResponse(deps.store.atomically(() => records.setPayment(payment, 'cancelled')));
  });
  app.get('/payouts', read, (request) => {
    const since = searchParams(request).get('created_at[gte]') ?? '';
    const foundPayouts = records.payouts.list().flatMap(({ document }) => (document.created_at >= since ? [document] : []));
    return toPayoutListResponse(foundPayouts.toReversed());
  });
  app.get('/payout_items', read, (request) => {
    const payout = records.payouts.get(searchParams(request).get('payout') ?? '');
    return toPayoutItemsResponse(requireFound(payout), deps.clock.now());
  });
  app.get('/events', read, (request) => {
    const payment = searchParams(request).get('payment');
    const foundEvents = records.events
      .list()
      .flatMap(({ document }) => (payment === null || document.links['payment'] === payment ? [document] : []));
    return { events: foundEvents.toReversed().slice(0, 50), meta: { cursors: { before: null, after: null }, limit: 50 } };
  });
}

function createPayment(
  deps: GoCardlessSimulatorDeps,
  records: GoCardlessRecords,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const order = parseBody(createPaymentWire, request).payments;
  const mandate = requireFound(records.mandates.get(order.links.mandate));
  return createOnce(deps, request, reply, () => {
    if (!['pending_submission', 'submitted', 'active'].includes(mandate.status)) {
      throw new GoCardlessError(422, 'invalid_state', 'Mandate is failed, cancelled or expired', [{ reason: 'mandate_is_inactive' }]);
    }
    const earliest = records.nextChargeDate();
    if (order.charge_date < earliest)
      throw createInvalidFieldError('charge_date', `must be on or after mandate's next_possible_charge_date (${earliest})`);
    const { amount, charge_date, description, metadata = {} } = order;
    const createdPayment = records.newPayment({
      amount,
      charge_date,
      metadata,
      mandate_id: mandate.id,
      ...(description === undefined ? {} : { description }),
    });
    return { id: createdPayment.id, answer: toPaymentResponse(createdPayment) };
  });
}

/** Doesn't create anything for a repeated key: GoCardless responds with 409 and names the resource that the first call created. */
function createOnce(
  deps: GoCardlessSimulatorDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  create: () => { readonly id: string; readonly answer: unknown },
): FastifyReply {
  const key = request.headers['idempotency-key'];
  const createdPayment = deps.store.atomically(() => {
    if (typeof key !== 'string') return create();
    const keys = deps.store.collection<string>('gocardless.idempotency');
    const storedKey = `${request.routeOptions.url ?? ''} ${key}`;
    const existing = keys.get(storedKey);
    if (existing !== undefined) {
      const links = { conflicting_resource_id: existing };
      const message = 'A resource has already been created with this idempotency key';
      throw new GoCardlessError(409, 'invalid_state', message, [{ reason: 'idempotent_creation_conflict', message, links }]);
    }
    const response = create();
    keys.put(storedKey, response.id);
    return response;
  });
  return reply.code(201).send(createdPayment.answer);
}

async function checkHeaders(request: FastifyRequest): Promise<void> {
  if (request.headers.authorization !== `Bearer ${SANDBOX_GOCARDLESS.accessToken}`) {
    throw new GoCardlessError(401, 'invalid_api_usage', 'The access token you’ve used is not valid', [
      { reason: 'access_token_not_found' },
    ]);
  }
  if (request.headers['gocardless-version'] !== API_VERSION) {
    throw new GoCardlessError(400, 'invalid_api_usage', 'Version not found', [{ reason: 'version_not_found' }]);
  }
}

function parseBody<Wire extends z.ZodType>(wire: Wire, request: FastifyRequest): z.infer<Wire> {
  const parsed = wire.safeParse(parseJson(readBodyText(request)));
  if (!parsed.success) throw createValidationError(parsed.error);
  return parsed.data;
}

const rejectCall: RejectCall = (reply, call, request) => {
  if (call.status === 200) return sendHtml(reply, 200, call.html);
  if (call.retryAfterSeconds !== undefined) reply.header('retry-after', String(call.retryAfterSeconds));
  const [type, message] = call.status === 500 ? (['gocardless', 'Internal error'] as const) : (['invalid_api_usage', 'Rejected'] as const);
  return sendGoCardlessError(new GoCardlessError(call.status, type, message), request, reply);
};
