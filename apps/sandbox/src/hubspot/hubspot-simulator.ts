/** HubSpot's double: visitor identification tokens, the chat loader, and what was written in its chat. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { z } from 'zod';
import { findRoute, type Simulator, type SimulatorCall, type SimulatorDeps, type SimulatorRoute } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { CUT_CONNECTION } from '../simulator/faults.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { chatLoaderScript } from './chat-loader.ts';
import { createTokenWire, TOKEN_PATHS } from '@portal/providers/hubspot/hubspot-wire.ts';
import { SANDBOX_HUBSPOT } from './sandbox-credentials.ts';

/** What a visitor wrote. `email` only where a valid token for it came along. */
export type SandboxChatMessage = {
  readonly id: string;
  readonly conversation_id: string;
  readonly email: string | null;
  readonly text: string;
  readonly sent_at: Instant;
};

export type HubspotControls = {
  /** Below Professional, tokens are refused. */
  setPlan(plan: 'professional' | 'starter'): void;
  /** Whom a token stands for, while it lives. */
  findVisitor(token: string): { email: string; firstName?: string; lastName?: string } | undefined;
  /** Newest first. */
  listMessages(): SandboxChatMessage[];
};

export type HubspotSimulator = Simulator & { readonly controls: HubspotControls };

/** The calls that a fault can be put into, by the names the faults use. */
export const HUBSPOT_OPERATIONS = ['hubspot.create_visitor_token'] as const;

type TokenRecord = { readonly email: string; readonly firstName?: string; readonly lastName?: string; readonly ends_at: Instant };

const TOKEN_LIFE_MS = 12 * 3_600_000;
const MESSAGES_KEPT = 500;
/** On every answer of the API; what does not carry it was made by a shared fault. */
const CORRELATION_ID = 'x-hubspot-correlation-id';

export function createHubspotSimulator(deps: SimulatorDeps): HubspotSimulator {
  const messages = deps.store.collection<SandboxChatMessage>('hubspot.messages');
  const settings = deps.store.collection<string>('hubspot.settings');
  const routes = routesOf(deps);
  const basePath = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  return {
    fetch: async (request) => {
      const url = new URL(request.url);
      const found = findRoute(routes, basePath, request.method, url.pathname);
      if (!found) return fault(404, 'OBJECT_NOT_FOUND', 'Unable to find the resource.');
      return found.route.answer({ request, url, params: found.params, bodyText: await request.text() });
    },
    controls: {
      setPlan: (plan) => settings.put('plan', plan),
      findVisitor: (token) => visitorOf(deps, token),
      listMessages: () =>
        messages
          .list()
          .map(({ document }) => document)
          .reverse(),
    },
  };
}

function routesOf(deps: SimulatorDeps): SimulatorRoute[] {
  const createToken: SimulatorRoute['answer'] = async (call) =>
    inOwnWords(await deps.faults.through('hubspot.create_visitor_token', () => answerCreateToken(deps, call)));
  return [
    ...TOKEN_PATHS.map((path) => ({ method: 'POST', path, answer: createToken })),
    { method: 'GET', path: '/:script', answer: ({ params }) => answerLoader(deps, params['script'] ?? '') },
    { method: 'POST', path: '/double/identify', answer: (call) => identify(deps, call) },
    { method: 'POST', path: '/double/messages', answer: (call) => keepMessage(deps, call) },
  ];
}

