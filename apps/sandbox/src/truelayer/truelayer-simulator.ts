/** Simulates TrueLayer's auth server and Payments API under one base path, executes payouts and delivers webhooks. */
import { toEpochMs, parseInstant } from '@portal/domain/clock.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { COLLECTION_ACCOUNTS_PATH, createPayoutWire, openCollectionAccountWire } from '@portal/providers/truelayer/truelayer-wire.ts';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createFaultHooks, type FaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText, requestUrl, searchParams } from '../simulator/request.ts';
import { sendHtml } from '../simulator/responses.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { createWebhookSender, type WebhookDelays } from '../simulator/webhook-sender.ts';
import {
  sendProblem,
  toAccountResponse,
  toFieldErrors,
  toPayoutResponse,
  toTransactionsResponse,
  TrueLayerError,
} from './bank-responses.ts';
import { createBankControls } from './bank-controls.ts';
import { openBank, type Bank } from './bank-records.ts';
import { createPayoutTimers } from './payout-timers.ts';
import { assertBearerToken, assertSignature, getIdempotencyKey, handleTokenRequest, sha256 } from './truelayer-access.ts';
import type { TrueLayerControls } from './truelayer-controls.ts';
import { createWebhookHeaders, getPublicKeys } from './webhook-signature.ts';

export type TrueLayerSimulatorDeps = SimulatorDeps & {
  readonly webhookUrl: string;
  /** The portal's public key, as it would be uploaded to TrueLayer's console. */
  readonly publicKeyPem: string;
  /** Real time between two states of a payout. Defaults to 150 ms. */
  readonly stepMs?: number;
  readonly webhookDelays?: WebhookDelays;
};

export type TrueLayerSimulator = {
  /** Serves the paths below `publicUrl`. */
  readonly plugin: FastifyPluginAsync;
  readonly controls: TrueLayerControls;
  /** Resumes the unfinished work of an earlier process. */
  start(): void;
  stop(): Promise<void>;
};

/** The stored response to the first request with an idempotency key. The same body gets the same response; a different body is rejected. */
type StoredResponse = { readonly body_hash: string; readonly status: number; readonly answer: unknown };

type IdRoute = { Params: { id: string } };

/** Operations for which faults can be set. */
export const TRUELAYER_OPERATIONS = [
  'truelayer.token',
  'truelayer.create_payout',
  'truelayer.get_payout',
  'truelayer.collection_account',
  'truelayer.merchant_accounts',
  'truelayer.transactions',
  'truelayer.test_signature',
] as const;

export function createTrueLayerSimulator(deps: TrueLayerSimulatorDeps): TrueLayerSimulator {
  const { store, clock, webhookUrl } = deps;
  const signer = { store, clock, webhookUrl, jwksUrl: `${deps.publicUrl}/.well-known/jwks` };
  const sign = (body: string) => createWebhookHeaders(signer, body);
  const webhookSender = createWebhookSender({ store, clock, provider: 'truelayer', webhookUrl, delays: deps.webhookDelays, sign });
  const bank = openBank(store, clock, (event) => webhookSender.queue({ event_id: event.event_id, type: event.type }, event));
  const timers = createPayoutTimers(bank, webhookSender, deps.stepMs ?? 150);
  return {
    plugin: createTrueLayerPlugin(deps, bank, timers.scheduleSteps),
    controls: createBankControls(bank, webhookSender),
    start: () => {
      for (const { key } of bank.unfinished.list()) timers.scheduleSteps(key);
      webhookSender.wake();
    },
    stop: async () => {
      timers.stop();
      await webhookSender.stop();
    },
  };
}

function createTrueLayerPlugin(deps: TrueLayerSimulatorDeps, bank: Bank, scheduleSteps: (payoutId: string) => void): FastifyPluginAsync {
  const withFaults = (operation: (typeof TRUELAYER_OPERATIONS)[number]): FaultHooks => createFaultHooks(deps.faults, operation, rejectCall);
  const checkToken = async (request: FastifyRequest): Promise<void> => assertBearerToken(deps, request);
  const checkSignature = async (request: FastifyRequest): Promise<void> => assertSignature(deps.publicKeyPem, request);
  const read = (operation: (typeof TRUELAYER_OPERATIONS)[number]) => {
    const hooks = withFaults(operation);
    return { ...hooks, preHandler: [hooks.preHandler, checkToken] };
  };
  const write = (operation: (typeof TRUELAYER_OPERATIONS)[number]) => {
    const hooks = withFaults(operation);
    return { ...hooks, preHandler: [hooks.preHandler, checkToken, checkSignature] };
  };
  return async (app) => {
    app.setErrorHandler(sendProblem);
    app.setNotFoundHandler((request, reply) =>
      sendProblem(new TrueLayerError('not-found', 'The requested resource could not be found.'), request, reply),
    );
    app.post('/connect/token', withFaults('truelayer.token'), (request, reply) => handleTokenRequest(deps, request, reply));
    app.get('/.well-known/jwks', (_request, reply) => reply.send(getPublicKeys(deps.store)));
    app.post('/test-signature', write('truelayer.test_signature'), (_request, reply) => reply.code(204).send());
    app.post('/v3/payouts', write('truelayer.create_payout'), (request, reply) => createPayout(deps, bank, scheduleSteps, request, reply));
    app.get<IdRoute>('/v3/payouts/:id', read('truelayer.get_payout'), ({ params }, reply) => {
      const payout = bank.payouts.get(params.id);
      if (!payout) throw new TrueLayerError('not-found', 'Payout could not be found.');
      return reply.send(toPayoutResponse(payout));
    });
    app.post(COLLECTION_ACCOUNTS_PATH, write('truelayer.collection_account'), (request, reply) => openAccount(deps, bank, request, reply));
    app.get('/v3/merchant-accounts', read('truelayer.merchant_accounts'), (_request, reply) => {
      bank.payingAccount();
      return reply.send({ items: bank.accounts.list().map(({ document }) => toAccountResponse(document)) });
    });
    app.get<IdRoute>('/v3/merchant-accounts/:id', read('truelayer.merchant_accounts'), ({ params }, reply) => {
      bank.payingAccount();
      const account = bank.accounts.get(params.id);
      if (!account) throw new TrueLayerError('not-found', 'Merchant account could not be found.');
      return reply.send(toAccountResponse(account));
    });
    app.get<IdRoute>('/v3/merchant-accounts/:id/transactions', read('truelayer.transactions'), (request, reply) =>
      reply.send(listTransactions(bank, request)),
    );
  };
}

