/** Stripe's SDK with our settings. Every failure becomes a ProviderError, and every response is validated. */
import Stripe from 'stripe';
import type { z } from 'zod';
import { ProviderError, type ProviderFailure } from '../http/provider-error.ts';
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
  const fetchFrom = (url: string | URL | Request, init?: RequestInit) =>
    fetch(typeof url === 'string' ? url.replace(STRIPE_URL, apiUrl) : url, init);
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

function toProviderError(error: unknown, operation: string, lostFailure: ProviderFailure): ProviderError {
  const facts = { provider: 'stripe', operation };
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined) {
    const cause = error instanceof Stripe.errors.StripeError ? (error as { detail?: unknown }).detail : error;
    return new ProviderError(wasNeverSent(cause) || wasNeverSent(error) ? 'unavailable' : lostFailure, facts, error);
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
