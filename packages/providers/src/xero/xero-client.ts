/** Xero sign-in (docs/reference/providers.md section 1): the browser goes to login.xero.com, and all other calls to identity.xero.com. */
import { authenticateByBasic, createDiscovery } from '../oidc/oidc-configuration.ts';
import { createOidcSignIn, type OidcProvider } from '../oidc/oidc-sign-in.ts';
import type { SignInDeps, SignInProvider } from '../oidc/sign-in-port.ts';
import { XERO_ISSUER, xeroClaimsWire } from './xero-wire.ts';

/** Xero's URL for browsers; its token endpoint is on another host. */
export const XERO_BROWSER_URL = 'https://login.xero.com';

/** 60 days from each refresh. See docs/reference/providers.md section 0. */
const REFRESH_TOKEN_TTL_SECONDS = 60 * 86_400;

const xero: OidcProvider = {
  provider: 'xero',
  addresses: {
    'https://identity.xero.com/.well-known/openid-configuration': 'discovery',
    'https://identity.xero.com/connect/token': 'token',
    'https://identity.xero.com/.well-known/openid-configuration/jwks': 'jwks',
    'https://identity.xero.com/connect/userinfo': 'userinfo',
  },
  configure: createDiscovery(XERO_ISSUER, authenticateByBasic),
  // Doesn't request any API scopes: they would connect an organisation, which many users don't want and a Xero pricing tier may reject.
  scopes: ['openid', 'profile', 'email'],
  offlineScopes: ['offline_access'],
  hasNonce: true,
  hasPkce: true,
  getRefreshTtlSeconds: ({ refresh_token: token }) => (token === undefined ? undefined : REFRESH_TOKEN_TTL_SECONDS),
  readIdentity: ({ claims, toTokenError }) => {
    const parsed = xeroClaimsWire.safeParse(claims);
    if (!parsed.success) throw toTokenError('id_token_invalid', 'Xero’s id_token is missing required fields');
    const { iss, sub, email, given_name: givenName, family_name: familyName } = parsed.data;
    const fullName = [givenName, familyName].filter((part) => part !== undefined && part !== '').join(' ');
    return {
      issuer: iss,
      subject: sub,
      emailVerified: false,
      ...(email === undefined ? {} : { email }),
      ...(fullName === '' ? {} : { fullName }),
    };
  },
};

export function createXeroSignIn(deps: SignInDeps): SignInProvider {
  return createOidcSignIn(xero, deps);
}
