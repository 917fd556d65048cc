/** OpenID Connect sign-in. openid-client implements the protocol; an OidcProvider describes each provider's differences. */
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
import { keepConfiguration, type Configure } from './oidc-configuration.ts';
import { providerFetch, type ProviderAddresses, type ProviderFetch } from './provider-fetch.ts';
import { failureOf } from './read-failure.ts';
import type {
  SignedInIdentity,
  SignInAnswer,
  SignInDeps,
  SignInProvider,
  SignInProviderName,
  SignInQuestion,
  SignInTokens,
} from './sign-in-port.ts';

/** The differences of one provider. */
export type OidcProvider = {
  readonly provider: SignInProviderName;
  readonly addresses: ProviderAddresses;
  readonly configure: Configure;
  /** Scopes of a plain sign-in. */
  readonly scopes: readonly string[];
  /** Scopes and parameters added to get a refresh token. */
  readonly offlineScopes?: readonly string[];
  readonly offlineParameters?: Readonly<Record<string, string>>;
  /** False when the provider documents neither. */
  readonly hasNonce: boolean;
  readonly hasPkce: boolean;
  /** Granted scopes from the token response's `scope`; default: split by spaces. */
  readonly readScopes?: (scope: string) => readonly string[];
  /** Remaining lifetime of the refresh token in seconds, from the token response. */
  readonly refreshLifeSeconds?: (reply: TokenEndpointResponse) => number | undefined;
  readonly readIdentity: (signedIn: SignedIn) => WhoIsIt | Promise<WhoIsIt>;
};

export type SignedIn = {
  readonly claims: IDToken;
  readonly reply: TokenEndpointResponse;
  readonly configuration: Configuration;
  readonly params: URLSearchParams;
  /** All requested scopes. */
  readonly asked: readonly string[];
  /** Creates the error for an ID token that cannot be trusted. */
  readonly distrust: (code: string, detail: string) => ProviderError;
};

type WhoIsIt = Pick<SignedInIdentity, 'issuer' | 'subject' | 'email' | 'emailVerified' | 'fullName' | 'realmId'>;

export function createOidcSignIn(own: OidcProvider, deps: SignInDeps): SignInProvider {
  const { provider } = own;
  const fetch: ProviderFetch = providerFetch(provider, own.addresses, deps);
  const configuration = keepConfiguration(own.configure, deps, fetch);
  return {
    provider,
    authorizeUrl: (question) =>
      failing(provider, 'authorize', async () => {
        const { href } = buildAuthorizationUrl(await configuration(), authorizeParameters(own, deps, question));
        return { url: atBrowser(href, deps.browserUrl) };
      }),
    finish: (answer) => failing(provider, 'token', async () => finish(own, deps, await configuration(), answer)),
    refresh: (refreshToken) =>
      failing(provider, 'token', async () => {
        const reply = await refreshTokenGrant(await configuration(), refreshToken);
        return readTokens(own, deps, reply, { refreshToken, asked: [] });
      }),
  };
}

async function finish(
  own: OidcProvider,
  deps: SignInDeps,
  configuration: Configuration,
  { params, state, nonce, codeVerifier, extraScopes = [] }: SignInAnswer,
): Promise<SignedInIdentity> {
  const { provider } = own;
  checkState(provider, params, state);
  // Uses our registered address, not the request's: behind a proxy they differ, and the provider compares them.
  const callback = new URL(deps.redirectUri);
  callback.search = params.toString();
  const reply = await authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    idTokenExpected: true,
    ...(own.hasNonce && nonce !== undefined ? { expectedNonce: nonce } : {}),
    ...(own.hasPkce && codeVerifier !== undefined ? { pkceCodeVerifier: codeVerifier } : {}),
  });
  const distrust = (code: string, detail: string) =>
    new ProviderError('refused', { provider, operation: `${provider}.token`, code, detail });
  const claims = reply.claims();
  if (!claims) throw distrust('id_token_invalid', 'the reply carries no id_token');
  const asked = [...own.scopes, ...extraScopes];
  const who = await own.readIdentity({ claims, reply, configuration, params, asked, distrust });
  return { provider, ...who, tokens: readTokens(own, deps, reply, { asked }) };
}

/** Also used for FreeAgent, which has no OpenID Connect. Runs first, so that a forged error or code is never read. */
export function checkState(provider: SignInProviderName, params: URLSearchParams, state: string): void {
  const given = params.getAll('state');
  if (given.length === 1 && given[0] === state && state !== '') return;
  const facts = { provider, operation: `${provider}.callback`, code: 'state_mismatch' };
  throw new ProviderError('refused', { ...facts, detail: 'this answer does not belong to a sign-in begun here' });
}

/** Replaces the origin with the one that the browser can reach. They only differ for a simulator. */
export function atBrowser(href: string, browserUrl: string): string {
  const { pathname, search } = new URL(href);
  return browserUrl.replace(/\/$/, '') + pathname + search;
}

function authorizeParameters(own: OidcProvider, deps: SignInDeps, question: SignInQuestion): Record<string, string> {
  const { state, nonce, codeChallenge, loginHint, extraScopes = [] } = question;
  const isOffline = extraScopes.length > 0;
  const scopes = [...own.scopes, ...extraScopes, ...(isOffline ? (own.offlineScopes ?? []) : [])];
  return {
    redirect_uri: deps.redirectUri,
    scope: [...new Set(scopes)].join(' '),
    state,
    ...(own.hasNonce && nonce !== undefined ? { nonce } : {}),
    ...(own.hasPkce && codeChallenge !== undefined ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    ...(isOffline ? own.offlineParameters : {}),
  };
}

function readTokens(
  own: OidcProvider,
  { clock }: SignInDeps,
  reply: TokenEndpointResponse,
  before: { readonly refreshToken?: string; readonly asked: readonly string[] },
): SignInTokens {
  const now = clock.now();
  // A response without a refresh token means that the old one stays valid: Google never sends a new one, and Intuit repeats the old one for
  // a day.
  const refreshToken = reply.refresh_token ?? before.refreshToken;
  const life = own.refreshLifeSeconds?.(reply);
  // RFC 6749, section 5.1: without `scope` in the response all requested scopes are granted. Microsoft changes the case of names.
  const granted = new Set((reply.scope === undefined ? before.asked : (own.readScopes ?? splitScopes)(reply.scope)).map(lowerCase));
  return {
    accessToken: reply.access_token,
    // RFC 6749 only recommends expires_in. All five providers send it; without it the token counts as expired.
    expiresAt: addMilliseconds(now, (reply.expires_in ?? 0) * 1000),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(life === undefined ? {} : { refreshExpiresAt: addMilliseconds(now, life * 1000) }),
    missingScopes: before.asked.filter((scope) => !granted.has(lowerCase(scope))),
  };
}

export function splitScopes(scope: string): readonly string[] {
  return scope.split(' ').filter((part) => part !== '');
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

async function failing<Result>(provider: SignInProviderName, operation: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error, provider, `${provider}.${operation}`);
  }
}
