/** TrueLayer's double: auth server and Payments API under one base path, with its clockwork for executing payouts and delivering webhooks. */
import { createHash, randomBytes } from 'node:crypto';
import { epochOf, parseInstant } from '@portal/domain/clock.ts';
import { extractKid, verify, type HttpMethod } from 'truelayer-signing';
import { findRoute, type Simulator, type SimulatorCall, type SimulatorDeps, type SimulatorRoute } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { CUT_CONNECTION } from '../simulator/faults.ts';
import { createWebhookCourier, type CourierDelays, type WebhookCourier } from '../simulator/webhook-courier.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { accountAnswer, fieldErrors, payoutAnswer, problem, transactionsAnswer } from './bank-answers.ts';
import { bankControls } from './bank-controls.ts';
import { openBank, type Bank } from './bank-records.ts';
import { SANDBOX_TRUELAYER, toKeyId } from './sandbox-credentials.ts';
import type { TrueLayerControls } from './truelayer-controls.ts';
import { COLLECTION_ACCOUNTS_PATH, createPayoutWire, openCollectionAccountWire } from '@portal/providers/truelayer/truelayer-wire.ts';
import { publicKeys, webhookHeaders } from './webhook-signature.ts';

export type TrueLayerSimulatorDeps = SimulatorDeps & {
  readonly webhookUrl: string;
  /** The portal's public key, as it would be uploaded to TrueLayer's console. */
  readonly publicKeyPem: string;
  /** Real time between two states of a payout, 150 ms unless told. */
  readonly stepMs?: number;
  readonly courierDelays?: CourierDelays;
};

export type TrueLayerSimulator = Simulator & {
  readonly controls: TrueLayerControls;
  /** Takes up what a former process left unfinished. */
  start(): void;
  stop(): Promise<void>;
};

type Token = { readonly ends_at_ms: number };
/** What a key was first used for: repeated with the same body it gives the same answer, with another it is refused. */
type KeptAnswer = { readonly body_hash: string; readonly status: number; readonly answer: unknown };

const TOKEN_LIFE_SECONDS = 3600;

/** The calls that a fault can be put into, by the names the faults use. */
export const TRUELAYER_OPERATIONS = [
  'truelayer.token',
  'truelayer.create_payout',
  'truelayer.get_payout',
  'truelayer.collection_account',
  'truelayer.merchant_accounts',
  'truelayer.transactions',
] as const;

export function createTrueLayerSimulator(deps: TrueLayerSimulatorDeps): TrueLayerSimulator {
  const { store, clock, webhookUrl } = deps;
  const signer = { store, clock, webhookUrl, jwksUrl: `${deps.publicUrl}/.well-known/jwks` };
  const sign = (body: string) => webhookHeaders(signer, body);
  const courier = createWebhookCourier({ store, clock, provider: 'truelayer', webhookUrl, delays: deps.courierDelays, sign });
  const bank = openBank(store, clock, (event) => courier.queue({ event_id: event.event_id, type: event.type }, event));
  const clockwork = createClockwork(bank, courier, deps.stepMs ?? 150);
  const routes = routesOf(deps, bank, clockwork.follow);
  const basePath = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  return {
    fetch: async (request) => {
      const url = new URL(request.url);
      const found = findRoute(routes, basePath, request.method, url.pathname);
      if (!found) return problem('not-found', 'The requested resource could not be found.');
      return found.route.answer({ request, url, params: found.params, bodyText: await request.text() });
    },
    controls: bankControls(bank, courier),
    start: () => {
      for (const { key } of bank.unfinished.list()) clockwork.follow(key);
      courier.wake();
    },
    stop: async () => {
      clockwork.stop();
      await courier.stop();
    },
  };
}

