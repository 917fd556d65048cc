/** HMRC's token endpoint: tokens of a user's authorisation and the application token. */
import { addMilliseconds, epochOf, type Instant } from '@portal/domain/clock.ts';
import type { HmrcClientDeps, HmrcTokens } from './hmrc-terms.ts';
import { mapTokens } from './hmrc-map.ts';
import { tokenWire, type TokenWire } from './hmrc-wire.ts';
import { failAnswer, readAnswer, sendToHmrc, type HmrcAnswer } from './send-to-hmrc.ts';

/** Exchanges a code or a refresh token for a pair of tokens. */
export async function requestUserTokens(deps: HmrcClientDeps, form: Record<string, string>): Promise<HmrcTokens> {
  const { answer, token } = await requestToken(deps, form);
  const tokens = mapTokens(token, deps.clock.now());
  if (!tokens) throw failAnswer(answer, 'the reply carries no refresh token');
  return tokens;
}

async function requestToken(deps: HmrcClientDeps, form: Record<string, string>): Promise<{ answer: HmrcAnswer; token: TokenWire }> {
  const answer = await sendToHmrc(deps, {
    operation: 'hmrc.token',
    method: 'POST',
    // A lost response leaves a code or refresh token used up. A lost application token does no harm.
    effect: form['grant_type'] === 'client_credentials' ? 'read' : 'write',
    url: `${deps.apiUrl}/oauth/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    // HMRC accepts the credentials only in the body, not as Basic authentication.
    body: new URLSearchParams({ client_id: deps.clientId, client_secret: deps.clientSecret, ...form }).toString(),
  });
  return { answer, token: readAnswer(answer, 200, tokenWire, (token) => token) };
}

/**
 * Application tokens are valid for 4 hours and have no refresh token. Caches one until a minute before it expires, shares one request among
 * callers, and replaces the token once when HMRC rejects it.
 */
export function cacheApplicationToken(deps: HmrcClientDeps): { use(send: (token: string) => Promise<HmrcAnswer>): Promise<HmrcAnswer> } {
  let cached: Promise<{ token: string; staleAt: Instant }> | undefined;
  const ask = () => {
    const asked = requestToken(deps, { grant_type: 'client_credentials', scope: 'read:vat' }).then(({ token }) => ({
      token: token.access_token,
      staleAt: addMilliseconds(deps.clock.now(), (token.expires_in - 60) * 1000),
    }));
    cached = asked;
    // The caller handles the failure. Here it is only removed from the cache, so that the next call requests a new token.
    asked.catch(() => {
      if (cached === asked) cached = undefined;
    });
    return asked;
  };
  const get = async () => {
    const known = await cached;
    return known && epochOf(known.staleAt) > epochOf(deps.clock.now()) ? known : ask();
  };
  return {
    use: async (send) => {
      const { token } = await get();
      const answer = await send(token);
      if (answer.status !== 401) return answer;
      cached = undefined;
      return send((await ask()).token);
    },
  };
}
