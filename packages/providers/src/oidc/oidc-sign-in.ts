/** OpenID Connect sign-in. openid-client implements the protocol; an OidcProvider describes how each provider differs. */
import { addMilliseconds } from '@portal/domain/clock.ts';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  refreshTokenGrant,
  type Configuration,
  type IDToken,
  type TokenEndpointResponse,
} from 'openid-client';
import { ProviderError } from '../http/provider-error.ts';
import { cacheConfiguration, type Configure } from './oidc-configuration.ts';
import { fetchFromProvider, type ProviderAddresses, type ProviderFetch } from './provider-fetch.ts';
import { toProviderError } from './read-failure.ts';
import type {
  SignedInIdentity,
  SignInCallback,
  SignInDeps,
  SignInProvider,
  SignInProviderName,
  SignInRequest,
  SignInTokens,
} from './sign-in-port.ts';

/** How one provider differs. */
export type OidcProvider = {
  readonly provider: SignInProviderName;
  readonly addresses: ProviderAddresses;
  readonly configure: Configure;
  /** Scopes for a plain sign-in. */
  readonly scopes: readonly string[];
  /** Scopes and parameters added to get a refresh token. */
  readonly offlineScopes?: readonly string[];
  readonly offlineParameters?: Readonly<Record<string, string>>;
  /** False if the provider documents neither nonce nor PKCE. */
  readonly hasNonce: boolean;
  readonly hasPkce: boolean;
  /** Returns the granted scopes from the token response's `scope`; default: split by spaces. */
  readonly readScopes?: (scope: string) => readonly string[];
  /** Returns the remaining lifetime of the refresh token in seconds, from the token response. */
  readonly getRefreshTtlSeconds?: (reply: TokenEndpointResponse) => number | undefined;
  readonly readIdentity: (signedIn: SignedIn) => OidcIdentity | Promise<OidcIdentity>;
};

export type SignedIn = {
  readonly claims: IDToken;
  readonly reply: TokenEndpointResponse;
  readonly configuration: Configuration;
  readonly params: URLSearchParams;
  /** All requested scopes. */
  readonly requestedScopes: readonly string[];
  /** Creates the error for an ID token that can't be trusted. */
  readonly toTokenError: (code: string, detail: string) => ProviderError;
};

type OidcIdentity = Pick<SignedInIdentity, 'issuer' | 'subject' | 'email' | 'emailVerified' | 'fullName' | 'realmId'>;

export function createOidcSignIn(definition: OidcProvider, deps: SignInDeps): SignInProvider {
  const { provider } = definition;
  const fetch: ProviderFetch = fetchFromProvider(provider, definition.addresses, deps);
  const configuration = cacheConfiguration(definition.configure, deps, fetch);
  return {
    provider,
    authorizeUrl: (request) =>
      withProviderErrors(provider, 'authorize', async () => {
        const { href } = buildAuthorizationUrl(await configuration(), createAuthorizeParameters(definition, deps, request));
        return { url: toBrowserUrl(href, deps.browserUrl) };
      }),
    completeSignIn: (answer) =>
      withProviderErrors(provider, 'token', async () => completeSignIn(definition, deps, await configuration(), answer)),
    refresh: (refreshToken) =>
      withProviderErrors(provider, 'token', async () => {
        const reply = await refreshTokenGrant(await configuration(), refreshToken);
        return readTokens(definition, deps, reply, { refreshToken, requestedScopes: [] });
      }),
  };
}

