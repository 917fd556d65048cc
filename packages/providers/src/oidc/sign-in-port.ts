/** Signing in with another company's account: one port for Google, Microsoft, Xero, Intuit and FreeAgent. */
import type { Clock, Instant } from '@portal/domain/clock.ts';

export type SignInProviderName = 'google' | 'microsoft' | 'xero' | 'intuit' | 'freeagent';

/**
 * Every failure is a ProviderError. Its `facts.code` tells the usual ones apart: `access_denied` (the person said no), `state_mismatch`,
 * `nonce_mismatch`, `id_token_invalid`, `invalid_grant` (the code or refresh token is spent, expired or not ours), `invalid_client`.
 */
export type SignInProvider = {
  readonly provider: SignInProviderName;
  /** Where to send the browser. */
  authorizeUrl(question: SignInQuestion): Promise<{ readonly url: string }>;
  /** Checks what the browser brought back, trades the code, and says who it is. Call it once: the code works once. */
  finish(answer: SignInAnswer): Promise<SignedInIdentity>;
  /** Trades a refresh token; what comes back replaces all that was stored. */
  refresh(refreshToken: string): Promise<SignInTokens>;
};

/**
 * `state`, `nonce` and the verifier behind `codeChallenge` (S256) are random, kept by the caller, bound to this browser, and used once.
 * Intuit documents neither nonce nor PKCE and FreeAgent has neither, so there they stay at home and `state` alone protects.
 */
export type SignInQuestion = {
  readonly state: string;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  readonly loginHint?: string;
  /** Scopes beyond signing in, in the provider's words. Where any is asked for, a refresh token is asked for too. */
  readonly extraScopes?: readonly string[];
};

/** `params` are the query parameters of the callback exactly as they came; the rest is what the caller kept from the question. */
export type SignInAnswer = {
  readonly params: URLSearchParams;
  readonly state: string;
  readonly nonce?: string;
  readonly codeVerifier?: string;
  readonly extraScopes?: readonly string[];
};

/** A person is `issuer` and `subject` together. The email address may change, be reused, or be anybody's: it identifies nobody. */
export type SignedInIdentity = {
  readonly provider: SignInProviderName;
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  /** Only where the provider itself says so of this address; false where it says nothing. */
  readonly emailVerified: boolean;
  readonly fullName?: string;
  /** The QuickBooks company that was chosen, where accounting was asked for. It counts for this sign-in only: store it now or never. */
  readonly realmId?: string;
  readonly tokens?: SignInTokens;
};

export type SignInTokens = {
  readonly accessToken: string;
  readonly expiresAt: Instant;
  /** Absent where none was asked for. */
  readonly refreshToken?: string;
  readonly refreshExpiresAt?: Instant;
  /** Asked for and not granted: people can untick scopes, and tenants can withhold them. */
  readonly missingScopes: readonly string[];
};

/** `browserUrl` is where the browser finds the provider; `serverUrl` is set only for a double, which answers there for all of the provider's hosts. */
export type SignInDeps = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly browserUrl: string;
  readonly serverUrl?: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** How long one answer is waited for; 15 seconds unless told. */
  readonly timeoutMs?: number;
};
