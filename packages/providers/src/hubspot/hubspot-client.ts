/** Client for HubSpot's visitor identification. It is a single POST, so HubSpot's own 20 MB library isn't needed. */
import { addMilliseconds, type Clock } from '@portal/domain/clock.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import type { ChatIdentification } from './hubspot-port.ts';
import { hubspotErrorWire, TOKEN_PATHS, tokenWire, type CreateTokenWire } from './hubspot-wire.ts';

/**
 * `apiUrl` doesn't have a trailing slash: "https://api.hubapi.com". `accessToken` belongs to a private app with the scope
 * conversations.visitor_identification.tokens.create.
 */
export type HubspotSettings = {
  readonly apiUrl: string;
  readonly accessToken: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Default: "/visitor-identification/v3/tokens/create". */
  readonly tokenPath?: string;
  /** Time limit for one call; default 10 seconds. */
  readonly timeoutMs?: number;
};

/** Tokens are valid for twelve hours (developers.hubspot.com, visitor identification). */
const TOKEN_TTL_MS = 12 * 3_600_000;

export function createHubspotClient(settings: HubspotSettings): ChatIdentification {
  return {
    createVisitorToken: async ({ email, firstName, lastName }) => {
      const requestedAt = settings.clock.now();
      const visitor: CreateTokenWire = { email, ...(firstName ? { firstName } : {}), ...(lastName ? { lastName } : {}) };
      const { status, headers, text } = await send(settings, visitor);
      const body = parseJson(text);
      if (status !== 200) throw toProviderError(status, headers, body);
      const parsedBody = tokenWire.safeParse(body);
      if (!parsedBody.success) throw createError('unavailable', { status, detail: 'The response doesn’t match the published format.' });
      return { token: parsedBody.data.token, expiresAt: addMilliseconds(requestedAt, TOKEN_TTL_MS) };
    },
  };
}

async function send(settings: HubspotSettings, visitor: CreateTokenWire) {
  try {
    const response = await settings.fetch(`${settings.apiUrl}${settings.tokenPath ?? TOKEN_PATHS[0]}`, {
      method: 'POST',
      headers: { accept: 'application/json', authorization: `Bearer ${settings.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(visitor),
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs ?? 10_000),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    // A token whose response was lost is never used, so requesting another is safe.
    throw createError('unavailable', {}, error);
  }
}

function toProviderError(status: number, headers: Headers, body: unknown): ProviderError {
  const hubspotError = hubspotErrorWire.safeParse(body).data;
  const retryAfterSeconds = parseRetryAfterSeconds(headers);
  const facts = {
    status,
    ...(hubspotError ? { code: hubspotError.category, detail: hubspotError.message, requestId: hubspotError.correlationId } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  if (status === 401) return createError('unauthorized', facts);
  if (status === 429) return createError('throttled', facts);
  return createError(status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unavailable', facts);
}

function createError(kind: ProviderFailure, facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>, cause?: unknown): ProviderError {
  return new ProviderError(kind, { provider: 'hubspot', operation: 'create_visitor_token', ...facts }, cause);
}
