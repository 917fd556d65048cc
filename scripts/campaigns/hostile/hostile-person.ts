/**
 * A portal user whose every step is preceded by corrupted versions of it. Each response to these is checked; then the valid call must still
 * succeed, because a rejected call doesn't change anything.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CLIENT_DEVICE_HEADER } from '@portal/contract/client-device.ts';
import type { Endpoint, EndpointInput, EndpointOutput } from '@portal/contract/endpoint.ts';
import { pick, type RandomSource } from '../../chaos/random.ts';
import type { CampaignRecord, Tenant } from './campaign-record.ts';
import { checkResponse } from './check-response.ts';
import { toSentRequest, type Call, type Corruption, type ForeignDataSource } from './call.ts';
import { corruptCall } from './corrupt-call.ts';
import type { ForeignData } from './foreign-data.ts';
import { sendBytes, sendRequest, type PortalResponse, type SentRequest } from './send-request.ts';

/** The valid call was rejected, or the run is over; the sequence ends. */
export class SequenceEndedError extends Error {
  override readonly name = 'SequenceEnded';
}

export type Run = {
  readonly origins: readonly string[];
  readonly sandboxUrl: string;
  readonly record: CampaignRecord;
  readonly foreign: ForeignData;
  /** The number of corrupted calls before each valid one. */
  readonly corruptedPerStep: number;
  readonly isOver: () => boolean;
  /** Counts rows to compare the database before and after a rejected call. Runs for a sample of calls. */
  readonly countRows: (companyId: string) => Promise<string>;
};

export type StepOptions = {
  /** The number of corrupted calls to send first, instead of the run's default. */
  readonly corrupted?: number;
  /** Statuses other than 2xx that are accepted for the valid call. */
  readonly mayEnd?: readonly number[];
  /** Send only corruptions that must be rejected, because the rest of the sequence depends on the stored data. */
  readonly isSafe?: boolean;
  /** Send the valid call to two portals at the same time; one of them must accept it. */
  readonly isSentTwice?: boolean;
};

export type Person = {
  readonly tenant: Tenant;
  readonly random: RandomSource;
  readonly cookies: Map<string, string>;
  call<E extends Endpoint>(endpoint: E, input: EndpointInput<E>, options?: StepOptions): Promise<EndpointOutput<E>>;
  /** Sends only the valid call, to wait for something. */
  ask<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): Promise<EndpointOutput<E>>;
  /** The path is below /portal. Doesn't follow redirects. */
  open(path: string, query?: Readonly<Record<string, string>>, options?: StepOptions): Promise<PortalResponse>;
  post(path: string, call: Partial<Pick<Call, 'query' | 'body' | 'headers'>>, options?: StepOptions): Promise<PortalResponse>;
};

type Settings = { readonly ip: string; readonly isOperator?: boolean };

/** State shared by one user's steps. */
type HostilePerson = {
  readonly run: Run;
  readonly tenant: Tenant;
  readonly random: RandomSource;
  readonly isOperator: boolean;
  readonly cookies: Map<string, string>;
  readonly foreign: ForeignDataSource;
  readonly headers: Readonly<Record<string, string>>;
};

const DEVICE = encodeURIComponent(
  JSON.stringify({
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0',
    screens: [{ width: 1920, height: 1080, scaling_factor: 1, colour_depth: 24 }],
    window: { width: 1440, height: 900 },
    utc_offset_minutes: 0,
  }),
);