/** Sends an injected fault in TrueLayer's error format. */
const rejectCall: RejectCall = (reply, call, request) => {
  if (call.status === 200) return sendHtml(reply, 200, call.html);
  if (call.status === 500) {
    return sendProblem(new TrueLayerError('internal-server-error', 'An unexpected error occurred.'), request, reply);
  }
  if (call.status === 403) return sendProblem(new TrueLayerError('forbidden', 'The client is not allowed to do this.'), request, reply);
  if (call.retryAfterSeconds !== undefined) reply.header('retry-after', String(call.retryAfterSeconds));
  return sendProblem(new TrueLayerError('rate-limit-exceeded', 'Too many requests.'), request, reply);
};

function createPayout(
  deps: TrueLayerSimulatorDeps,
  bank: Bank,
  scheduleSteps: (payoutId: string) => void,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const order = createPayoutWire.safeParse(parseJson(readBodyText(request)));
  if (!order.success) throw createParametersProblem(toFieldErrors(order.error));
  bank.payingAccount();
  if (!bank.accounts.get(order.data.merchant_account_id)) {
    throw new TrueLayerError('not-found', 'Merchant account could not be found.');
  }
  return respondOnce(deps, request, reply, (key) => {
    const payout = bank.createPayout(key, order.data);
    scheduleSteps(payout.id);
    return { status: 202, answer: { id: payout.id } };
  });
}

function openAccount(deps: TrueLayerSimulatorDeps, bank: Bank, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const order = openCollectionAccountWire.safeParse(parseJson(readBodyText(request)));
  if (!order.success) throw createParametersProblem(toFieldErrors(order.error));
  bank.payingAccount();
  return respondOnce(deps, request, reply, () => ({
    status: 201,
    answer: toAccountResponse(bank.openCollectionAccount(order.data.account_holder_name)),
  }));
}

/**
 * Does the work for an idempotency key only once. The work and its stored response share a transaction, so a killed process leaves both or
 * neither.
 */
function respondOnce(
  deps: TrueLayerSimulatorDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (key: string) => { status: number; answer: unknown },
): FastifyReply {
  const key = getIdempotencyKey(request);
  const storedKey = `${requestUrl(request).pathname} ${key}`;
  const body_hash = sha256(readBodyText(request));
  const { status, answer } = deps.store.atomically(() => {
    const storedResponses = deps.store.collection<StoredResponse>('truelayer.idempotency');
    const earlierResponse = storedResponses.get(storedKey);
    if (earlierResponse && earlierResponse.body_hash !== body_hash) {
      throw new TrueLayerError('idempotency-key-reuse', 'The Idempotency-Key value has already been used for a different request.');
    }
    if (earlierResponse) return earlierResponse;
    const response = work(key);
    storedResponses.put(storedKey, { body_hash, ...response });
    return response;
  });
  return reply.code(status).send(answer);
}

function listTransactions(bank: Bank, request: FastifyRequest<IdRoute>): object {
  bank.payingAccount();
  const { id } = request.params;
  if (!bank.accounts.get(id)) throw new TrueLayerError('not-found', 'Merchant account could not be found.');
  const query = searchParams(request);
  const from = parseInstant(query.get('from') ?? '');
  const to = parseInstant(query.get('to') ?? '');
  if (!from || !to) {
    throw createParametersProblem({ ...(from ? {} : { from: ['Value is required.'] }), ...(to ? {} : { to: ['Value is required.'] }) });
  }
  const cursor = Number(query.get('cursor') ?? 0);
  if (!Number.isSafeInteger(cursor) || cursor < 0) throw createParametersProblem({ cursor: ['Value is invalid.'] });
  const isPaged = request.headers['tl-enable-pagination'] === 'true';
  return toTransactionsResponse(bank, id, { from: toEpochMs(from), to: toEpochMs(to) }, isPaged ? cursor : undefined);
}

function createParametersProblem(errors: Record<string, string[]>): TrueLayerError {
  return new TrueLayerError('invalid-parameters', 'The request was invalid.', errors);
}
