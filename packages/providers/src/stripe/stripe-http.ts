/** Stripe's SDK with our settings. Every failure becomes a ProviderError, and every response is validated. */
import Stripe from 'stripe';
import { z } from 'zod';
import { ProviderError, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import { wasNeverSent } from '../http/was-never-sent.ts';

const STRIPE_URL = 'https://api.stripe.com';
/** The API version whose objects stripe-wire.ts describes. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

export type StripeHttpSettings = {
  /** https://api.stripe.com, or a simulator’s URL, without a trailing slash. */
  readonly apiUrl: string;
  readonly secretKey: string;
  readonly fetch: typeof globalThis.fetch;
  /** Time limit for one call; default 20 seconds. */
  readonly timeoutMs?: number;
};

type Call<Wire extends z.ZodType> = {
  readonly operation: string;
  readonly schema: Wire;
  readonly send: (stripe: Stripe) => Promise<unknown>;
};

export type StripeHttp = {
  readonly stripe: Stripe;
  read<Wire extends z.ZodType>(call: Call<Wire>): Promise<z.infer<Wire>>;
  write<Wire extends z.ZodType>(call: Call<Wire>): Promise<z.infer<Wire>>;
};

export function createStripeHttp({ apiUrl, secretKey, fetch, timeoutMs = 20_000 }: StripeHttpSettings): StripeHttp {
  // The SDK accepts a host but not a path, so the URL is replaced before sending.
  const fetchFrom = async (url: string | URL | Request, init?: RequestInit) =>
    withStripeError(await fetch(typeof url === 'string' ? url.replace(STRIPE_URL, apiUrl) : url, init));
  const stripe = new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    httpClient: Stripe.createFetchHttpClient(fetchFrom),
    // Jobs retry a call themselves, with the same idempotency key.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
  });
  const run = async <Wire extends z.ZodType>(
    { operation, schema, send }: Call<Wire>,
    lostFailure: ProviderFailure,
  ): Promise<z.infer<Wire>> => {
    let responseBody: unknown;
    try {
      responseBody = await send(stripe);
    } catch (error) {
      throw toProviderError(error, operation, lostFailure);
    }
    const parsed = schema.safeParse(responseBody);
    if (parsed.success) return parsed.data;
    const detail = `The response doesn’t match the published format: ${parsed.error.issues[0]?.path.join('.') ?? ''}`;
    throw new ProviderError(lostFailure, { provider: 'stripe', operation, detail });
  };
  return { stripe, read: (call) => run(call, 'unavailable'), write: (call) => run(call, 'unknown') };
}

/**
 * Adds an error to a failed response that has none, as from a gateway. The SDK would take JSON without an error for a success, and drop the
 * status of anything else.
 */
async function withStripeError(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body = await response.text();
  const headers = new Headers(response.headers);
  // The body has been decoded and may have changed.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const retryAfter = parseRetryAfterSeconds(response.headers);
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter));
  return new Response(hasStripeError(body) ? body : JSON.stringify({ error: { type: 'api_error', message: NO_STRIPE_ERROR } }), {
    status: response.status,
    headers,
  });
}

const NO_STRIPE_ERROR = 'The response has no error of Stripe’s.';

function hasStripeError(body: string): boolean {
  try {
    return errorWire.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

const errorWire = z.object({ error: z.object({ type: z.string() }) });

function toProviderError(error: unknown, operation: string, lostFailure: ProviderFailure): ProviderError {
  const facts = { provider: 'stripe', operation };
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined) {
    const cause = error instanceof Stripe.errors.StripeError ? (error as { detail?: unknown }).detail : error;
    return new ProviderError(
      wasNeverSent(cause) || wasNeverSent(error) ? 'unavailable' : lostFailure,
      facts,
      cause instanceof Error ? cause : error,
    );
  }
  const { statusCode: status, code, decline_code: decline, message, requestId, headers } = error;
  const seconds = Number(headers?.['retry-after']);
  const requestDescription = {
    ...facts,
    status,
    detail: message,
    ...((decline ?? code) ? { code: decline ?? code ?? '' } : {}),
    ...(requestId ? { requestId } : {}),
    ...(Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  };
  // Another call was sent with this key, and its outcome is unknown (docs.stripe.com, Errors: idempotency_error).
  const isOther = error instanceof Stripe.errors.StripeIdempotencyError;
  return new ProviderError(isOther ? lostFailure : getFailure(status, lostFailure), requestDescription, error);
}

/** 409: another call with the same key is still running. */
function getFailure(status: number, lostFailure: ProviderFailure): ProviderFailure {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'throttled';
  return status >= 400 && status < 500 && status !== 409 ? 'refused' : lostFailure;
}