export function createPerson(run: Run, tenant: Tenant, random: RandomSource, { ip, isOperator = false }: Settings): Person {
  const cookies = new Map<string, string>();
  const headers = { 'user-agent': 'Mozilla/5.0 (campaign)', [CLIENT_DEVICE_HEADER]: DEVICE, 'x-forwarded-for': ip };
  const self: HostilePerson = { run, tenant, random, isOperator, cookies, headers, foreign: run.foreign.othersOf(tenant, random) };
  return {
    tenant,
    random,
    cookies,
    call: async (endpoint, input, options = {}) => parse(await performStep(self, toCall(self, endpoint, input), options)),
    ask: async (endpoint, input) => parse(await performStep(self, toCall(self, endpoint, input), { corrupted: 0, mayEnd: [429] })),
    open: (path, query = {}, options = {}) => performStep(self, toRawCall(self, 'GET', path, { query }), options),
    post: (path, call, options = {}) => performStep(self, toRawCall(self, 'POST', path, call), options),
  };
}

function toCall({ headers, cookies }: HostilePerson, endpoint: Endpoint, input: object): Call {
  const isRead = endpoint.method === 'GET';
  const needsKey = endpoint.needsIdempotencyKey === true;
  return {
    method: endpoint.method,
    path: `/portal${endpoint.path}`,
    query: isRead ? toTexts(input) : {},
    body: isRead ? undefined : { ...input },
    headers: { ...headers, ...(needsKey ? { 'idempotency-key': randomUUID() } : {}) },
    cookies,
    fields: Object.keys(endpoint.input.shape as object),
    needsSession: endpoint.access !== 'public',
    needsKey,
    belongsToTenant: /^(company|practice|client)\./.test(endpoint.access),
  };
}

/** Creates a call outside the contract: a file, a navigation, a webhook. */
function toRawCall(self: HostilePerson, method: 'GET' | 'POST', path: string, { query = {}, body, headers = {} }: Partial<Call>): Call {
  return {
    method,
    path: `/portal${path}`,
    query,
    body,
    headers: { ...self.headers, ...headers },
    cookies: self.cookies,
    fields: Object.keys(query),
    needsSession: false,
    needsKey: false,
    belongsToTenant: 'company_id' in query,
  };
}

async function send({ run, random }: HostilePerson, sentBody: Corruption['sent']): Promise<PortalResponse> {
  const origin = pick(random, run.origins);
  const firstReply = 'bytes' in sentBody ? await sendBytes(origin, sentBody.bytes, sentBody) : await sendRequest(origin, sentBody);
  run.record.countCall(firstReply.status, firstReply.milliseconds);
  return firstReply;
}

/** The corrupted calls may use up the user's rate limits for 15 minutes, so the run keeps clearing them. */
async function sendUnlimited(self: HostilePerson, sentCall: SentRequest): Promise<PortalResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const sentReply = await send(self, sentCall);
    if (sentReply.status !== 429 || attempt === MAX_ATTEMPTS) return sentReply;
    await pause(ATTEMPT_PAUSE_MS);
  }
}

/** Sends corrupted versions of the call. Returns the response if one of them was accepted. */
async function sendCorrupted(self: HostilePerson, call: Call, count: number, isSafe: boolean): Promise<PortalResponse | undefined> {
  const { run, random, foreign } = self;
  let acceptedResponse: PortalResponse | undefined;
  for (let sentCount = 0; sentCount < count; sentCount += 1) {
    if (run.isOver()) throw new SequenceEndedError('the run is over');
    // A corrupted call usually has its own key, but sometimes the valid call's.
    const ownCall = call.needsKey && random() < 0.9 ? { ...call, headers: { ...call.headers, 'idempotency-key': randomUUID() } } : call;
    const corruption = corruptCall(random, ownCall, foreign, isSafe);
    run.record.countCorrupted(`${call.method} ${call.path}`);
    const sampledCompanyId = isSampled(self, call) && typeof call.body === 'object' ? call.body['company_id'] : undefined;
    const before = typeof sampledCompanyId === 'string' ? await run.countRows(sampledCompanyId) : undefined;
    const corruptedReply = await send(self, corruption.sent);
    checkResponse(run, { ...self, call, corruption, answer: corruptedReply });
    if (before !== undefined && corruptedReply.status >= 400)
      await compareRows(self, String(sampledCompanyId), before, { corruption, call });
    // Without a response, the result of a call is unknown.
    if (
      (corruptedReply.status > 0 && corruptedReply.status < 200) ||
      corruptedReply.status >= 400 ||
      corruption.description.startsWith('session')
    )
      continue;
    acceptedResponse = corruptedReply;
    if (corruption.field?.endsWith('_id') === true && !('bytes' in corruption.sent)) run.foreign.disown(String(corruption.sent.body ?? ''));
  }
  return acceptedResponse;
}

