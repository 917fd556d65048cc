/** HTTP calls to TrueLayer, with a token, a signature and a time limit. Every failure becomes a ProviderError. */
import { toEpochMs, type Clock } from '@portal/domain/clock.ts';
import { sign } from 'truelayer-signing';
import type { z } from 'zod';
import { wasNeverSent } from '../http/was-never-sent.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import { authErrorWire, problemWire, tokenWire } from './truelayer-wire.ts';

/** TrueLayer's URLs and our credentials. `authUrl` and `apiUrl` are on two hosts in production; no trailing slash. */
export type TrueLayerHttpSettings = {
  readonly authUrl: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signing: { readonly kid: string; readonly privateKeyPem: string };
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Time limit for one call; default 15 seconds. */
  readonly timeoutMs?: number;
};

type ReadCall<Wire extends z.ZodType> = {
  readonly operation: string;
  readonly path: string;
  readonly schema: Wire;
  readonly headers?: Record<string, string>;
};
type WriteCall<Wire extends z.ZodType> = {
  readonly operation: string;
  readonly path: string;
  readonly schema: Wire;
  readonly body: unknown;
  readonly idempotencyKey: string;
};

export type TrueLayerHttp = {
  read<Wire extends z.ZodType>(call: ReadCall<Wire>): Promise<z.infer<Wire>>;
  /** Sends a signed POST with an idempotency key. */
  write<Wire extends z.ZodType>(call: WriteCall<Wire>): Promise<z.infer<Wire>>;
};

type TrueLayerCall = { readonly kind: 'token' | 'read' | 'write'; readonly operation: string };

/** Tokens are refreshed this long before they expire, so that none expire in transit. */
const TOKEN_MARGIN_MS = 60_000;

export function createTrueLayerHttp(settings: TrueLayerHttpSettings): TrueLayerHttp {
  let token: Promise<{ value: string; expiresAtMs: number }> | undefined;

  async function getBearerToken(): Promise<string> {
    const cachedToken = await token?.catch(() => undefined);
    if (cachedToken && cachedToken.expiresAtMs > toEpochMs(settings.clock.now())) return cachedToken.value;
    // The promise is shared until it settles, so that simultaneous callers make only one request.
    token = fetchToken(settings);
    return (await token).value;
  }

  async function sendAuthorized<Wire extends z.ZodType>(
    attempt: TrueLayerCall,
    schema: Wire,
    request: (bearer: string) => Promise<Response>,
  ) {
    const firstResponse = await request(await getBearerToken());
    if (firstResponse.status !== 401) return readResponse(attempt, firstResponse, schema);
    // A token can be revoked before it expires. A call with a 401 response did nothing, so one retry with a new token is safe.
    await firstResponse.body?.cancel();
    token = undefined;
    return readResponse(attempt, await request(await getBearerToken()), schema);
  }

  return {
    read: ({ operation, path, schema, headers = {} }) => {
      const attempt: TrueLayerCall = { kind: 'read', operation };
      return sendAuthorized(attempt, schema, (value) =>
        send(settings, attempt, `${settings.apiUrl}${path}`, { headers: { authorization: `Bearer ${value}`, ...headers } }),
      );
    },
    write: ({ operation, path, schema, body, idempotencyKey }) => {
      const attempt: TrueLayerCall = { kind: 'write', operation };
      const bodyJson = JSON.stringify(body);
      const url = new URL(`${settings.apiUrl}${path}`);
      const signature = sign({ ...settings.signing, path: url.pathname, headers: { 'Idempotency-Key': idempotencyKey }, body: bodyJson });
      return sendAuthorized(attempt, schema, (value) =>
        send(settings, attempt, url.href, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${value}`,
            'content-type': 'application/json; charset=utf-8',
            'idempotency-key': idempotencyKey,
            'tl-signature': signature,
          },
          body: bodyJson,
        }),
      );
    },
  };
}

async function fetchToken(settings: TrueLayerHttpSettings): Promise<{ value: string; expiresAtMs: number }> {
  const attempt: TrueLayerCall = { kind: 'token', operation: 'token' };
  const requestedAtMs = toEpochMs(settings.clock.now());
  const response = await send(settings, attempt, `${settings.authUrl}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      scope: 'payments',
    }),
  });
  const tokenBody = await readResponse(attempt, response, tokenWire);
  return { value: tokenBody.access_token, expiresAtMs: requestedAtMs + tokenBody.expires_in * 1000 - TOKEN_MARGIN_MS };
}

