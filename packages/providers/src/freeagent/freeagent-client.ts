/** FreeAgent sign-in uses plain OAuth without scopes, and /users/me to identify the user. See docs/reference/providers.md section 3. */
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { z } from 'zod';
import { ProviderError } from '../http/provider-error.ts';
import { encodeBasicCredentials } from '../oidc/client-credentials.ts';
import { toBrowserUrl, checkState } from '../oidc/oidc-sign-in.ts';
import { fetchFromProvider, type ProviderFetch } from '../oidc/provider-fetch.ts';
import type {
  AuthorisationProvider,
  SignedInIdentity,
  SignInCallback,
  SignInDeps,
  SignInProvider,
  SignInTokens,
} from '../oidc/sign-in-port.ts';
import { FREEAGENT_API, freeAgentTokenWire, freeAgentUserWire } from './freeagent-wire.ts';

/** FreeAgent's URL for browsers. */
export const FREEAGENT_BROWSER_URL = 'https://api.freeagent.com';

/** `userAgent` identifies the portal. FreeAgent rejects calls without a User-Agent. */
export type FreeAgentSignInDeps = SignInDeps & { readonly userAgent: string };

const TOKEN_URL = `${FREEAGENT_API}/token_endpoint`;
const ME_URL = `${FREEAGENT_API}/users/me`;
const provider = 'freeagent';

export function createFreeAgentSignIn(deps: FreeAgentSignInDeps): SignInProvider {
  const fetch = fetchFromProvider(provider, { [TOKEN_URL]: 'token', [ME_URL]: 'userinfo' }, deps);
  return { ...createAuthorisation(deps, fetch), completeSignIn: (signInCallback) => completeSignIn(deps, fetch, signInCallback) };
}

/**
 * For the Accountancy Practice API. Its token belongs to an account manager, who isn't a user of any company. Their identity isn't
 * requested, because only the authorisation matters.
 */
export function createFreeAgentPracticeAuthorisation(deps: FreeAgentSignInDeps): AuthorisationProvider {
  const fetch = fetchFromProvider(provider, { [TOKEN_URL]: 'token' }, deps);
  return {
    ...createAuthorisation(deps, fetch),
    completeSignIn: async (signInCallback) => ({ tokens: await exchangeCode(deps, fetch, signInCallback) }),
  };
}

function createAuthorisation(
  deps: FreeAgentSignInDeps,
  fetch: ProviderFetch,
): Pick<SignInProvider, 'provider' | 'authorizeUrl' | 'refresh'> {
  return {
    provider,
    authorizeUrl: async ({ state }) => {
      const query = new URLSearchParams({ client_id: deps.clientId, response_type: 'code', redirect_uri: deps.redirectUri, state });
      return { url: toBrowserUrl(`${FREEAGENT_API}/approve_app?${query}`, deps.browserUrl) };
    },
    refresh: (refreshToken) => requestTokens(deps, fetch, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}

async function exchangeCode(deps: FreeAgentSignInDeps, fetch: ProviderFetch, { params, state }: SignInCallback): Promise<SignInTokens> {
  checkState(provider, params, state);
  const [error, codes] = [params.get('error'), params.getAll('code')];
  const facts = { provider, operation: 'freeagent.callback' };
  if (error !== null) throw new ProviderError('refused', { ...facts, code: error.slice(0, 100) });
  const [code] = codes;
  if (code === undefined || codes.length > 1)
    throw new ProviderError('refused', { ...facts, detail: 'expected exactly one code in the callback' });
  return requestTokens(deps, fetch, { grant_type: 'authorization_code', code, redirect_uri: deps.redirectUri });
}

async function completeSignIn(deps: FreeAgentSignInDeps, fetch: ProviderFetch, signInCallback: SignInCallback): Promise<SignedInIdentity> {
  const tokens = await exchangeCode(deps, fetch, signInCallback);
  const { user } = await parseResponse(
    freeAgentUserWire,
    'userinfo',
    fetch(ME_URL, { headers: { ...createHeaders(deps), authorization: `Bearer ${tokens.accessToken}` } }),
  );
  const fullName = [user.first_name, user.last_name].filter((part) => part !== undefined && part !== '').join(' ');
  return {
    provider,
    issuer: FREEAGENT_API,
    subject: user.url,
    // The API doesn't say whether the email address is verified.
    emailVerified: false,
    ...(user.email === undefined ? {} : { email: user.email }),
    ...(fullName === '' ? {} : { fullName }),
    tokens,
  };
}

async function requestTokens(deps: FreeAgentSignInDeps, fetch: ProviderFetch, form: Record<string, string>): Promise<SignInTokens> {
  const now = deps.clock.now();
  const reply = await parseResponse(
    freeAgentTokenWire,
    'token',
    fetch(TOKEN_URL, {
      method: 'POST',
      headers: { ...createHeaders(deps), authorization: encodeBasicCredentials(deps.clientId, deps.clientSecret) },
      body: new URLSearchParams(form),
    }),
  );
  const refreshToken = reply.refresh_token ?? form['refresh_token'];
  const refreshTtlSeconds = reply.refresh_token_expires_in;
  return {
    accessToken: reply.access_token,
    expiresAt: addMilliseconds(now, reply.expires_in * 1000),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(refreshTtlSeconds === undefined ? {} : { refreshExpiresAt: addMilliseconds(now, refreshTtlSeconds * 1000) }),
    missingScopes: [],
  };
}

async function parseResponse<Shape>(
  shape: z.ZodType<Shape>,
  operation: 'token' | 'userinfo',
  pendingResponse: Promise<Response>,
): Promise<Shape> {
  const response = await pendingResponse;
  const body: unknown = await response.json().catch(() => undefined);
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const detail = `unreadable response: ${parsed.error.issues.map(({ path }) => path.join('.') || 'body').join(', ')}`;
  throw new ProviderError(operation === 'token' ? 'unknown' : 'unavailable', { provider, operation: `freeagent.${operation}`, detail });
}

function createHeaders({ userAgent }: FreeAgentSignInDeps): Record<string, string> {
  return { accept: 'application/json', 'user-agent': userAgent };
}
