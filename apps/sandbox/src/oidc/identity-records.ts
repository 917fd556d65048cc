/** Records of an identity provider simulator, by collection. */
import type { Instant } from '@portal/domain/clock.ts';
import type { SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import type { JWK } from 'jose';
import type { Collection, SimulatorStore } from '../simulator/simulator-store.ts';

/** FreeAgent practices authorise a separate app, so the simulator has a separate provider with its own users. */
export type SimulatedProvider = SignInProviderName | 'freeagent_practice';

export type Person = {
  readonly subject: string;
  readonly email: string;
  readonly fullName: string;
  readonly emailVerified: boolean;
  /** The Microsoft tenant ID. */
  readonly tenantId?: string;
  /** Intuit companies that the user can connect. */
  readonly companies?: readonly { readonly realmId: string; readonly name: string }[];
};

type GrantedAccess = {
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly realmId?: string;
  readonly signedInAt: Instant;
  readonly expiresAt: Instant;
};

export type CodeRecord = GrantedAccess & {
  readonly redirectUri: string;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  readonly isOffline: boolean;
  /** True if the consent page was shown before this code was issued. */
  readonly consentShown: boolean;
  readonly isUsed: boolean;
};

export type AccessRecord = GrantedAccess;
export type RefreshRecord = GrantedAccess & { readonly token: string; readonly issuedAt: Instant; readonly usedAt: Instant };

/** Some providers, such as Microsoft, publish `issuer` with the key. */
export type SigningKey = { readonly name: string; readonly issuer?: string; readonly kid: string; readonly privateJwk: JWK };

export type IdentityRecords = {
  readonly people: Collection<Person>;
  /** Browser session -> subject. */
  readonly sessions: Collection<string>;
  /** Subject -> granted scopes. */
  readonly consents: Collection<readonly string[]>;
  readonly codes: Collection<CodeRecord>;
  readonly accessTokens: Collection<AccessRecord>;
  readonly refreshTokens: Collection<RefreshRecord>;
  readonly keys: Collection<SigningKey>;
};

export function openIdentityRecords(store: SimulatorStore, provider: SimulatedProvider): IdentityRecords {
  return {
    people: store.collection(`${provider}.people`),
    sessions: store.collection(`${provider}.sessions`),
    consents: store.collection(`${provider}.consents`),
    codes: store.collection(`${provider}.codes`),
    accessTokens: store.collection(`${provider}.access_tokens`),
    refreshTokens: store.collection(`${provider}.refresh_tokens`),
    keys: store.collection(`${provider}.keys`),
  };
}
