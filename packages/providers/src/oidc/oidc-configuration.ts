/** openid-client's Configuration, cached for an hour and adjusted to the portal's clock. */
import { toEpochMs } from '@portal/domain/clock.ts';
import {
  clockSkew,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type ClientAuth,
  type ClientMetadata,
  type Configuration,
} from 'openid-client';
import { encodeBasicCredentials } from './client-credentials.ts';
import type { ProviderFetch } from './provider-fetch.ts';
import type { SignInDeps } from './sign-in-port.ts';

/** The input for a Configuration. `metadata` contains the difference between the portal's clock and the system's. */
export type ConfigureOptions = { readonly deps: SignInDeps; readonly metadata: Partial<ClientMetadata>; readonly fetch: ProviderFetch };
export type Configure = (options: ConfigureOptions) => Promise<Configuration>;

const CONFIGURATION_TTL_MS = 3_600_000;

/** ID tokens are checked with a tolerance of 30 seconds, so a clock change must be noticed well before that. */
const MAX_SKEW_CHANGE_SECONDS = 5;

/**
 * Returns the current Configuration. openid-client uses system time; if the portal's clock differs (sandbox), the difference is passed as a
 * clock skew.
 */
export function cacheConfiguration(configure: Configure, deps: SignInDeps, fetch: ProviderFetch): () => Promise<Configuration> {
  let cachedConfiguration:
    | { readonly made: Promise<Configuration>; readonly skewSeconds: number; readonly createdAtMs: number }
    | undefined;
  return async () => {
    const skewSeconds = Math.round((toEpochMs(deps.clock.now()) - Date.now()) / 1000);
    const isFresh =
      cachedConfiguration &&
      performance.now() - cachedConfiguration.createdAtMs < CONFIGURATION_TTL_MS &&
      Math.abs(skewSeconds - cachedConfiguration.skewSeconds) < MAX_SKEW_CHANGE_SECONDS;
    if (cachedConfiguration && isFresh) return cachedConfiguration.made;
    const metadata: Partial<ClientMetadata> = { [clockSkew]: skewSeconds, [clockTolerance]: 30 };
    const pendingConfiguration = configure({ deps, metadata, fetch }).then((configuration) => {
      configuration[customFetch] = fetch;
      // Verifies the signature even though the token comes straight from the provider, because the keys state which issuer may use them
      // (Microsoft).
      enableNonRepudiationChecks(configuration);
      return configuration;
    });
    const entry = { made: pendingConfiguration, skewSeconds, createdAtMs: performance.now() };
    cachedConfiguration = entry;
    // This only removes the failure from the cache, so that the next sign-in tries again. The caller handles the failure.
    pendingConfiguration.catch(() => {
      if (cachedConfiguration === entry) cachedConfiguration = undefined;
    });
    return pendingConfiguration;
  };
}

/** Discovers the provider by its issuer. */
export function createDiscovery(issuer: string, createAuthentication: (deps: SignInDeps) => ClientAuth): Configure {
  return ({ deps, metadata, fetch }) =>
    discovery(new URL(issuer), deps.clientId, metadata, createAuthentication(deps), { [customFetch]: fetch });
}

/** Authenticates with HTTP Basic, which Xero and Intuit require. */
export function authenticateByBasic({ clientId, clientSecret }: SignInDeps): ClientAuth {
  const value = encodeBasicCredentials(clientId, clientSecret);
  return (_server, _client, _body, headers) => headers.set('authorization', value);
}
