/** Twilio Verify's double: verifications by number with their code, and the text messages that were "sent". */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { addMilliseconds, epochOf, type Instant } from '@portal/domain/clock.ts';
import { findRoute, type Simulator, type SimulatorCall, type SimulatorDeps, type SimulatorRoute } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { CUT_CONNECTION } from '../simulator/faults.ts';
import { SANDBOX_TWILIO } from './sandbox-credentials.ts';
import { TWILIO_CODES, type VerificationStatus } from '@portal/providers/twilio/twilio-wire.ts';

/** A text message as the mailbox page shows it. */
export type SandboxSms = {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly code: string;
  readonly sent_at: Instant;
};

export type TwilioControls = {
  /** Newest first; `to` is the number in E.164. */
  listMessages(to?: string): SandboxSms[];
};

export type TwilioSimulator = Simulator & { readonly controls: TwilioControls };

/** The calls that a fault can be put into, by the names the faults use. */
export const TWILIO_OPERATIONS = ['twilio.start_verification', 'twilio.check_verification'] as const;

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

/** Codes live ten minutes from the first sending on, five sendings and five checks (twilio.com/docs/verify/api/rate-limits-and-timeouts, errors 60202 and 60203). */
const LIFE_MS = 600_000;
const SENDS_ALLOWED = 5;
const CHECKS_ALLOWED = 5;
const MESSAGES_KEPT = 500;
const CHANNELS = ['sms', 'call', 'whatsapp'];

export function createTwilioSimulator(deps: SimulatorDeps): TwilioSimulator {
  const messages = deps.store.collection<SandboxSms>('twilio.messages');
  const basePath = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  const guarded = (
    operation: (typeof TWILIO_OPERATIONS)[number],
    answer: (form: URLSearchParams) => Response,
  ): SimulatorRoute['answer'] => {
    return async (call) => inOwnWords(await deps.faults.through(operation, () => refuseCaller(call) ?? answer(readForm(call))));
  };
  const routes: SimulatorRoute[] = [
    {
      method: 'POST',
      path: '/v2/Services/:service/Verifications',
      answer: guarded('twilio.start_verification', (form) => start(deps, form)),
    },
    {
      method: 'POST',
      path: '/v2/Services/:service/VerificationCheck',
      answer: guarded('twilio.check_verification', (form) => check(deps, form)),
    },
  ];
  return {
    fetch: async (request) => {
      const url = new URL(request.url);
      const found = findRoute(routes, basePath, request.method, url.pathname);
      if (!found) return notFound(url.pathname.slice(basePath.length));
      return found.route.answer({ request, url, params: found.params, bodyText: await request.text() });
    },
    controls: {
      listMessages: (to) => {
        const all = messages.list().map(({ document }) => document);
        return all.filter((message) => to === undefined || message.to === to).reverse();
      },
    },
  };
}

