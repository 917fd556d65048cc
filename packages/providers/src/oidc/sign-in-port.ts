/** Sign-in with another company's account: one port for Google, Microsoft, Xero, Intuit and FreeAgent. */
import type { Clock, Instant } from '@portal/domain/clock.ts';

export type SignInProviderName = 'google' | 'microsoft' | 'xero' | 'intuit' | 'freeagent';

/**
 * Every failure is a ProviderError. Common values of `facts.code`: `access_denied` (the user declined), `state_mismatch`, `nonce_mismatch`,
 * `id_token_invalid`, `invalid_grant` (the code or refresh token has been used, has expired or isn't ours), `invalid_client`.
 */
export type SignInProvider = {
  readonly provider: SignInProviderName;
  /** Returns the URL to send the browser to. */
  authorizeUrl(request: SignInRequest): Promise<{ readonly url: string }>;
  /** Checks the callback, exchanges the code and returns the identity. Call it only once, because the code works only once. */
  completeSignIn(callback: SignInCallback): Promise<SignedInIdentity>;
  /** Exchanges a refresh token. The result replaces all stored tokens. */
  refresh(refreshToken: string): Promise<SignInTokens>;
};

/** An authorisation needed only for its tokens, not to identify the user who gave it. Every sign-in provider is also one of these. */
export type AuthorisationProvider = Omit<SignInProvider, 'completeSignIn'> & {
  completeSignIn(callback: SignInCallback): Promise<Pick<SignedInIdentity, 'tokens' | 'realmId'>>;
};

/**
 * `state`, `nonce` and the verifier for `codeChallenge` (S256) are random, stored by the caller, bound to this browser and used once.
 * Intuit documents neither nonce nor PKCE and FreeAgent supports neither, so they aren't sent there and only `state` protects the sign-in.
 */
export type SignInRequest = {
  readonly state: string;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  readonly loginHint?: string;
  /** Scopes beyond sign-in, by the provider's names. If there are any, a refresh token is also requested. */
  readonly extraScopes?: readonly string[];
};

/** `params` are the callback's query parameters as received; the caller stored the other values with the request. */
export type SignInCallback = {
  readonly params: URLSearchParams;
  readonly state: string;
  readonly nonce?: string;
  readonly codeVerifier?: string;
  readonly extraScopes?: readonly string[];
};

/**
 * `issuer` and `subject` together identify a user. The email address doesn't, because it may change, be reused or belong to someone else.
 */
export type SignedInIdentity = {
  readonly provider: SignInProviderName;
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  /** True only if the provider states that this email address is verified. */
  readonly emailVerified: boolean;
  readonly fullName?: string;
  /** The chosen QuickBooks company, if accounting was requested. It's available only at this sign-in, so store it now. */
  readonly realmId?: string;
  readonly tokens?: SignInTokens;
};

export type SignInTokens = {
  readonly accessToken: string;
  readonly expiresAt: Instant;
  /** Absent if it wasn't requested. */
  readonly refreshToken?: string;
  readonly refreshExpiresAt?: Instant;
  /** Scopes that were requested but not granted, because users can deselect scopes and tenants can withhold them. */
  readonly missingScopes: readonly string[];
};

/**
 * `browserUrl` is the provider's URL for browsers. `serverUrl` is set only for a simulator, which serves all of the provider's hosts there.
 */
export type SignInDeps = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly browserUrl: string;
  readonly serverUrl?: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Time limit for one call; default 15 seconds. */
  readonly timeoutMs?: number;
};