async function send(settings: TrueLayerHttpSettings, attempt: TrueLayerCall, url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await settings.fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(settings.timeoutMs ?? 15_000) });
    // Reading the body also counts towards the time limit.
    return new Response(response.status === 204 ? null : await response.text(), { status: response.status, headers: response.headers });
  } catch (error) {
    throw createError(attempt, wasNeverSent(error) ? 'unavailable' : toNoResponseFailure(attempt), {}, error);
  }
}

/** A token request or read that got no response changed nothing; a write may have been carried out. */
function toNoResponseFailure(attempt: TrueLayerCall): ProviderFailure {
  return attempt.kind === 'write' ? 'unknown' : 'unavailable';
}

async function readResponse<Wire extends z.ZodType>(attempt: TrueLayerCall, response: Response, schema: Wire): Promise<z.infer<Wire>> {
  const text = await response.text();
  const body = parseJson(text);
  if (response.ok) {
    const parsedBody = schema.safeParse(body);
    // A gateway's page isn't the empty response that some calls expect.
    const isReadable = body !== undefined || text === '';
    if (parsedBody.success && isReadable) return parsedBody.data;
    throw createError(attempt, toNoResponseFailure(attempt), {
      status: response.status,
      detail: 'The response doesn’t match the published format.',
    });
  }
  const apiError = describeBody(body);
  const facts = { status: response.status, ...apiError, ...parseRetryAfter(response) };
  if (response.status === 401) throw createError(attempt, 'unauthorized', facts);
  if (attempt.kind === 'token' && apiError.code === 'invalid_client') throw createError(attempt, 'unauthorized', facts);
  if (response.status === 429) throw createError(attempt, 'throttled', facts);
  // Without a token, the request itself was never sent, so there's no doubt about its outcome.
  if (attempt.kind === 'token') throw createError(attempt, 'unavailable', facts);
  throw createError(attempt, isOutcomeUnknown(response.status, apiError.code) ? toNoResponseFailure(attempt) : 'refused', facts);
}

/**
 * Returns true if a rejection because of the idempotency key (409, or 422 for another body) shows that an earlier call with this key
 * reached TrueLayer.
 */
function isOutcomeUnknown(status: number, code: string | undefined): boolean {
  return status >= 500 || status === 408 || status === 409 || status < 400 || code === 'idempotency-key-reuse';
}

function describeBody(body: unknown): { code?: string; detail?: string; requestId?: string } {
  const problem = problemWire.safeParse(body);
  if (problem.success) {
    const { type, detail, title, trace_id, errors } = problem.data;
    const fields = errors
      ? ` ${Object.entries(errors)
          .map(([field, reasons]) => `${field}: ${reasons.join(' ')}`)
          .join('; ')}`
      : '';
    return { code: type.split('#').at(-1) ?? type, detail: `${detail ?? title}${fields}`, ...(trace_id ? { requestId: trace_id } : {}) };
  }
  const auth = authErrorWire.safeParse(body);
  if (auth.success) return { code: auth.data.error, ...(auth.data.error_description ? { detail: auth.data.error_description } : {}) };
  return {};
}

function parseRetryAfter(response: Response): { retryAfterSeconds?: number } {
  const retryAfterSeconds = parseRetryAfterSeconds(response.headers);
  return retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
}

function createError(
  attempt: TrueLayerCall,
  kind: ProviderFailure,
  facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>,
  cause?: unknown,
): ProviderError {
  return new ProviderError(kind, { provider: 'truelayer', operation: attempt.operation, ...facts }, cause);
}