function refuseCaller({ request, url, params }: SimulatorCall): Response | undefined {
  const { accountSid, authToken, serviceSid } = SANDBOX_TWILIO;
  const credentials = /^Basic (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  if (Buffer.from(credentials, 'base64').toString() !== `${accountSid}:${authToken}`) {
    return refuse(401, TWILIO_CODES.badCredentials, 'Authenticate');
  }
  return params['service'] === serviceSid ? undefined : notFound(url.pathname);
}

/** Twilio reads forms only; a JSON body is a form without parameters. */
function readForm({ request, bodyText }: SimulatorCall): URLSearchParams {
  const isForm = (request.headers.get('content-type') ?? '').startsWith('application/x-www-form-urlencoded');
  return new URLSearchParams(isForm ? bodyText : '');
}

function start(deps: SimulatorDeps, form: URLSearchParams): Response {
  const to = form.get('To') ?? '';
  const channel = form.get('Channel') ?? '';
  if (!isE164(to)) return refuse(400, TWILIO_CODES.invalidParameter, 'Invalid parameter `To`: ' + to);
  if (!CHANNELS.includes(channel)) return refuse(400, TWILIO_CODES.invalidParameter, 'Invalid parameter `Channel`: ' + channel);
  return deps.store.atomically(() => {
    const now = deps.clock.now();
    const verifications = deps.store.collection<Verification>('twilio.verifications');
    const current = alive(verifications.get(to), now);
    // "You will need to wait until the current verification expires to create a new verification": twilio.com/docs/api/errors/60202.
    if (current?.status === 'max_attempts_reached') return refuse(429, TWILIO_CODES.maxChecks, 'Max check attempts reached');
    if (current && current.sends.length >= SENDS_ALLOWED) return refuse(429, TWILIO_CODES.maxSends, 'Max send attempts reached');
    const begun = current ?? begin(to, now);
    const attempt = { time: now, channel: channel === 'sms' ? 'SMS' : channel, attempt_sid: newSid('VL') };
    const sent = { ...begun, sends: [...begun.sends, attempt], updated_at: now };
    verifications.put(to, sent);
    keepMessage(deps, sent);
    return answered(201, verificationAnswer(sent, channel));
  });
}

function check(deps: SimulatorDeps, form: URLSearchParams): Response {
  const to = form.get('To') ?? '';
  const code = form.get('Code') ?? '';
  if (!isE164(to)) return refuse(400, TWILIO_CODES.invalidParameter, 'Invalid parameter `To`: ' + to);
  if (code.length < 4 || code.length > 10) return refuse(400, TWILIO_CODES.invalidParameter, 'Invalid parameter: Code');
  return deps.store.atomically(() => {
    const now = deps.clock.now();
    const verifications = deps.store.collection<Verification>('twilio.verifications');
    const current = alive(verifications.get(to), now);
    if (!current) return notFound(`/Services/${SANDBOX_TWILIO.serviceSid}/VerificationCheck`);
    if (current.checks >= CHECKS_ALLOWED) {
      verifications.put(to, { ...current, status: 'max_attempts_reached', updated_at: now });
      return refuse(429, TWILIO_CODES.maxChecks, 'Max check attempts reached');
    }
    const status: VerificationStatus = code === current.code ? 'approved' : 'pending';
    const checked: Verification = { ...current, status, checks: current.checks + 1, updated_at: now };
    verifications.put(to, checked);
    return answered(200, checkAnswer(checked));
  });
}

function begin(to: string, now: Instant): Verification {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  return { sid: newSid('VE'), to, code, status: 'pending', checks: 0, sends: [], created_at: now, updated_at: now };
}

/** An approved verification is gone, so is an expired one: both are answered as if they had never been. A sandbox clock moved back ends them too. */
function alive(verification: Verification | undefined, now: Instant): Verification | undefined {
  if (!verification || verification.status === 'approved') return undefined;
  const isInLife = now >= verification.created_at && epochOf(now) < epochOf(addMilliseconds(verification.created_at, LIFE_MS));
  return isInLife ? verification : undefined;
}

function keepMessage(deps: SimulatorDeps, { to, code, updated_at }: Verification): void {
  const messages = deps.store.collection<SandboxSms>('twilio.messages');
  const id = randomUUID();
  messages.put(id, { id, to, code, text: `Your Portal verification code is: ${code}`, sent_at: updated_at });
  for (const { key } of messages.list().slice(0, -MESSAGES_KEPT)) messages.delete(key);
}

function verificationAnswer(verification: Verification, channel: string): unknown {
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
    date_created: wholeSeconds(created_at),
    date_updated: wholeSeconds(updated_at),
    lookup: {},
    amount: null,
    payee: null,
    send_code_attempts: sends.map((attempt) => ({ ...attempt, time: wholeSeconds(attempt.time) })),
    sna: null,
    url: `https://verify.twilio.com/v2/Services/${service_sid}/Verifications/${sid}`,
  };
}

function checkAnswer({ sid, to, status, sends, created_at, updated_at }: Verification): unknown {
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
    date_created: wholeSeconds(created_at),
    date_updated: wholeSeconds(updated_at),
  };
}

function refuse(status: number, code: number, message: string): Response {
  return answered(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
}

function notFound(path: string): Response {
  return refuse(404, TWILIO_CODES.notFound, `The requested resource ${path} was not found`);
}

/** Every answer of Twilio's names its request; what does not was made by a shared fault, in another provider's words. */
function answered(status: number, body: unknown): Response {
  return json(status, body, { 'twilio-request-id': newSid('RQ') });
}

/** Status and timing of a shared fault are what matters, the words here are Twilio's. */
function inOwnWords(response: Response): Response {
  if (response.status === CUT_CONNECTION || response.headers.has('twilio-request-id')) return response;
  if (response.status === 429) return refuse(429, TWILIO_CODES.tooManyRequests, 'Too Many Requests');
  return refuse(500, TWILIO_CODES.serverError, 'Internal Server Error');
}

function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

function wholeSeconds(instant: Instant): string {
  return instant.replace(/\.\d+Z$/, 'Z');
}

function newSid(prefix: string): string {
  return prefix + randomBytes(16).toString('hex');
}
