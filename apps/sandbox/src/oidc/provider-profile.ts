/** Everything that distinguishes one sign-in provider from another: names, addresses, lifetimes of tokens, and what it says of a person. */
import type { IncomingHttpHeaders } from 'node:http';
import type { JWTPayload } from 'jose';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import type { SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import type { CodeRecord, IdentityRecords, Person, RefreshRecord, SigningKey } from './identity-records.ts';

export type OidcSimulatorDeps = SimulatorDeps & {
  /** Exact matches only, as every provider registers them. */
  readonly redirectUris: readonly string[];
  /** What the consent page calls the application. */
  readonly applicationName?: string;
};

export type PersonSeed = {
  readonly email: string;
  readonly fullName: string;
  readonly emailVerified?: boolean;
  /** The provider's own lasting name of the person; made from the email address unless given. */
  readonly subject?: string;
  /** Microsoft only; made from the email's domain unless given. */
  readonly tenantId?: string;
  /** Intuit only; one company unless given. */
  readonly companies?: Person['companies'];
};

/** Ways in which a token endpoint says no. */
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
  readonly provider: SignInProviderName;
  /** The name people know, and the colour of its buttons (white text on it passes WCAG AA). */
  readonly brand: string;
  readonly accent: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clientAuthentication: 'basic' | 'post' | 'either';
  /** Paths below the simulator's address. */
  readonly paths: { readonly authorize: string; readonly token: string; readonly jwks?: string; readonly userinfo: string };
  /** Names the real addresses, as the real document does. */
  readonly discovery?: { readonly path: string; readonly document: object };
  /** Scopes it knows, and what each lets the application do; undefined where it has none. */
  readonly scopes: Readonly<Record<string, string>> | undefined;
  /** Whether the person may untick scopes beyond signing in. */
  readonly canUntick?: boolean;
  /** The scope for which the person also chooses one company, whose id comes back as `realmId`. */
  readonly companyScope?: string;
  readonly remembersConsent: boolean;
  /** Why a registered redirect URI is refused all the same. */
  readonly refuseRedirect?: (redirectUri: string) => string | undefined;
  readonly deniedParameters: Readonly<Record<string, string>>;
  readonly codeSeconds: number;
  readonly accessSeconds: () => number;
  readonly accessTokenClaims?: (grant: GrantFacts) => JWTPayload;
  readonly idTokenClaims?: (grant: GrantFacts) => JWTPayload;
  readonly idTokenSeconds?: number;
  /** Intuit documents no nonce, so its simulator never repeats one. */
  readonly ignoresNonce?: boolean;
  readonly keys: readonly Pick<SigningKey, 'name' | 'issuer'>[];
  readonly keyFor?: (person: Person) => string;
  readonly completePerson: (seed: PersonSeed) => Omit<Person, 'email' | 'fullName' | 'emailVerified'>;
  readonly userinfo: (person: Person, scopes: readonly string[]) => object;
  /** Whether a code brings a refresh token. */
  readonly grantsRefreshToken: (code: CodeRecord) => boolean;
  /** Life of a refresh token, counted from its last use where it is kept. */
  readonly refreshSeconds?: number;
  /** The reply to a refresh leaves the refresh token out where it stays the same. */
  readonly hidesKeptRefreshToken?: boolean;
  /** What a refresh does with the refresh token that was used. */
  readonly renew: (used: RefreshRecord, nowMs: number) => Renewal;
  /** The token reply beyond access_token, expires_in, refresh_token and id_token. */
  readonly replyExtras: (grant: GrantFacts, call: { readonly refresh?: RefreshRecord; readonly headers: IncomingHttpHeaders }) => object;
  readonly tokenType: 'bearer' | 'Bearer';
  readonly refusals?: Partial<Readonly<Record<Refusal, RefusalWire>>>;
  readonly refusalExtras?: (refusal: Refusal, nowMs: number) => object;
  /** Why a call to the API or the token endpoint is refused with 400 before anything else of it is looked at. */
  readonly refuseCall?: (headers: IncomingHttpHeaders) => string | undefined;
};

/** `keep` repeats the token, `add` makes another beside it, `replace` lets the old one live until then, `refuse` ends it. */
export type Renewal =
  | { readonly kind: 'keep' }
  | { readonly kind: 'add' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'replace'; readonly oldUntilMs: number };

/** What a person granted, for writing tokens. Seconds since 1970. */
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
