/** Simulates HubSpot: visitor identification tokens, the chat loader and the messages written in the chat. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { z } from 'zod';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText } from '../simulator/request.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { renderChatLoaderScript } from './chat-loader.ts';
import { createTokenWire, TOKEN_PATHS } from '@portal/providers/hubspot/hubspot-wire.ts';
import { SANDBOX_HUBSPOT } from './sandbox-credentials.ts';

/** A visitor's message. `email` is set only with a valid token for it. */
export type SandboxChatMessage = {
  readonly id: string;
  readonly conversation_id: string;
  readonly email: string | null;
  readonly text: string;
  readonly sent_at: Instant;
};

export type HubspotControls = {
  /** Plans below Professional don't get tokens. */
  setPlan(plan: 'professional' | 'starter'): void;
  /** Returns the visitor identified by a valid token. */
  findVisitor(token: string): { email: string; firstName?: string; lastName?: string } | undefined;
  /** Lists the chat's messages, newest first. */
  listMessages(): SandboxChatMessage[];
};

export type HubspotSimulator = { readonly plugin: FastifyPluginAsync; readonly controls: HubspotControls };

/** Operations for which faults can be set. */
export const HUBSPOT_OPERATIONS = ['hubspot.create_visitor_token'] as const;

type TokenRecord = { readonly email: string; readonly firstName?: string; readonly lastName?: string; readonly ends_at: Instant };

const TOKEN_TTL_MS = 12 * 3_600_000;
const MAX_STORED_MESSAGES = 500;
/** The chat runs on the portal's pages, which have a different origin. */
const CORS_HEADERS = { 'access-control-allow-origin': '*' };

export function createHubspotSimulator(deps: SimulatorDeps): HubspotSimulator {
  const messages = deps.store.collection<SandboxChatMessage>('hubspot.messages');
  const settings = deps.store.collection<string>('hubspot.settings');
  return {
    plugin: async (app) => {
      app.setNotFoundHandler((_request, reply) => sendFault(reply, 404, 'OBJECT_NOT_FOUND', 'Unable to find the resource.'));
      const routeOptions = { ...createFaultHooks(deps.faults, 'hubspot.create_visitor_token', rejectCall) };
      for (const path of TOKEN_PATHS) app.post(path, routeOptions, (request, reply) => createToken(deps, request, reply));
      app.get<{ Params: { script: string } }>('/:script', ({ params }, reply) => sendLoader(deps, params.script, reply));
      app.post('/simulator/identify', (request, reply) => identify(deps, request, reply));
      app.post('/simulator/messages', (request, reply) => storeMessage(deps, request, reply));
    },
    controls: {
      setPlan: (plan) => settings.put('plan', plan),
      findVisitor: (token) => findVisitorByToken(deps, token),
      listMessages: () =>
        messages
          .list()
          .map(({ document }) => document)
          .reverse(),
    },
  };
}

function createToken(deps: SimulatorDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers.authorization !== `Bearer ${SANDBOX_HUBSPOT.accessToken}`) {
    const message = 'Authentication credentials not found. This API supports OAuth 2.0 authentication.';
    return sendFault(reply, 401, 'INVALID_AUTHENTICATION', message);
  }
  if (deps.store.collection<string>('hubspot.settings').get('plan') === 'starter') {
    // HubSpot checks the plan before the body. The category is a guess, because HubSpot does not publish it.
    const message = 'The account of this token has no access to visitor identification: it needs a Professional plan.';
    return sendFault(reply, 403, 'FORBIDDEN', message);
  }
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
    return sendFault(reply, 415, 'VALIDATION_ERROR', 'The body must be JSON.');
  }
  const order = createTokenWire.safeParse(parseJson(readBodyText(request)));
  if (!order.success) {
    return sendFault(reply, 400, 'VALIDATION_ERROR', `Invalid input JSON: ${order.error.issues[0]?.path.join('.') || 'body'}`);
  }
  const { email, firstName, lastName } = order.data;
  const token = randomBytes(48).toString('base64url');
  const tokens = deps.store.collection<TokenRecord>('hubspot.tokens');
  const now = deps.clock.now();
  deps.store.atomically(() => {
    for (const { key, document } of tokens.list()) if (document.ends_at <= now) tokens.delete(key);
    const names = { ...(firstName ? { firstName } : {}), ...(lastName ? { lastName } : {}) };
    tokens.put(hash(token), { email, ...names, ends_at: addMilliseconds(now, TOKEN_TTL_MS) });
  });
  return sendResponse(reply, 200, { token });
}

