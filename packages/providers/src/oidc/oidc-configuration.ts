/** openid-client's Configuration, kept for an hour and made to tell the portal's time. */
import { epochOf } from '@portal/domain/clock.ts';
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
import { basicCredentials } from './client-credentials.ts';
import type { ProviderFetch } from './provider-fetch.ts';
import type { SignInDeps } from './sign-in-port.ts';

/** Everything a Configuration is made of; `metadata` carries how far the portal's clock is from the system's. */
export type ConfigureWith = { readonly deps: SignInDeps; readonly metadata: Partial<ClientMetadata>; readonly fetch: ProviderFetch };
export type Configure = (made: ConfigureWith) => Promise<Configuration>;

const KEPT_MS = 3_600_000;

/** id_tokens are checked with 30 seconds of tolerance, so a moved clock must be noticed well before. */
const SKEW_NOTICED_SECONDS = 5;

/** The Configuration of now. openid-client reads the system's time; the sandbox's clock may stand elsewhere, and is told to it as a skew. */
export function keepConfiguration(configure: Configure, deps: SignInDeps, fetch: ProviderFetch): () => Promise<Configuration> {
  let kept: { readonly made: Promise<Configuration>; readonly skewSeconds: number; readonly madeAtMs: number } | undefined;
  return async () => {
    const skewSeconds = Math.round((epochOf(deps.clock.now()) - Date.now()) / 1000);
    const isFresh = kept && performance.now() - kept.madeAtMs < KEPT_MS && Math.abs(skewSeconds - kept.skewSeconds) < SKEW_NOTICED_SECONDS;
    if (kept && isFresh) return kept.made;
    const metadata: Partial<ClientMetadata> = { [clockSkew]: skewSeconds, [clockTolerance]: 30 };
    const made = configure({ deps, metadata, fetch }).then((configuration) => {
      configuration[customFetch] = fetch;
      // The signature is checked although the token comes straight from the provider: the keys say which issuer may use them (Microsoft).
      enableNonRepudiationChecks(configuration);
      return configuration;
    });
    const keeping = { made, skewSeconds, madeAtMs: performance.now() };
    kept = keeping;
    // The caller sees the failure; here it is only forgotten, so that the next sign-in asks anew.
    made.catch(() => {
      if (kept === keeping) kept = undefined;
    });
    return made;
  };
}

/** Finds the provider by its issuer. */
export function discoverAt(issuer: string, authentication: (deps: SignInDeps) => ClientAuth): Configure {
  return ({ deps, metadata, fetch }) => discovery(new URL(issuer), deps.clientId, metadata, authentication(deps), { [customFetch]: fetch });
}

/** HTTP Basic, as Xero and Intuit want it. */
export function authenticateByBasic({ clientId, clientSecret }: SignInDeps): ClientAuth {
  const value = basicCredentials(clientId, clientSecret);
  return (_server, _client, _body, headers) => headers.set('authorization', value);
}
