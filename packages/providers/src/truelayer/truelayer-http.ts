/** HTTP calls to TrueLayer with token, signature and time limit. Every failure becomes a ProviderError. */
import { epochOf, type Clock } from '@portal/domain/clock.ts';
import { sign } from 'truelayer-signing';
import type { z } from 'zod';
import { neverLeft } from '../http/never-left.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { authErrorWire, problemWire, tokenWire } from './truelayer-wire.ts';

/** TrueLayer's addresses and our credentials. `authUrl` and `apiUrl` are two hosts in production; no trailing slash. */
export type TrueLayerHttpSettings = {
  readonly authUrl: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signing: { readonly kid: string; readonly privateKeyPem: string };
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Time limit of one call; default 15 seconds. */
  readonly timeoutMs?: number;
};

type Read<Wire extends z.ZodType> = {
  readonly operation: string;
  readonly path: string;
  readonly answers: Wire;
  readonly headers?: Record<string, string>;
};
type Write<Wire extends z.ZodType> = {
  readonly operation: string;
  readonly path: string;
  readonly answers: Wire;
  readonly body: unknown;
  readonly idempotencyKey: string;
};

export type TrueLayerHttp = {
  read<Wire extends z.ZodType>(call: Read<Wire>): Promise<z.infer<Wire>>;
  /** A signed POST with an idempotency key. */
  write<Wire extends z.ZodType>(call: Write<Wire>): Promise<z.infer<Wire>>;
};

type Attempt = { readonly kind: 'token' | 'read' | 'write'; readonly operation: string };

/** Tokens are renewed this long before they expire, so that none expires in transit. */
const TOKEN_MARGIN_MS = 60_000;

export function createTrueLayerHttp(settings: TrueLayerHttpSettings): TrueLayerHttp {
  let token: Promise<{ value: string; endsAtMs: number }> | undefined;

  async function bearer(): Promise<string> {
    const held = await token?.catch(() => undefined);
    if (held && held.endsAtMs > epochOf(settings.clock.now())) return held.value;
    // The promise is shared until it settles, so that simultaneous callers cause one request.
    token = fetchToken(settings);
    return (await token).value;
  }

  async function authorized<Wire extends z.ZodType>(attempt: Attempt, answers: Wire, request: (bearer: string) => Promise<Response>) {
    const first = await request(await bearer());
    if (first.status !== 401) return readAnswer(attempt, first, answers);
    // A token can be revoked before it expires. A 401 did no work, so one more try with a new token is safe.
    await first.body?.cancel();
    token = undefined;
    return readAnswer(attempt, await request(await bearer()), answers);
  }

  return {
    read: ({ operation, path, answers, headers = {} }) => {
      const attempt: Attempt = { kind: 'read', operation };
      return authorized(attempt, answers, (value) =>
        send(settings, attempt, `${settings.apiUrl}${path}`, { headers: { authorization: `Bearer ${value}`, ...headers } }),
      );
    },
    write: ({ operation, path, answers, body, idempotencyKey }) => {
      const attempt: Attempt = { kind: 'write', operation };
      const text = JSON.stringify(body);
      const url = new URL(`${settings.apiUrl}${path}`);
      const signature = sign({ ...settings.signing, path: url.pathname, headers: { 'Idempotency-Key': idempotencyKey }, body: text });
      return authorized(attempt, answers, (value) =>
        send(settings, attempt, url.href, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${value}`,
            'content-type': 'application/json; charset=utf-8',
            'idempotency-key': idempotencyKey,
            'tl-signature': signature,
          },
          body: text,
        }),
      );
    },
  };
}

async function fetchToken(settings: TrueLayerHttpSettings): Promise<{ value: string; endsAtMs: number }> {
  const attempt: Attempt = { kind: 'token', operation: 'token' };
  const askedAtMs = epochOf(settings.clock.now());
  const response = await send(settings, attempt, `${settings.authUrl}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      scope: 'payments',
    }),
  });
  const answer = await readAnswer(attempt, response, tokenWire);
  return { value: answer.access_token, endsAtMs: askedAtMs + answer.expires_in * 1000 - TOKEN_MARGIN_MS };
}

async function send(settings: TrueLayerHttpSettings, attempt: Attempt, url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await settings.fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(settings.timeoutMs ?? 15_000) });
    // Reads the body inside the time limit too.
    return new Response(response.status === 204 ? null : await response.text(), { status: response.status, headers: response.headers });
  } catch (error) {
    throw failure(attempt, neverLeft(error) ? 'unavailable' : lostAnswer(attempt), {}, error);
  }
}

/** A token request or read without a response changed nothing; a write may have been done. */
function lostAnswer(attempt: Attempt): ProviderFailure {
  return attempt.kind === 'write' ? 'unknown' : 'unavailable';
}

async function readAnswer<Wire extends z.ZodType>(attempt: Attempt, response: Response, answers: Wire): Promise<z.infer<Wire>> {
  const body = parseJson(await response.text());
  if (response.ok) {
    const answer = answers.safeParse(body);
    if (answer.success) return answer.data;
    throw failure(attempt, lostAnswer(attempt), {
      status: response.status,
      detail: 'The answer has another shape than the published one.',
    });
  }
  const told = describe(body);
  const facts = { status: response.status, ...told, ...retryAfter(response) };
  if (response.status === 401) throw failure(attempt, 'unauthorized', facts);
  if (attempt.kind === 'token' && told.code === 'invalid_client') throw failure(attempt, 'unauthorized', facts);
  if (response.status === 429) throw failure(attempt, 'throttled', facts);
  // 409 for an idempotency key: an earlier call with the same key, whose response we did not get, is still being processed.
  const undecided = response.status >= 500 || response.status === 408 || response.status === 409 || response.status < 400;
  throw failure(attempt, undecided ? lostAnswer(attempt) : 'refused', facts);
}

function describe(body: unknown): { code?: string; detail?: string; requestId?: string } {
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

function retryAfter(response: Response): { retryAfterSeconds?: number } {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterSeconds: seconds } : {};
}

function failure(
  attempt: Attempt,
  kind: ProviderFailure,
  facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>,
  cause?: unknown,
): ProviderError {
  return new ProviderError(kind, { provider: 'truelayer', operation: attempt.operation, ...facts }, cause);
}
