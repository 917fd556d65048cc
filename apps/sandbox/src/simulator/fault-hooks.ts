/** Route hooks that apply an operation's faults, so that the next calls fail as they sometimes do with a real provider. */
import type { FastifyReply, FastifyRequest, onSendHookHandler, preHandlerAsyncHookHandler } from 'fastify';
import type { FaultKind, Faults } from './faults.ts';
import { sendHtml } from './responses.ts';

/** A call that a fault rejects before any work is done. */
export type RejectedCall =
  | { readonly status: 403 | 429 | 500; readonly retryAfterSeconds?: number }
  | { readonly status: 200; readonly html: string };

/** Sends a rejected call's response in the provider's own format. */
export type RejectCall = (reply: FastifyReply, call: RejectedCall, request: FastifyRequest) => FastifyReply;

export type FaultHooks = { readonly preHandler: preHandlerAsyncHookHandler; readonly onSend: onSendHookHandler };

const RETRY_AFTER_SECONDS = 3;
/** A page that a gateway or proxy returns with a success status instead of the expected response. */
const GATEWAY_PAGE = '<!doctype html><title>Sorry</title><h1>Sorry, there is a problem with the service</h1>';

/** Spread the result into the route's options: `app.post(path, { ...createFaultHooks(faults, 'bank.pay') }, handler)`. */
export function createFaultHooks(faults: Faults, operation: string, reject: RejectCall = rejectCall): FaultHooks {
  /** Faults that take effect after the work is done. */
  const pendingFaults = new WeakMap<FastifyRequest, FaultKind>();
  return {
    preHandler: async (request, reply) => {
      const kind = faults.takeFault(operation);
      switch (kind) {
        case undefined:
          return undefined;
        case 'slow':
          await pause(faults.delays.slowMs);
          return undefined;
        case 'too_many':
          return reject(reply, { status: 429 }, request);
        case 'too_many_later':
          return reject(reply, { status: 429, retryAfterSeconds: RETRY_AFTER_SECONDS }, request);
        case 'server_error':
          return reject(reply, { status: 500 }, request);
        case 'forbidden':
          return reject(reply, { status: 403 }, request);
        case 'cut_before_work':
          cutConnection(reply);
          return undefined;
        case 'html_page':
          return reject(reply, { status: 200, html: GATEWAY_PAGE }, request);
        default:
          pendingFaults.set(request, kind);
          return undefined;
      }
    },
    onSend: (request, reply, payload, done) => {
      const kind = pendingFaults.get(request);
      switch (kind) {
        case 'wrong_types':
          return done(null, changeJson(payload, changeTypes));
        case 'missing_fields':
          return done(null, changeJson(payload, removeFields));
        case 'malformed_body':
          return done(null, '{"obligations":[{"start":');
        // These two cases never call `done`, because Fastify must not respond on a closed connection.
        case 'cut_off':
          return sendTruncated(reply, payload);
        case 'timeout_after_work':
          return void setTimeout(() => cutConnection(reply), faults.delays.hangMs);
        default:
          return done(null, payload);
      }
    },
  };
}

function rejectCall(reply: FastifyReply, call: RejectedCall): FastifyReply {
  if (call.status === 200) return sendHtml(reply, 200, call.html);
  if (call.status === 500) return reply.code(500).send({ code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' });
  if (call.status === 403) return reply.code(403).send({ code: 'FORBIDDEN', message: 'The request is not allowed.' });
  if (call.retryAfterSeconds !== undefined) reply.header('retry-after', String(call.retryAfterSeconds));
  const message = 'The request for the API is throttled as you have exceeded your quota.';
  return reply.code(429).send({ code: 'MESSAGE_THROTTLED_OUT', message });
}

function cutConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.socket?.destroy();
}

/** Announces the full length, then closes the connection after half of the body. */
function sendTruncated(reply: FastifyReply, payload: unknown): void {
  const body = Buffer.from(toText(payload));
  const type = reply.getHeader('content-type') ?? 'application/json';
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, { 'content-type': String(type), 'content-length': body.byteLength + 1 });
  reply.raw.write(body.subarray(0, Math.ceil(body.byteLength / 2)), () => reply.raw.destroy());
}

/** Changes a JSON body and returns any other body unchanged. */
function changeJson(payload: unknown, change: (body: unknown) => unknown): string {
  const payloadText = toText(payload);
  try {
    return JSON.stringify(change(JSON.parse(payloadText)));
  } catch {
    return payloadText;
  }
}

function toText(payload: unknown): string {
  return typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString() : '';
}

/** Turns numbers into strings, strings into numbers and lists into objects. */
function changeTypes(value: unknown): unknown {
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'string') return 7;
  if (Array.isArray(value)) return { ...value.map(changeTypes) };
  return mapFields(value, ([name, field]) => [[name, changeTypes(field)]]);
}

/** Removes the first field of the innermost objects. */
function removeFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeFields);
  if (typeof value !== 'object' || value === null) return value;
  const isInnermost = Object.values(value).every((field) => typeof field !== 'object' || field === null);
  let isFirst = true;
  return mapFields(value, ([name, field]) => {
    const isLost = isInnermost && isFirst;
    isFirst = false;
    return isLost ? [] : [[name, removeFields(field)]];
  });
}

function mapFields(value: unknown, change: (field: [string, unknown]) => [string, unknown][]): unknown {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).flatMap(change)) : value;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
