/** Client for the identity check provider, using the API defined in `identity-check-wire.ts`. */
import { parseInstant, type Clock, type Instant } from '@portal/domain/clock.ts';
import type { z } from 'zod';
import { wasNeverSent } from '../http/was-never-sent.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import { IDENTITY_REASONS, type IdentityCheck, type IdentityResult } from './identity-check-port.ts';
import { startedCheckWire, checkWire, eventWire, faultWire, type StartCheckWire, type CheckWire } from './identity-check-wire.ts';
import { readSignedBody } from './identity-webhook.ts';

/** `apiUrl` doesn't have a trailing slash. `webhookSecrets`: newest first, then an older secret while the provider still signs with it. */
export type IdentityCheckSettings = {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly webhookSecrets: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Time limit for one call; default 15 seconds. */
  readonly timeoutMs?: number;
};

type IdentityCheckResponse = {
  readonly operation: string;
  readonly lostFailure: ProviderFailure;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
};

export function createIdentityCheckClient(settings: IdentityCheckSettings): IdentityCheck {
  return {
    startCheck: async ({ reference, fullName, email, returnUrl }) => {
      const requestBody: StartCheckWire = { reference, full_name: fullName, email, return_url: returnUrl };
      const response = await send(settings, 'start_check', 'unknown', '/v1/checks', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestBody),
      });
      const { id, url, expires_at } = parseResponse(response, startedCheckWire);
      return { checkId: id, url, expiresAt: parseResponseInstant(response, expires_at) };
    },
    findCheck: async (checkId) => {
      const response = await send(settings, 'find_check', 'unavailable', `/v1/checks/${encodeURIComponent(checkId)}`);
      if (response.status === 404 && faultWire.safeParse(response.body).data?.error.code === 'check_not_found') return undefined;
      return toResult(response, parseResponse(response, checkWire));
    },
    verifyWebhook: (webhook) => {
      const text = readSignedBody(webhook, settings.webhookSecrets, settings.clock);
      // The signature is valid, so an unreadable body is the provider's fault rather than an attack.
      const response: IdentityCheckResponse = {
        operation: 'webhook',
        lostFailure: 'unavailable',
        status: 200,
        headers: new Headers(),
        body: parseJson(text),
      };
      const { id, created_at, check } = parseResponse(response, eventWire);
      return { eventId: id, createdAt: parseResponseInstant(response, created_at), result: toResult(response, check) };
    },
  };
}

async function send(
  settings: IdentityCheckSettings,
  operation: string,
  lostFailure: ProviderFailure,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<IdentityCheckResponse> {
  try {
    const response = await settings.fetch(`${settings.apiUrl}${path}`, {
      ...init,
      headers: { accept: 'application/json', authorization: `Bearer ${settings.apiKey}`, ...init.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs ?? 15_000),
    });
    return { operation, lostFailure, status: response.status, headers: response.headers, body: parseJson(await response.text()) };
  } catch (error) {
    throw new ProviderError(wasNeverSent(error) ? 'unavailable' : lostFailure, { provider: 'identity_check', operation }, error);
  }
}

function parseResponse<Wire extends z.ZodType>(checkResponse: IdentityCheckResponse, wire: Wire): z.infer<Wire> {
  if (checkResponse.status !== 200 && checkResponse.status !== 201) throw toProviderError(checkResponse);
  const body = wire.safeParse(checkResponse.body);
  if (body.success) return body.data;
  const fields = body.error.issues.map(({ path }) => path.join('.') || 'body').join(', ');
  throw createError(checkResponse, checkResponse.lostFailure, { detail: `unreadable response: ${fields}` });
}

function toProviderError(checkResponse: IdentityCheckResponse): ProviderError {
  const apiError = faultWire.safeParse(checkResponse.body).data?.error;
  const retryAfterSeconds = parseRetryAfterSeconds(checkResponse.headers);
  const facts = {
    ...(apiError ? { code: apiError.code, detail: apiError.message } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  if (checkResponse.status === 401) return createError(checkResponse, 'unauthorized', facts);
  if (checkResponse.status === 429) return createError(checkResponse, 'throttled', facts);
  const isRefusal = checkResponse.status >= 400 && checkResponse.status < 500 && checkResponse.status !== 408;
  return createError(checkResponse, isRefusal ? 'refused' : checkResponse.lostFailure, facts);
}

function createError(
  checkResponse: IdentityCheckResponse,
  kind: ProviderFailure,
  facts: Pick<ProviderErrorFacts, 'code' | 'detail' | 'retryAfterSeconds'>,
) {
  return new ProviderError(kind, {
    provider: 'identity_check',
    operation: checkResponse.operation,
    status: checkResponse.status,
    ...facts,
  });
}

function toResult(checkResponse: IdentityCheckResponse, check: CheckWire): IdentityResult {
  const { id, reference, status, reasons, tries_left, completed_at, expires_at, date_of_birth: bornOn } = check;
  return {
    checkId: id,
    reference,
    status,
    reasons: reasons.map((reason) => IDENTITY_REASONS.find((known) => known === reason) ?? 'other'),
    triesLeft: tries_left,
    expiresAt: parseResponseInstant(checkResponse, expires_at),
    ...(status === 'passed' && bornOn ? { bornIn: bornOn.slice(0, 7) } : {}),
    ...(completed_at === null ? {} : { completedAt: parseResponseInstant(checkResponse, completed_at) }),
  };
}

function parseResponseInstant(checkResponse: IdentityCheckResponse, text: string): Instant {
  const parsed = parseInstant(text);
  if (!parsed) throw createError(checkResponse, checkResponse.lostFailure, { detail: 'unreadable response: invalid time' });
  return parsed;
}
