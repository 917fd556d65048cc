/** HMRC's token endpoint: user tokens and the application token. */
import type { CallOptions } from '../http/rate-limit-fetch.ts';
import { addMilliseconds, toEpochMs, type Instant } from '@portal/domain/clock.ts';
import type { HmrcClientDeps, HmrcTokens } from './hmrc-types.ts';
import { mapTokens } from './hmrc-map.ts';
import { tokenWire, type TokenWire } from './hmrc-wire.ts';
import { toProviderError, readResponse, sendToHmrc, type HmrcResponse } from './send-to-hmrc.ts';

/** Exchanges an authorisation code or refresh token for a pair of tokens. */
export async function requestUserTokens(deps: HmrcClientDeps, form: Record<string, string>, call: CallOptions): Promise<HmrcTokens> {
  const { answer, token } = await requestToken(deps, form, call);
  const tokens = mapTokens(token, deps.clock.now());
  if (!tokens) throw toProviderError(answer, 'the response has no refresh token');
  return tokens;
}

async function requestToken(
  deps: HmrcClientDeps,
  form: Record<string, string>,
  call: CallOptions,
): Promise<{ answer: HmrcResponse; token: TokenWire }> {
  const hmrcResponse = await sendToHmrc(deps, {
    operation: 'hmrc.token',
    method: 'POST',
    // If the response is lost, the code or refresh token may already have been used up. A lost application token is harmless.
    effect: form['grant_type'] === 'client_credentials' ? 'read' : 'write',
    url: `${deps.apiUrl}/oauth/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    // HMRC accepts the credentials only in the body, not as Basic authentication.
    body: new URLSearchParams({ client_id: deps.clientId, client_secret: deps.clientSecret, ...form }).toString(),
    call,
  });
  return { answer: hmrcResponse, token: readResponse(hmrcResponse, 200, tokenWire, (token) => token) };
}

/**
 * Caches an application token until a minute before it expires: it is valid for 4 hours and has no refresh token. Callers share one
 * request, and the token is replaced once if HMRC rejects it.
 */
export function cacheApplicationToken(deps: HmrcClientDeps): {
  use(send: (token: string) => Promise<HmrcResponse>, call: CallOptions): Promise<HmrcResponse>;
} {
  let cachedToken: Promise<{ token: string; renewsAt: Instant }> | undefined;
  const requestNewToken = (call: CallOptions) => {
    const pendingRequest = requestToken(deps, { grant_type: 'client_credentials', scope: 'read:vat' }, call).then(({ token }) => ({
      token: token.access_token,
      renewsAt: addMilliseconds(deps.clock.now(), (token.expires_in - 60) * 1000),
    }));
    cachedToken = pendingRequest;
    // This only removes the failed token from the cache, so that the next call requests a new one. The caller handles the failure.
    pendingRequest.catch(() => {
      if (cachedToken === pendingRequest) cachedToken = undefined;
    });
    return pendingRequest;
  };
  const get = async (call: CallOptions) => {
    const current = await cachedToken;
    return current && toEpochMs(current.renewsAt) > toEpochMs(deps.clock.now()) ? current : requestNewToken(call);
  };
  return {
    use: async (send, call) => {
      const { token } = await get(call);
      const hmrcResponse = await send(token);
      if (hmrcResponse.status !== 401) return hmrcResponse;
      cachedToken = undefined;
      return send((await requestNewToken(call)).token);
    },
  };
}
