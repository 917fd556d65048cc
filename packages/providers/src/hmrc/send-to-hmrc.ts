/** Sends one request to HMRC and classifies any failure: done, not done or unknown. */
import type { z } from 'zod';
import type { CallOptions, ProviderFetch } from '../http/rate-limit-fetch.ts';
import { CallNotSentError, wasNeverSent } from '../http/was-never-sent.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import { codedErrorWire, oauthErrorWire, statusErrorWire } from './hmrc-wire.ts';

/** `effect` determines what a lost response means: a `write` may have been carried out. */
export type HmrcRequest = {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly effect: 'read' | 'write';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly call?: CallOptions | undefined;
};

export type HmrcResponse = {
  readonly request: Pick<HmrcRequest, 'operation' | 'effect'>;
  readonly status: number;
  readonly headers: Headers;
  readonly bodyText: string;
};

const DEFAULT_TIMEOUT_MS = 15_000;

/** Sends the request and reads the whole response, whatever its status. Throws a ProviderError if no response arrives in time. */
export async function sendToHmrc(
  deps: { readonly fetch: ProviderFetch; readonly timeoutMs?: number },
  request: HmrcRequest,
): Promise<HmrcResponse> {
  try {
    const response = await deps.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(deps.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.call === undefined ? {} : { call: request.call }),
    });
    return { request, status: response.status, headers: response.headers, bodyText: await response.text() };
  } catch (error) {
    const { operation } = request;
    if (error instanceof CallNotSentError)
      throw new ProviderError(error.failure, { provider: 'hmrc', operation, detail: error.message }, error);
    const failure: ProviderFailure = request.effect === 'read' || wasNeverSent(error) ? 'unavailable' : 'unknown';
    const detail = wasNeverSent(error) ? 'no connection' : isTimeout(error) ? 'no response in time' : 'the connection was lost';
    throw new ProviderError(failure, { provider: 'hmrc', operation, detail }, error);
  }
}

/** Parses and maps the body if the status means success; throws the matching ProviderError otherwise. */
export function readResponse<Shape, Result>(
  hmrcResponse: HmrcResponse,
  successStatus: number,
  shape: z.ZodType<Shape>,
  map: (read: Shape) => Result,
): Result {
  if (hmrcResponse.status !== successStatus) throw toProviderError(hmrcResponse);
  const parsed = shape.safeParse(parseJson(hmrcResponse.bodyText));
  if (!parsed.success)
    throw toProviderError(
      hmrcResponse,
      `unreadable response: ${parsed.error.issues.map(({ path }) => path.join('.') || 'body').join(', ')}`,
    );
  try {
    return map(parsed.data);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw toProviderError(hmrcResponse, `unreadable response: ${error.message}`);
  }
}

/** Creates the ProviderError for an error response, or for a successful response that can't be used (`reason`). */
export function toProviderError(hmrcResponse: HmrcResponse, reason?: string): ProviderError {
  const hmrcError = reason === undefined ? parseHmrcError(hmrcResponse.bodyText) : undefined;
  const requestId = hmrcResponse.headers.get('x-correlationid') ?? undefined;
  const retryAfter = parseRetryAfterSeconds(hmrcResponse.headers);
  const detail = reason ?? hmrcError?.detail;
  const facts: ProviderErrorFacts = {
    provider: 'hmrc',
    operation: hmrcResponse.request.operation,
    status: hmrcResponse.status,
    ...(hmrcError === undefined ? {} : { code: hmrcError.code }),
    ...(detail === undefined ? {} : { detail }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
  };
  return new ProviderError(toProviderFailure(hmrcResponse, hmrcError?.code), facts);
}

function toProviderFailure(hmrcResponse: HmrcResponse, code: string | undefined): ProviderFailure {
  const lostFailure: ProviderFailure = hmrcResponse.request.effect === 'write' ? 'unknown' : 'unavailable';
  if (hmrcResponse.status === 429) return 'throttled';
  // A wrong client ID or secret is also a 401, but a new authorisation wouldn't fix it.
  if (hmrcResponse.status === 401) return code === 'invalid_client' ? 'refused' : 'unauthorized';
  // The refresh token has been used up, or the authorisation has ended after 18 months: the trader must authorise again.
  if (code === 'invalid_grant') return 'unauthorized';
  if (code === 'INVALID_SCOPE') return 'unauthorized';
  // A 408 comes from a proxy, which may have passed the request on to HMRC.
  if (hmrcResponse.status === 408) return lostFailure;
  // A 404 without HMRC's error code may come from a proxy. Other 4xx responses are rejections, from HMRC or from a proxy.
  if (hmrcResponse.status >= 400 && hmrcResponse.status < 500)
    return code === undefined && hmrcResponse.status === 404 ? lostFailure : 'refused';
  return lostFailure;
}

/**
 * Returns the code and message from an error body in either of HMRC's shapes or OAuth's, or undefined for other bodies. A single inner
 * fault replaces the outer one.
 */
export function parseHmrcError(bodyText: string): { code: string; detail: string | undefined } | undefined {
  const body = parseJson(bodyText);
  const codedError = codedErrorWire.safeParse(body);
  if (codedError.success) {
    const { errors = [] } = codedError.data;
    const singleError = errors.length === 1 ? errors[0] : undefined;
    if (singleError) return { code: singleError.code, detail: describeFault(singleError) };
    return { code: codedError.data.code, detail: errors.length > 0 ? errors.map(describeFault).join('; ') : codedError.data.message };
  }
  const statusError = statusErrorWire.safeParse(body);
  if (statusError.success) {
    // Malformed JSON is reported as text ("Invalid Json"); all other errors with this shape have a code.
    const isCode = /^[A-Z][A-Z_]+$/.test(statusError.data.message);
    return { code: isCode ? statusError.data.message : 'INVALID_REQUEST', detail: statusError.data.message };
  }
  const oauth = oauthErrorWire.safeParse(body);
  return oauth.success ? { code: oauth.data.error, detail: oauth.data.error_description } : undefined;
}

function describeFault(fault: { code: string; message?: string | undefined; path?: string | undefined }): string {
  return [fault.code, fault.path, fault.message].filter((part) => part !== undefined).join(' ');
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
