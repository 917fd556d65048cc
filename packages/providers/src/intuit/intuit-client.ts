/** Intuit (QuickBooks) sign-in. See docs/reference/providers.md section 2. */
import { Configuration, fetchUserInfo, type ClientAuth, type TokenEndpointResponse } from 'openid-client';
import { authenticateByBasic, type Configure } from '../oidc/oidc-configuration.ts';
import { createOidcSignIn, type OidcProvider, type SignedIn } from '../oidc/oidc-sign-in.ts';
import type { SignInDeps, SignInProvider } from '../oidc/sign-in-port.ts';
import {
  HARD_EXPIRY_HEADER,
  INTUIT_ACCOUNTING_SCOPE,
  INTUIT_ISSUER,
  intuitClaimsWire,
  intuitTokenWire,
  intuitUserinfoWire,
  realmIdWire,
} from './intuit-wire.ts';

/** Intuit's URL for browsers. */
export const INTUIT_BROWSER_URL = 'https://appcenter.intuit.com';

const TOKEN_URL = 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer';
const JWKS_URL = 'https://oauth.platform.intuit.com/op/v1/jwks';
const USERINFO_URL = 'https://accounts.platform.intuit.com/v1/openid_connect/userinfo';

/** Intuit's discovery document isn't at its issuer, where openid-client looks for it, so its content is repeated here. */
const configureIntuit: Configure = async ({ deps, metadata }) =>
  new Configuration(
    {
      issuer: INTUIT_ISSUER,
      authorization_endpoint: `${INTUIT_BROWSER_URL}/connect/oauth2`,
      token_endpoint: TOKEN_URL,
      jwks_uri: JWKS_URL,
      userinfo_endpoint: USERINFO_URL,
      id_token_signing_alg_values_supported: ['RS256'],
    },
    deps.clientId,
    metadata,
    authenticateIntuit(deps),
  );

function authenticateIntuit(deps: SignInDeps): ClientAuth {
  const basic = authenticateByBasic(deps);
  return (server, client, body, headers) => {
    headers.set(HARD_EXPIRY_HEADER, 'true');
    return basic(server, client, body, headers);
  };
}

const intuit: OidcProvider = {
  provider: 'intuit',
  addresses: { [TOKEN_URL]: 'token', [JWKS_URL]: 'jwks', [USERINFO_URL]: 'userinfo' },
  configure: configureIntuit,
  scopes: ['openid', 'email', 'profile'],
  // Intuit's discovery document mentions neither nonce nor PKCE, so the nonce wouldn't be returned and PKCE wouldn't protect the code.
  hasNonce: false,
  hasPkce: false,
  getRefreshTtlSeconds,
  readIdentity: async (signedIn) => {
    const { claims, reply, configuration, toTokenError } = signedIn;
    const parsed = intuitClaimsWire.safeParse(claims);
    if (!parsed.success) throw toTokenError('id_token_invalid', 'Intuit’s id_token is missing required fields');
    const realmId = readRealmId(signedIn, parsed.data.realmid);
    // openid-client rejects userinfo for a different subject.
    const userinfo = intuitUserinfoWire.safeParse(await fetchUserInfo(configuration, reply.access_token, parsed.data.sub));
    if (!userinfo.success) throw toTokenError('userinfo_invalid', 'Intuit’s userinfo is missing required fields');
    const { email, emailVerified, givenName, familyName } = userinfo.data;
    const fullName = [givenName, familyName].filter((part) => part !== undefined && part !== '').join(' ');
    return {
      issuer: parsed.data.iss,
      subject: parsed.data.sub,
      emailVerified: email !== undefined && emailVerified === true,
      ...(email === undefined ? {} : { email }),
      ...(fullName === '' ? {} : { fullName }),
      ...(realmId === undefined ? {} : { realmId }),
    };
  },
};

/** The company ID is only in the callback's query, so it must be read now. It can be trusted because `state` is ours. */
function readRealmId({ params, requestedScopes, toTokenError }: SignedIn, claimedRealmId: string | undefined): string | undefined {
  if (!requestedScopes.includes(INTUIT_ACCOUNTING_SCOPE)) return undefined;
  const realmIds = params.getAll('realmId');
  if (realmIds.length === 0) return undefined;
  const realmId = realmIdWire.safeParse(realmIds[0]);
  if (realmIds.length > 1 || !realmId.success) throw toTokenError('realm_mismatch', 'realmId is not exactly one company id');
  if (claimedRealmId !== undefined && claimedRealmId !== realmId.data)
    throw toTokenError('realm_mismatch', 'realmId is not the company of the id_token');
  return realmId.data;
}

/** Returns the rolling lifetime, or what is left of the absolute five years if that is shorter. */
function getRefreshTtlSeconds(reply: TokenEndpointResponse): number | undefined {
  const parsed = intuitTokenWire.safeParse(reply);
  if (!parsed.success) return undefined;
  const { x_refresh_token_expires_in: rollingExpirySeconds, x_refresh_token_hard_expires_in: hardExpirySeconds } = parsed.data;
  return Math.min(rollingExpirySeconds, hardExpirySeconds ?? rollingExpirySeconds);
}

export function createIntuitSignIn(deps: SignInDeps): SignInProvider {
  return createOidcSignIn(intuit, deps);
}