/** Moves each payout along, one state after a short pause; the state lives in the store, only the timers live here. */
function createClockwork(bank: Bank, courier: WebhookCourier, stepMs: number): { follow(payoutId: string): void; stop(): void } {
  const timers = new Map<string, NodeJS.Timeout>();
  const follow = (payoutId: string): void => {
    if (timers.has(payoutId)) return;
    const timer = setTimeout(() => {
      timers.delete(payoutId);
      if (bank.advancePayout(payoutId)) follow(payoutId);
      else courier.wake();
    }, stepMs);
    timer.unref();
    timers.set(payoutId, timer);
  };
  return {
    follow,
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

function routesOf(deps: TrueLayerSimulatorDeps, bank: Bank, follow: (payoutId: string) => void): SimulatorRoute[] {
  const faulty = (operation: string, answer: SimulatorRoute['answer']): SimulatorRoute['answer'] => {
    return async (call) => inOwnWords(await deps.faults.through(`truelayer.${operation}`, () => answer(call)));
  };
  const read = (operation: string, answer: (call: SimulatorCall) => Response): SimulatorRoute['answer'] =>
    faulty(operation, (call) => refuseBearer(deps, call) ?? answer(call));
  const write = (operation: string, answer: (call: SimulatorCall, key: string) => Response): SimulatorRoute['answer'] =>
    faulty(operation, (call) => refuseBearer(deps, call) ?? refuseSignature(deps, call) ?? answer(call, keyOf(call)));
  return [
    { method: 'POST', path: '/connect/token', answer: faulty('token', (call) => issueToken(deps, call)) },
    { method: 'GET', path: '/.well-known/jwks', answer: () => json(200, publicKeys(deps.store)) },
    { method: 'POST', path: '/v3/payouts', answer: write('create_payout', (call, key) => createPayout(deps, bank, follow, call, key)) },
    {
      method: 'GET',
      path: '/v3/payouts/:id',
      answer: read('get_payout', ({ params }) => {
        const payout = bank.payouts.get(params['id'] ?? '');
        return payout ? json(200, payoutAnswer(payout)) : problem('not-found', 'Payout could not be found.');
      }),
    },
    {
      method: 'POST',
      path: COLLECTION_ACCOUNTS_PATH,
      answer: write('collection_account', (call, key) => openAccount(deps, bank, call, key)),
    },
    {
      method: 'GET',
      path: '/v3/merchant-accounts',
      answer: read('merchant_accounts', () => {
        bank.payingAccount();
        return json(200, { items: bank.accounts.list().map(({ document }) => accountAnswer(document)) });
      }),
    },
    {
      method: 'GET',
      path: '/v3/merchant-accounts/:id',
      answer: read('merchant_accounts', ({ params }) => {
        bank.payingAccount();
        const account = bank.accounts.get(params['id'] ?? '');
        return account ? json(200, accountAnswer(account)) : problem('not-found', 'Merchant account could not be found.');
      }),
    },
    { method: 'GET', path: '/v3/merchant-accounts/:id/transactions', answer: read('transactions', (call) => listTransactions(bank, call)) },
  ];
}

/** The shared faults speak in another provider's words; status and timing are what matters, the words here are TrueLayer's. */
function inOwnWords(response: Response): Response {
  if (response.status === CUT_CONNECTION || response.headers.get('content-type') === 'application/problem+json') return response;
  if (response.status === 429) return problem('rate-limit-exceeded', 'Too many requests.');
  if (response.status === 500) return problem('internal-server-error', 'An unexpected error occurred.');
  return response;
}

function issueToken(deps: TrueLayerSimulatorDeps, { request, bodyText }: SimulatorCall): Response {
  const asked = readForm(request, bodyText);
  if (asked.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
  if (asked.get('client_id') !== SANDBOX_TRUELAYER.clientId || asked.get('client_secret') !== SANDBOX_TRUELAYER.clientSecret) {
    return json(400, { error: 'invalid_client' });
  }
  if (!asked.get('scope')?.split(' ').includes('payments')) return json(400, { error: 'invalid_scope' });
  const now = epochOf(deps.clock.now());
  const tokens = deps.store.collection<Token>('truelayer.tokens');
  for (const { key, document } of tokens.list()) if (document.ends_at_ms < now) tokens.delete(key);
  const access_token = randomBytes(32).toString('base64url');
  tokens.put(hash(access_token), { ends_at_ms: now + TOKEN_LIFE_SECONDS * 1000 });
  return json(
    200,
    { access_token, expires_in: TOKEN_LIFE_SECONDS, scope: 'payments', token_type: 'Bearer' },
    { 'cache-control': 'no-store' },
  );
}

/** TrueLayer's auth server takes a form and JSON alike. */
function readForm(request: Request, bodyText: string): URLSearchParams {
  if (!request.headers.get('content-type')?.startsWith('application/json')) return new URLSearchParams(bodyText);
  const body = parseJson(bodyText);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(typeof body === 'object' && body !== null ? body : {})) {
    if (typeof value === 'string') form.set(name, value);
  }
  return form;
}

function refuseBearer(deps: TrueLayerSimulatorDeps, { request }: SimulatorCall): Response | undefined {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!bearer) return problem('unauthenticated', 'A Bearer token must be provided in the Authorization header.');
  const token = deps.store.collection<Token>('truelayer.tokens').get(hash(bearer));
  if (token && token.ends_at_ms > epochOf(deps.clock.now())) return undefined;
  return problem('unauthenticated', 'The access token is invalid or has expired.');
}

function refuseSignature(deps: TrueLayerSimulatorDeps, call: SimulatorCall): Response | undefined {
  const { headers } = call.request;
  if (!keyOf(call)) return problem('invalid-parameters', 'The request was invalid.', { 'Idempotency-Key': ['Value is required.'] });
  const signature = headers.get('tl-signature');
  const refused = problem('unauthenticated', 'Invalid request signature.');
  if (!signature) return refused;
  try {
    if (extractKid(signature) !== toKeyId(deps.publicKeyPem)) return refused;
    verify({
      publicKeyPem: deps.publicKeyPem,
      signature,
      method: 'POST' as HttpMethod,
      path: call.url.pathname,
      headers: Object.fromEntries(headers),
      requiredHeaders: ['Idempotency-Key'],
      body: call.bodyText,
    });
    return undefined;
  } catch {
    // Whatever the library says, the caller learns no more than the real one tells.
    return refused;
  }
}

function createPayout(
  deps: TrueLayerSimulatorDeps,
  bank: Bank,
  follow: (payoutId: string) => void,
  call: SimulatorCall,
  key: string,
): Response {
  const order = createPayoutWire.safeParse(parseJson(call.bodyText));
  if (!order.success) return problem('invalid-parameters', 'The request was invalid.', fieldErrors(order.error));
  bank.payingAccount();
  if (!bank.accounts.get(order.data.merchant_account_id)) return problem('not-found', 'Merchant account could not be found.');
  return once(deps, call, key, () => {
    const payout = bank.createPayout(key, order.data);
    follow(payout.id);
    return { status: 202, answer: { id: payout.id } };
  });
}

function openAccount(deps: TrueLayerSimulatorDeps, bank: Bank, call: SimulatorCall, key: string): Response {
  const order = openCollectionAccountWire.safeParse(parseJson(call.bodyText));
  if (!order.success) return problem('invalid-parameters', 'The request was invalid.', fieldErrors(order.error));
  bank.payingAccount();
  return once(deps, call, key, () => ({ status: 201, answer: accountAnswer(bank.openCollectionAccount(order.data.account_holder_name)) }));
}

/** The work and the memory of its answer are one transaction: a double killed in between has either both or none. */
function once(deps: TrueLayerSimulatorDeps, call: SimulatorCall, key: string, work: () => { status: number; answer: unknown }): Response {
  return deps.store.atomically(() => {
    const kept = deps.store.collection<KeptAnswer>('truelayer.idempotency');
    const place = `${call.url.pathname} ${key}`;
    const body_hash = hash(call.bodyText);
    const before = kept.get(place);
    if (before && before.body_hash !== body_hash) {
      return problem('idempotency-key-reuse', 'The Idempotency-Key value has already been used for a different request.');
    }
    if (before) return json(before.status, before.answer);
    const { status, answer } = work();
    kept.put(place, { body_hash, status, answer });
    return json(status, answer);
  });
}

function listTransactions(bank: Bank, { url, params, request }: SimulatorCall): Response {
  bank.payingAccount();
  const id = params['id'] ?? '';
  if (!bank.accounts.get(id)) return problem('not-found', 'Merchant account could not be found.');
  const from = parseInstant(url.searchParams.get('from') ?? '');
  const to = parseInstant(url.searchParams.get('to') ?? '');
  if (!from || !to) {
    const errors = { ...(from ? {} : { from: ['Value is required.'] }), ...(to ? {} : { to: ['Value is required.'] }) };
    return problem('invalid-parameters', 'The request was invalid.', errors);
  }
  const cursor = Number(url.searchParams.get('cursor') ?? 0);
  if (!Number.isSafeInteger(cursor) || cursor < 0)
    return problem('invalid-parameters', 'The request was invalid.', { cursor: ['Value is invalid.'] });
  const paged = request.headers.get('tl-enable-pagination') === 'true';
  return json(200, transactionsAnswer(bank, id, { from: epochOf(from), to: epochOf(to) }, paged ? cursor : undefined));
}

function keyOf(call: SimulatorCall): string {
  return call.request.headers.get('idempotency-key') ?? '';
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