function answerCreateToken(deps: SimulatorDeps, { request, bodyText }: SimulatorCall): Response {
  if (request.headers.get('authorization') !== `Bearer ${SANDBOX_HUBSPOT.accessToken}`) {
    return fault(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found. This API supports OAuth 2.0 authentication.');
  }
  if (deps.store.collection<string>('hubspot.settings').get('plan') === 'starter') {
    // The plan is checked by HubSpot before the body; the category's word is not published.
    return fault(403, 'FORBIDDEN', 'The account of this token has no access to visitor identification: it needs a Professional plan.');
  }
  if (!(request.headers.get('content-type') ?? '').startsWith('application/json')) {
    return fault(415, 'VALIDATION_ERROR', 'The body must be JSON.');
  }
  const order = createTokenWire.safeParse(parseJson(bodyText));
  if (!order.success) return fault(400, 'VALIDATION_ERROR', `Invalid input JSON: ${order.error.issues[0]?.path.join('.') || 'body'}`);
  const { email, firstName, lastName } = order.data;
  const token = randomBytes(48).toString('base64url');
  const tokens = deps.store.collection<TokenRecord>('hubspot.tokens');
  const now = deps.clock.now();
  deps.store.atomically(() => {
    for (const { key, document } of tokens.list()) if (document.ends_at <= now) tokens.delete(key);
    const names = { ...(firstName ? { firstName } : {}), ...(lastName ? { lastName } : {}) };
    tokens.put(hash(token), { email, ...names, ends_at: addMilliseconds(now, TOKEN_LIFE_MS) });
  });
  return answered(200, { token });
}

/** `{hubId}.js`, as js.hs-scripts.com serves it; another hub's script is not here. */
function answerLoader({ publicUrl }: SimulatorDeps, script: string): Response {
  if (script !== `${SANDBOX_HUBSPOT.hubId}.js`) return fault(404, 'OBJECT_NOT_FOUND', 'Unable to find the resource.');
  return new Response(chatLoaderScript(publicUrl), {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store', 'access-control-allow-origin': '*' },
  });
}

const visitorWire = z.object({
  visitor: z.string().min(1).max(100),
  email: z.string().max(254).nullable(),
  token: z.string().max(500).nullable(),
});
const messageWire = visitorWire.extend({ text: z.string().trim().min(1).max(1_000) });

/** A token counts only together with the address it was made for. */
function identifiedEmail(deps: SimulatorDeps, { email, token }: { email: string | null; token: string | null }): string | null {
  if (email === null || token === null) return null;
  return visitorOf(deps, token)?.email.toLowerCase() === email.toLowerCase() ? email : null;
}

function identify(deps: SimulatorDeps, { bodyText }: SimulatorCall): Response {
  const asked = visitorWire.safeParse(parseJson(bodyText));
  if (!asked.success) return forBrowser(fault(400, 'VALIDATION_ERROR', 'The body cannot be read.'));
  const email = identifiedEmail(deps, asked.data);
  return forBrowser(answered(200, { identified: email !== null, email }));
}

function keepMessage(deps: SimulatorDeps, { bodyText }: SimulatorCall): Response {
  const sent = messageWire.safeParse(parseJson(bodyText));
  if (!sent.success) return forBrowser(fault(400, 'VALIDATION_ERROR', 'The body cannot be read.'));
  const conversationId = hash(sent.data.visitor).slice(0, 12);
  const message: SandboxChatMessage = {
    id: randomUUID(),
    conversation_id: conversationId,
    email: identifiedEmail(deps, sent.data),
    text: sent.data.text,
    sent_at: deps.clock.now(),
  };
  deps.store.atomically(() => {
    const messages = deps.store.collection<SandboxChatMessage>('hubspot.messages');
    messages.put(message.id, message);
    for (const { key } of messages.list().slice(0, -MESSAGES_KEPT)) messages.delete(key);
  });
  return forBrowser(answered(201, { conversationId }));
}

function visitorOf({ store, clock }: SimulatorDeps, token: string): Omit<TokenRecord, 'ends_at'> | undefined {
  const found = store.collection<TokenRecord>('hubspot.tokens').get(hash(token));
  if (!found || found.ends_at <= clock.now()) return undefined;
  const { ends_at: _ends, ...visitor } = found;
  return visitor;
}

/** The chat runs on the portal's pages, which are another origin. */
function forBrowser(response: Response): Response {
  response.headers.set('access-control-allow-origin', '*');
  return response;
}

function answered(status: number, body: unknown, correlationId: string = randomUUID()): Response {
  return json(status, body, { [CORRELATION_ID]: correlationId });
}

function fault(status: number, category: string, message: string): Response {
  const correlationId = randomUUID();
  return answered(status, { status: 'error', message, correlationId, category }, correlationId);
}

function inOwnWords(response: Response): Response {
  if (response.status === CUT_CONNECTION || response.headers.has(CORRELATION_ID)) return response;
  if (response.status === 429) return fault(429, 'RATE_LIMITS', 'You have reached your ten_secondly_rolling limit.');
  return fault(500, 'INTERNAL_ERROR', 'internal error');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