/** Serves `{hubId}.js` like js.hs-scripts.com, only for the sandbox hub. */
function sendLoader({ publicUrl }: SimulatorDeps, script: string, reply: FastifyReply): FastifyReply {
  if (script !== `${SANDBOX_HUBSPOT.hubId}.js`) return sendFault(reply, 404, 'OBJECT_NOT_FOUND', 'Unable to find the resource.');
  return reply
    .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store', ...CORS_HEADERS })
    .send(renderChatLoaderScript(publicUrl));
}

const visitorWire = z.object({
  visitor: z.string().min(1).max(100),
  email: z.string().max(254).nullable(),
  token: z.string().max(500).nullable(),
});
const messageWire = visitorWire.extend({ text: z.string().trim().min(1).max(1_000) });

/** A token is valid only for the email address it was created for. */
function findIdentifiedEmail(deps: SimulatorDeps, { email, token }: { email: string | null; token: string | null }): string | null {
  if (email === null || token === null) return null;
  return findVisitorByToken(deps, token)?.email.toLowerCase() === email.toLowerCase() ? email : null;
}

function identify(deps: SimulatorDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(CORS_HEADERS);
  const parsed = visitorWire.safeParse(parseJson(readBodyText(request)));
  if (!parsed.success) return sendFault(reply, 400, 'VALIDATION_ERROR', 'The body cannot be read.');
  const email = findIdentifiedEmail(deps, parsed.data);
  return sendResponse(reply, 200, { identified: email !== null, email });
}

function storeMessage(deps: SimulatorDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(CORS_HEADERS);
  const parsedMessage = messageWire.safeParse(parseJson(readBodyText(request)));
  if (!parsedMessage.success) return sendFault(reply, 400, 'VALIDATION_ERROR', 'The body cannot be read.');
  const conversationId = hash(parsedMessage.data.visitor).slice(0, 12);
  const message: SandboxChatMessage = {
    id: randomUUID(),
    conversation_id: conversationId,
    email: findIdentifiedEmail(deps, parsedMessage.data),
    text: parsedMessage.data.text,
    sent_at: deps.clock.now(),
  };
  deps.store.atomically(() => {
    const messages = deps.store.collection<SandboxChatMessage>('hubspot.messages');
    messages.put(message.id, message);
    for (const { key } of messages.list().slice(0, -MAX_STORED_MESSAGES)) messages.delete(key);
  });
  return sendResponse(reply, 201, { conversationId });
}

function findVisitorByToken({ store, clock }: SimulatorDeps, token: string): Omit<TokenRecord, 'ends_at'> | undefined {
  const tokenRecord = store.collection<TokenRecord>('hubspot.tokens').get(hash(token));
  if (!tokenRecord || tokenRecord.ends_at <= clock.now()) return undefined;
  const { ends_at: _ends, ...visitor } = tokenRecord;
  return visitor;
}

function sendResponse(reply: FastifyReply, status: number, body: unknown, correlationId: string = randomUUID()): FastifyReply {
  return reply.code(status).header('x-hubspot-correlation-id', correlationId).send(body);
}

function sendFault(reply: FastifyReply, status: number, category: string, message: string): FastifyReply {
  const correlationId = randomUUID();
  return sendResponse(reply, status, { status: 'error', message, correlationId, category }, correlationId);
}

const rejectCall: RejectCall = (reply, { status }) =>
  status === 429
    ? sendFault(reply, 429, 'RATE_LIMITS', 'You have reached your ten_secondly_rolling limit.')
    : status === 403
      ? sendFault(reply, 403, 'MISSING_SCOPES', 'This app hasn’t been granted the required scopes.')
      : sendFault(reply, 500, 'INTERNAL_ERROR', 'internal error');

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
