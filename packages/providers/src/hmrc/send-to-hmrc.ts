/** Sends one request to HMRC and classifies its failure: done, not done or unknown. */
import type { z } from 'zod';
import { neverLeft } from '../http/never-left.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { retryAfterSecondsOf } from '../http/retry-after.ts';
import { codedErrorWire, oauthErrorWire, statusErrorWire } from './hmrc-wire.ts';

/** `effect` decides what a lost response means: a `write` may have been done. */
export type HmrcRequest = {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly effect: 'read' | 'write';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type HmrcAnswer = {
  readonly request: Pick<HmrcRequest, 'operation' | 'effect'>;
  readonly status: number;
  readonly headers: Headers;
  readonly bodyText: string;
};

const DEFAULT_TIMEOUT_MS = 15_000;

/** Sends the request and reads the whole response, whatever its status. Throws a ProviderError when there is none in time. */
export async function sendToHmrc(
  deps: { readonly fetch: typeof globalThis.fetch; readonly timeoutMs?: number },
  request: HmrcRequest,
): Promise<HmrcAnswer> {
  try {
    const response = await deps.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(deps.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    return { request, status: response.status, headers: response.headers, bodyText: await response.text() };
  } catch (error) {
    const failure: ProviderFailure = request.effect === 'read' || neverLeft(error) ? 'unavailable' : 'unknown';
    const detail = neverLeft(error) ? 'no connection' : isTimeout(error) ? 'no answer in time' : 'the connection broke';
    throw new ProviderError(failure, { provider: 'hmrc', operation: request.operation, detail }, error);
  }
}

/** Parses and maps the body when the status means success; throws the matching ProviderError otherwise. */
export function readAnswer<Shape, Result>(
  answer: HmrcAnswer,
  successStatus: number,
  shape: z.ZodType<Shape>,
  map: (read: Shape) => Result,
): Result {
  if (answer.status !== successStatus) throw failAnswer(answer);
  const read = shape.safeParse(parseJson(answer.bodyText));
  if (!read.success)
    throw failAnswer(answer, `unreadable answer: ${read.error.issues.map(({ path }) => path.join('.') || 'body').join(', ')}`);
  try {
    return map(read.data);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw failAnswer(answer, `unreadable answer: ${error.message}`);
  }
}

/** The ProviderError for an error response, or for a successful one that cannot be used (`reason`). */
export function failAnswer(answer: HmrcAnswer, reason?: string): ProviderError {
  const told = reason === undefined ? hmrcErrorOf(answer.bodyText) : undefined;
  const requestId = answer.headers.get('x-correlationid') ?? undefined;
  const retryAfter = retryAfterSecondsOf(answer.headers);
  const detail = reason ?? told?.detail;
  const facts: ProviderErrorFacts = {
    provider: 'hmrc',
    operation: answer.request.operation,
    status: answer.status,
    ...(told === undefined ? {} : { code: told.code }),
    ...(detail === undefined ? {} : { detail }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
  };
  return new ProviderError(failureOf(answer, told?.code), facts);
}

function failureOf(answer: HmrcAnswer, code: string | undefined): ProviderFailure {
  const lost: ProviderFailure = answer.request.effect === 'write' ? 'unknown' : 'unavailable';
  if (answer.status === 429) return 'throttled';
  // A wrong client ID or secret is a 401 too, but a new authorisation would not fix it.
  if (answer.status === 401) return code === 'invalid_client' ? 'refused' : 'unauthorized';
  // The refresh token is used up, or the authorisation has ended after 18 months: the trader must authorise again.
  if (code === 'invalid_grant') return 'unauthorized';
  if (code === 'INVALID_SCOPE') return 'unauthorized';
  // A 408 comes from a proxy, which may have passed the request on to HMRC.
  if (answer.status === 408) return lost;
  // A 404 without HMRC's error code may come from a proxy. Other 4xx responses are rejections, from HMRC or from a proxy.
  if (answer.status >= 400 && answer.status < 500) return code === undefined && answer.status === 404 ? lost : 'refused';
  return lost;
}

/**
 * Code and message of an error body in either of HMRC's shapes or OAuth's; undefined for other bodies. A single inner fault replaces the
 * outer one.
 */
export function hmrcErrorOf(bodyText: string): { code: string; detail: string | undefined } | undefined {
  const body = parseJson(bodyText);
  const coded = codedErrorWire.safeParse(body);
  if (coded.success) {
    const { errors = [] } = coded.data;
    const only = errors.length === 1 ? errors[0] : undefined;
    if (only) return { code: only.code, detail: describe(only) };
    return { code: coded.data.code, detail: errors.length > 0 ? errors.map(describe).join('; ') : coded.data.message };
  }
  const byStatus = statusErrorWire.safeParse(body);
  if (byStatus.success) {
    // Malformed JSON is reported as text ("Invalid Json"); all other errors of this shape have a code.
    const isCode = /^[A-Z][A-Z_]+$/.test(byStatus.data.message);
    return { code: isCode ? byStatus.data.message : 'INVALID_REQUEST', detail: byStatus.data.message };
  }
  const oauth = oauthErrorWire.safeParse(body);
  return oauth.success ? { code: oauth.data.error, detail: oauth.data.error_description } : undefined;
}

function describe(fault: { code: string; message?: string | undefined; path?: string | undefined }): string {
  return [fault.code, fault.path, fault.message].filter((part) => part !== undefined).join(' ');
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