async function completeSignIn(
  definition: OidcProvider,
  deps: SignInDeps,
  configuration: Configuration,
  { params, state, nonce, codeVerifier, extraScopes = [] }: SignInCallback,
): Promise<SignedInIdentity> {
  const { provider } = definition;
  checkState(provider, params, state);
  // Uses our registered URL rather than the request's: behind a proxy they differ, and the provider compares them.
  const callback = new URL(deps.redirectUri);
  callback.search = params.toString();
  const reply = await authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    idTokenExpected: true,
    ...(definition.hasNonce && nonce !== undefined ? { expectedNonce: nonce } : {}),
    ...(definition.hasPkce && codeVerifier !== undefined ? { pkceCodeVerifier: codeVerifier } : {}),
  });
  const toTokenError = (code: string, detail: string) =>
    new ProviderError('refused', { provider, operation: `${provider}.token`, code, detail });
  const claims = reply.claims();
  if (!claims) throw toTokenError('id_token_invalid', 'the response has no id_token');
  const requestedScopes = [...definition.scopes, ...extraScopes];
  const identity = await definition.readIdentity({ claims, reply, configuration, params, requestedScopes, toTokenError });
  return { provider, ...identity, tokens: readTokens(definition, deps, reply, { requestedScopes }) };
}

/**
 * Checks `state` before anything else, so that a forged error or code is never read. Also used for FreeAgent, which doesn't support OpenID
 * Connect.
 */
export function checkState(provider: SignInProviderName, params: URLSearchParams, state: string): void {
  const states = params.getAll('state');
  if (states.length === 1 && states[0] === state && state !== '') return;
  const facts = { provider, operation: `${provider}.callback`, code: 'state_mismatch' };
  throw new ProviderError('refused', { ...facts, detail: 'this response doesn’t belong to a sign-in started here' });
}

/** Replaces the origin with one that the browser can reach. They differ only for a simulator. */
export function toBrowserUrl(href: string, browserUrl: string): string {
  const { pathname, search } = new URL(href);
  return browserUrl.replace(/\/$/, '') + pathname + search;
}

function createAuthorizeParameters(definition: OidcProvider, deps: SignInDeps, request: SignInRequest): Record<string, string> {
  const { state, nonce, codeChallenge, loginHint, extraScopes = [] } = request;
  const isOffline = extraScopes.length > 0;
  const scopes = [...definition.scopes, ...extraScopes, ...(isOffline ? (definition.offlineScopes ?? []) : [])];
  return {
    redirect_uri: deps.redirectUri,
    scope: [...new Set(scopes)].join(' '),
    state,
    ...(definition.hasNonce && nonce !== undefined ? { nonce } : {}),
    ...(definition.hasPkce && codeChallenge !== undefined ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    ...(isOffline ? definition.offlineParameters : {}),
  };
}

function readTokens(
  definition: OidcProvider,
  { clock }: SignInDeps,
  reply: TokenEndpointResponse,
  previous: { readonly refreshToken?: string; readonly requestedScopes: readonly string[] },
): SignInTokens {
  const now = clock.now();
  // A response without a refresh token means that the old one remains valid: Google never sends a new one, and Intuit repeats the old one
  // for a day.
  const refreshToken = reply.refresh_token ?? previous.refreshToken;
  const refreshTtlSeconds = definition.getRefreshTtlSeconds?.(reply);
  // RFC 6749, section 5.1: without `scope` in the response, all requested scopes are granted. Microsoft changes the case of names.
  const grantedScopes = new Set(
    (reply.scope === undefined ? previous.requestedScopes : (definition.readScopes ?? splitScopes)(reply.scope)).map(toLowerCase),
  );
  return {
    accessToken: reply.access_token,
    // RFC 6749 only recommends expires_in. All five providers send it; without it the token counts as expired.
    expiresAt: addMilliseconds(now, (reply.expires_in ?? 0) * 1000),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(refreshTtlSeconds === undefined ? {} : { refreshExpiresAt: addMilliseconds(now, refreshTtlSeconds * 1000) }),
    missingScopes: previous.requestedScopes.filter((scope) => !grantedScopes.has(toLowerCase(scope))),
  };
}

export function splitScopes(scope: string): readonly string[] {
  return scope.split(' ').filter((part) => part !== '');
}

function toLowerCase(text: string): string {
  return text.toLowerCase();
}

async function withProviderErrors<Result>(provider: SignInProviderName, operation: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toProviderError(error, provider, `${provider}.${operation}`);
  }
}
