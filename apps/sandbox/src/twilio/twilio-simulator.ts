/** Simulates Twilio Verify: verifications with their codes, by phone number, and the text messages "sent". */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { addMilliseconds, toEpochMs, type Instant } from '@portal/domain/clock.ts';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readForm, requestUrl } from '../simulator/request.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { SANDBOX_TWILIO } from './sandbox-credentials.ts';
import { TWILIO_CODES, type VerificationStatus } from '@portal/providers/twilio/twilio-wire.ts';

/** A text message as shown on the mailbox page. */
export type SandboxSms = {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly code: string;
  readonly sent_at: Instant;
};

export type TwilioControls = {
  /** Newest first; `to` in E.164. */
  listMessages(to?: string): SandboxSms[];
};

export type TwilioSimulator = { readonly plugin: FastifyPluginAsync; readonly controls: TwilioControls };

/** Operations for which faults can be set. */
export const TWILIO_OPERATIONS = ['twilio.start_verification', 'twilio.check_verification'] as const;

/** A response to be sent after the change to the store. */
type TwilioResponse = { readonly status: number; readonly body: unknown };
type SendAttempt = { readonly time: Instant; readonly channel: string; readonly attempt_sid: string };
type Verification = {
  readonly sid: string;
  readonly to: string;
  readonly code: string;
  readonly status: VerificationStatus;
  readonly checks: number;
  readonly sends: readonly SendAttempt[];
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

/**
 * A code is valid for ten minutes after it is first sent, and can be sent five times and checked five times
 * (twilio.com/docs/verify/api/rate-limits-and-timeouts, errors 60202 and 60203).
 */
const CODE_TTL_MS = 600_000;
const MAX_SENDS = 5;
const MAX_CHECKS = 5;
const MAX_STORED_MESSAGES = 500;
const CHANNELS = ['sms', 'call', 'whatsapp'];

export function createTwilioSimulator(deps: SimulatorDeps): TwilioSimulator {
  const messages = deps.store.collection<SandboxSms>('twilio.messages');
  const basePath = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  const toRouteOptions = (operation: (typeof TWILIO_OPERATIONS)[number]) => {
    const { preHandler, onSend } = createFaultHooks(deps.faults, operation, rejectCall);
    return { preHandler: [preHandler, checkCaller], onSend };
  };
  return {
    plugin: async (app) => {
      app.setNotFoundHandler((request, reply) => send(reply, createNotFoundResponse(requestUrl(request).pathname.slice(basePath.length))));
      app.post('/v2/Services/:service/Verifications', toRouteOptions('twilio.start_verification'), (request, reply) =>
        send(reply, startVerification(deps, readTwilioForm(request))),
      );
      app.post('/v2/Services/:service/VerificationCheck', toRouteOptions('twilio.check_verification'), (request, reply) =>
        send(reply, checkVerification(deps, readTwilioForm(request))),
      );
    },
    controls: {
      listMessages: (to) => {
        const allMessages = messages.list().map(({ document }) => document);
        return allMessages.filter((message) => to === undefined || message.to === to).reverse();
      },
    },
  };
}

const checkCaller: preHandlerAsyncHookHandler = async (request, reply) => {
  const { accountSid, authToken, serviceSid } = SANDBOX_TWILIO;
  const credentials = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (Buffer.from(credentials, 'base64').toString() !== `${accountSid}:${authToken}`) {
    return send(reply, createErrorResponse(401, TWILIO_CODES.badCredentials, 'Authenticate'));
  }
  const { service } = request.params as { service: string };
  return service === serviceSid ? undefined : send(reply, createNotFoundResponse(requestUrl(request).pathname));
};

/** Twilio reads only forms. A JSON body counts as having no parameters. */
function readTwilioForm(request: FastifyRequest): URLSearchParams {
  const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  return isForm ? readForm(request) : new URLSearchParams();
}

function startVerification(deps: SimulatorDeps, form: URLSearchParams): TwilioResponse {
  const to = form.get('To') ?? '';
  const channel = form.get('Channel') ?? '';
  if (!isE164(to)) return createErrorResponse(400, TWILIO_CODES.invalidParameter, 'Invalid parameter `To`: ' + to);
  if (!CHANNELS.includes(channel))
    return createErrorResponse(400, TWILIO_CODES.invalidParameter, 'Invalid parameter `Channel`: ' + channel);
  return deps.store.atomically(() => {
    const now = deps.clock.now();
    const verifications = deps.store.collection<Verification>('twilio.verifications');
    const current = findCurrentVerification(verifications.get(to), now);
    // "You will need to wait until the current verification expires to create a new verification": twilio.com/docs/api/errors/60202.
    if (current?.status === 'max_attempts_reached') return createErrorResponse(429, TWILIO_CODES.maxChecks, 'Max check attempts reached');
    if (current && current.sends.length >= MAX_SENDS) return createErrorResponse(429, TWILIO_CODES.maxSends, 'Max send attempts reached');
    const verification = current ?? createVerification(to, now);
    const attempt = { time: now, channel: channel === 'sms' ? 'SMS' : channel, attempt_sid: generateSid('VL') };
    const sentVerification = { ...verification, sends: [...verification.sends, attempt], updated_at: now };
    verifications.put(to, sentVerification);
    storeMessage(deps, sentVerification);
    return { status: 201, body: toVerificationResponse(sentVerification, channel) };
  });
}

function checkVerification(deps: SimulatorDeps, form: URLSearchParams): TwilioResponse {
  const to = form.get('To') ?? '';
  const code = form.get('Code') ?? '';
  if (!isE164(to)) return createErrorResponse(400, TWILIO_CODES.invalidParameter, 'Invalid parameter `To`: ' + to);
  if (code.length < 4 || code.length > 10) return createErrorResponse(400, TWILIO_CODES.invalidParameter, 'Invalid parameter: Code');
  return deps.store.atomically(() => {
    const now = deps.clock.now();
    const verifications = deps.store.collection<Verification>('twilio.verifications');
    const current = findCurrentVerification(verifications.get(to), now);
    if (!current) return createNotFoundResponse(`/Services/${SANDBOX_TWILIO.serviceSid}/VerificationCheck`);
    if (current.checks >= MAX_CHECKS) {
      verifications.put(to, { ...current, status: 'max_attempts_reached', updated_at: now });
      return createErrorResponse(429, TWILIO_CODES.maxChecks, 'Max check attempts reached');
    }
    const status: VerificationStatus = code === current.code ? 'approved' : 'pending';
    const checkedVerification: Verification = { ...current, status, checks: current.checks + 1, updated_at: now };
    verifications.put(to, checkedVerification);
    return { status: 200, body: toCheckResponse(checkedVerification) };
  });
}

function createVerification(to: string, now: Instant): Verification {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  return { sid: generateSid('VE'), to, code, status: 'pending', checks: 0, sends: [], created_at: now, updated_at: now };
}

/** Approved and expired verifications count as unknown. Moving the sandbox clock back ends verifications too. */
function findCurrentVerification(verification: Verification | undefined, now: Instant): Verification | undefined {
  if (!verification || verification.status === 'approved') return undefined;
  const isValid = now >= verification.created_at && toEpochMs(now) < toEpochMs(addMilliseconds(verification.created_at, CODE_TTL_MS));
  return isValid ? verification : undefined;
}

function storeMessage(deps: SimulatorDeps, { to, code, updated_at }: Verification): void {
  const messages = deps.store.collection<SandboxSms>('twilio.messages');
  const id = randomUUID();
  messages.put(id, { id, to, code, text: `Your Portal verification code is: ${code}`, sent_at: updated_at });
  for (const { key } of messages.list().slice(0, -MAX_STORED_MESSAGES)) messages.delete(key);
}

function toVerificationResponse(verification: Verification, channel: string): unknown {
  const { sid, to, status, sends, created_at, updated_at } = verification;
  const { serviceSid: service_sid, accountSid: account_sid } = SANDBOX_TWILIO;
  return {
    sid,
    service_sid,
    account_sid,
    to,
    channel,
    status,
    valid: false,
    date_created: truncateToSeconds(created_at),
    date_updated: truncateToSeconds(updated_at),
    lookup: {},
    amount: null,
    payee: null,
    send_code_attempts: sends.map((attempt) => ({ ...attempt, time: truncateToSeconds(attempt.time) })),
    sna: null,
    url: `https://verify.twilio.com/v2/Services/${service_sid}/Verifications/${sid}`,
  };
}

function toCheckResponse({ sid, to, status, sends, created_at, updated_at }: Verification): unknown {
  return {
    sid,
    service_sid: SANDBOX_TWILIO.serviceSid,
    account_sid: SANDBOX_TWILIO.accountSid,
    to,
    channel: sends.at(-1)?.channel.toLowerCase() ?? 'sms',
    status,
    valid: status === 'approved',
    amount: null,
    payee: null,
    sna_attempts_error_codes: [],
    date_created: truncateToSeconds(created_at),
    date_updated: truncateToSeconds(updated_at),
  };
}

function createErrorResponse(status: number, code: number, message: string): TwilioResponse {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}

function createNotFoundResponse(path: string): TwilioResponse {
  return createErrorResponse(404, TWILIO_CODES.notFound, `The requested resource ${path} was not found`);
}

/** Twilio adds a request ID to every response. */
function send(reply: FastifyReply, { status, body }: TwilioResponse): FastifyReply {
  return reply.code(status).header('twilio-request-id', generateSid('RQ')).send(body);
}

const rejectCall: RejectCall = (reply, { status }) =>
  status === 429
    ? send(reply, createErrorResponse(429, TWILIO_CODES.tooManyRequests, 'Too Many Requests'))
    : send(
        reply,
        status === 403
          ? createErrorResponse(403, TWILIO_CODES.forbidden, 'Forbidden')
          : createErrorResponse(500, TWILIO_CODES.serverError, 'Internal Server Error'),
      );

function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

function truncateToSeconds(instant: Instant): string {
  return instant.replace(/\.\d+Z$/, 'Z');
}

function generateSid(prefix: string): string {
  return prefix + randomBytes(16).toString('hex');
}
