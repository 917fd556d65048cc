/** HTTP calls to GoCardless. Every failure becomes a ProviderError. */
import type { z } from 'zod';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import { wasNeverSent } from '../http/was-never-sent.ts';
import { API_VERSION, errorWire } from './gocardless-wire.ts';

/** `apiUrl` is https://api.gocardless.com or https://api-sandbox.gocardless.com, without a trailing slash. */
export type GoCardlessHttpSettings = {
  readonly apiUrl: string;
  readonly accessToken: string;
  readonly fetch: typeof globalThis.fetch;
  /** Time limit for one call; default 15 seconds. */
  readonly timeoutMs?: number;
};

type Call<Wire extends z.ZodType> = { readonly operation: string; readonly path: string; readonly schema: Wire };
type WriteCall<Wire extends z.ZodType> = Call<Wire> & { readonly body: unknown; readonly idempotencyKey: string };

export type GoCardlessHttp = {
  read<Wire extends z.ZodType>(call: Call<Wire>): Promise<z.infer<Wire>>;
  write<Wire extends z.ZodType>(call: WriteCall<Wire>): Promise<z.infer<Wire>>;
};

/** Thrown if an earlier call with this key has already created the resource `resourceId`. */
export class AlreadyCreatedError extends ProviderError {
  readonly resourceId: string;
  constructor(resourceId: string, facts: ProviderErrorFacts) {
    super('unknown', facts);
    this.name = 'AlreadyCreatedError';
    this.resourceId = resourceId;
  }
}

export function createGoCardlessHttp(settings: GoCardlessHttpSettings): GoCardlessHttp {
  const send = async <Wire extends z.ZodType>(
    { operation, path, schema }: Call<Wire>,
    lostFailure: ProviderFailure,
    init: RequestInit & { readonly headers?: Record<string, string> },
  ): Promise<z.infer<Wire>> => {
    const facts = { provider: 'gocardless', operation };
    let status: number;
    let body: unknown;
    let retryAfterSeconds: number | undefined;
    try {
      const response = await settings.fetch(`${settings.apiUrl}${path}`, {
        ...init,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${settings.accessToken}`,
          'gocardless-version': API_VERSION,
          ...init.headers,
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(settings.timeoutMs ?? 15_000),
      });
      status = response.status;
      retryAfterSeconds = parseRetryAfterSeconds(response.headers);
      body = parseJson(await response.text());
    } catch (error) {
      throw new ProviderError(wasNeverSent(error) ? 'unavailable' : lostFailure, facts, error);
    }
    if (status >= 200 && status < 300) {
      const parsedBody = schema.safeParse(body);
      if (parsedBody.success) return parsedBody.data;
      throw new ProviderError(lostFailure, { ...facts, status, detail: 'The response doesn’t match the published format.' });
    }
    throw toError({ ...facts, status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) }, body, lostFailure);
  };
  return {
    read: (call) => send(call, 'unavailable', {}),
    write: ({ body, idempotencyKey, ...call }) =>
      send(call, 'unknown', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
      }),
  };
}

function toError(facts: ProviderErrorFacts & { readonly status: number }, body: unknown, lostFailure: ProviderFailure): ProviderError {
  const error = errorWire.safeParse(body).data?.error;
  const conflict = error?.errors.find(({ reason }) => reason === 'idempotent_creation_conflict')?.links?.conflicting_resource_id;
  const reasons = error?.errors.map(({ field, message }) => [field, message].filter(Boolean).join(': ')).join('; ');
  const requestDescription = {
    ...facts,
    ...(error ? { code: error.errors[0]?.reason ?? error.type, detail: reasons ? `${error.message} (${reasons})` : error.message } : {}),
    ...(error?.request_id ? { requestId: error.request_id } : {}),
  };
  if (conflict !== undefined) return new AlreadyCreatedError(conflict, requestDescription);
  if (facts.status === 401) return new ProviderError('unauthorized', requestDescription);
  if (facts.status === 429) return new ProviderError('throttled', requestDescription);
  const isRefusal = facts.status >= 400 && facts.status < 500 && facts.status !== 408 && facts.status !== 409;
  return new ProviderError(isRefusal ? 'refused' : lostFailure, requestDescription);
}
