/** Defines how one sign-in provider differs from another, such as names, URLs, token lifetimes and user claims. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { JWTPayload } from 'jose';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import type { CodeRecord, IdentityRecords, Person, RefreshRecord, SigningKey, SimulatedProvider } from './identity-records.ts';

export type OidcSimulatorDeps = SimulatorDeps & {
  /** Only exact matches are accepted, as with all providers. */
  readonly redirectUris: readonly string[];
  /** The app's name on the consent page. */
  readonly applicationName?: string;
};

export type PersonSeed = {
  readonly email: string;
  readonly fullName: string;
  readonly emailVerified?: boolean;
  /** The provider's permanent ID of the user. Defaults to one derived from the email address. */
  readonly subject?: string;
  /** Microsoft only. Defaults to an ID derived from the email domain. */
  readonly tenantId?: string;
  /** Intuit only. Defaults to one company. */
  readonly companies?: Person['companies'];
};

/** Reasons why a token endpoint rejects a request. */
export type Refusal =
  | 'wrong_client'
  | 'bad_request'
  | 'unsupported_grant'
  | 'unknown_code'
  | 'spent_code'
  | 'expired_code'
  | 'wrong_redirect'
  | 'wrong_verifier'
  | 'dead_refresh_token';

export type RefusalWire = { readonly status: 400 | 401; readonly error: string; readonly description?: string };

export type ProviderProfile = {
  readonly provider: SimulatedProvider;
  /** The brand name, and the colour of its buttons (white text on it passes WCAG AA). */
  readonly brand: string;
  readonly accent: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clientAuthentication: 'basic' | 'post' | 'either';
  /** Paths below the simulator's base URL. */
  readonly paths: { readonly authorize: string; readonly token: string; readonly jwks?: string; readonly userinfo?: string };
  /** The discovery document. It contains the provider's real URLs, like the original. */
  readonly discovery?: { readonly path: string; readonly document: object };
  /** Known scopes and their text on the consent page; undefined if the provider has no scopes. */
  readonly scopes: Readonly<Record<string, string>> | undefined;
  /** Whether the user may deselect scopes other than the sign-in scopes. */
  readonly canUntick?: boolean;
  /** The scope that requires the user to choose a company, whose ID is returned as `realmId`. */
  readonly companyScope?: string;
  readonly isConsentRemembered: boolean;
  /** Returns why a registered redirect URI is rejected anyway, or undefined. */
  readonly findRedirectProblem?: (redirectUri: string) => string | undefined;
  readonly deniedParameters: Readonly<Record<string, string>>;
  readonly codeSeconds: number;
  readonly accessSeconds: () => number;
  readonly accessTokenClaims?: (grant: GrantFacts) => JWTPayload;
  readonly idTokenClaims?: (grant: GrantFacts) => JWTPayload;
  readonly idTokenSeconds?: number;
  /** Intuit doesn't document a nonce, so its simulator never returns one. */
  readonly isNonceIgnored?: boolean;
  readonly keys: readonly Pick<SigningKey, 'name' | 'issuer'>[];
  readonly getKeyName?: (person: Person) => string;
  readonly completePerson: (seed: PersonSeed) => Omit<Person, 'email' | 'fullName' | 'emailVerified'>;
  readonly userinfo: (person: Person, scopes: readonly string[]) => object;
  /** Returns whether a code can be exchanged for a refresh token. */
  readonly shouldGrantRefreshToken: (code: CodeRecord) => boolean;
  /** Lifetime of a refresh token. A token that stays the same gets a new lifetime at each use. */
  readonly refreshSeconds?: number;
  /** True if the refresh response omits a refresh token that hasn't changed. */
  readonly isKeptRefreshTokenOmitted?: boolean;
  /** Decides what happens to a used refresh token. */
  readonly renew: (usedToken: RefreshRecord, nowMs: number) => TokenRenewal;
  /** Token response members beyond access_token, expires_in, refresh_token and id_token. */
  readonly replyExtras: (grant: GrantFacts, call: { readonly refresh?: RefreshRecord; readonly headers: IncomingHttpHeaders }) => object;
  readonly tokenType: 'bearer' | 'Bearer';
  readonly errors?: Partial<Readonly<Record<Refusal, RefusalWire>>>;
  readonly errorExtras?: (refusal: Refusal, nowMs: number) => object;
  /** Returns why a call to the API or token endpoint is rejected with 400 before all other checks, or undefined. */
  readonly findCallProblem?: (headers: IncomingHttpHeaders) => string | undefined;
  /** Runs when the user grants scopes. */
  readonly onGrant?: (context: IdentityContext, person: Person, scopes: readonly string[]) => void;
  /** Serves the provider's API beyond sign-in. */
  readonly serveExtraRoutes?: (app: FastifyInstance, context: IdentityContext) => void;
};

/**
 * `keep` returns the same token, `add` issues another alongside it, `replace` issues a new one and keeps the old one valid until
 * `oldUntilMs`, and `reject` invalidates it.
 */
export type TokenRenewal =
  | { readonly kind: 'keep' }
  | { readonly kind: 'add' }
  | { readonly kind: 'reject' }
  | { readonly kind: 'replace'; readonly oldUntilMs: number };

/** A user's grant, from which tokens are built. Times are in seconds since 1970. */
export type GrantFacts = {
  readonly person: Person;
  readonly scopes: readonly string[];
  readonly nonce?: string;
  readonly realmId?: string;
  readonly signedInAt: number;
  readonly issuedAt: number;
  readonly accessToken: string;
};

export type IdentityContext = Omit<OidcSimulatorDeps, 'publicUrl'> & {
  readonly profile: ProviderProfile;
  readonly records: IdentityRecords;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly basePath: string;
};