const isSampled = ({ random, isOperator, tenant }: HostilePerson, { method }: Call): boolean =>
  method === 'POST' && !isOperator && tenant.isShared !== true && random() < SAMPLED_SHARE;

type RejectedCall = { readonly corruption: Corruption; readonly call: Call };

/** Jobs may have changed rows at the same time, so a difference counts only if repeating the call reproduces it. */
async function compareRows(self: HostilePerson, companyId: string, rowsBefore: string, { corruption, call }: RejectedCall): Promise<void> {
  const { run } = self;
  for (let attempt = 0, last = rowsBefore; attempt < 3; attempt += 1) {
    const now = await run.countRows(companyId);
    if (now === last) return;
    last = now;
    await send(self, corruption.sent);
    if (attempt === 2)
      run.record.find(`rows changed by a refused call to ${call.path}`, `${corruption.description}: ${rowsBefore} -> ${now}`);
  }
}

async function performStep(self: HostilePerson, call: Call, options: StepOptions): Promise<PortalResponse> {
  const { run, tenant } = self;
  const { corrupted = run.corruptedPerStep, mayEnd = [], isSafe = false, isSentTwice = false } = options;
  const acceptedResponse = await sendCorrupted(self, call, corrupted, isSafe);
  const sentCall = toSentRequest(call);
  const responses = await Promise.all((isSentTwice ? [sentCall, sentCall] : [sentCall]).map((item) => sendUnlimited(self, item)));
  for (const checkedReply of responses) checkResponse(run, { ...self, call, corruption: undefined, answer: checkedReply });
  const successfulResponse = responses.find(({ status }) => status >= 200 && status < 400);
  const finalReply = successfulResponse ?? (acceptedResponse?.status === 0 ? undefined : acceptedResponse) ?? responses[0];
  if (finalReply === undefined) throw new SequenceEndedError('nothing was sent');
  if (finalReply.status >= 400 && acceptedResponse?.status === 0)
    throw new SequenceEndedError('a corrupted call without an answer may have been carried out');
  if (finalReply.status >= 400 && !mayEnd.includes(finalReply.status)) {
    run.record.find(
      `the right call ${call.method} ${call.path} was refused with ${finalReply.status} after refused corrupted ones`,
      `${JSON.stringify(call.body ?? call.query).slice(0, 300)} -> ${finalReply.text.slice(0, 400)}`,
    );
    throw new SequenceEndedError(`${call.path} was refused`);
  }
  if (successfulResponse === undefined && acceptedResponse !== undefined) run.record.derail();
  if (finalReply.status >= 400) return finalReply;
  run.record.reach(`${call.method} ${call.path}`);
  storeCookies(self, finalReply);
  if (!self.isOperator) run.foreign.learn(tenant, finalReply.text);
  return finalReply;
}

function storeCookies({ run, tenant, cookies, isOperator }: HostilePerson, { setCookies }: PortalResponse): void {
  for (const line of setCookies) {
    const [pair = ''] = line.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    if (value === '' || /;\s*max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
    if (name === 'portal_session' && value !== '' && !isOperator) run.foreign.learnSession(tenant, value);
  }
}

const SAMPLED_SHARE = 0.02;
const MAX_ATTEMPTS = 4;
const ATTEMPT_PAUSE_MS = 1_000;

function parse<Output>({ text }: PortalResponse): Output {
  return (text === '' ? {} : JSON.parse(text)) as Output;
}

function toTexts(input: object): Record<string, string> {
  return Object.fromEntries(Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}
