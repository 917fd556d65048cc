/** Google sign-in. See docs/reference/providers.md section 4. */
import { ClientSecretPost } from 'openid-client';
import { createDiscovery } from '../oidc/oidc-configuration.ts';
import { createOidcSignIn, splitScopes, type OidcProvider } from '../oidc/oidc-sign-in.ts';
import type { SignInDeps, SignInProvider } from '../oidc/sign-in-port.ts';
import { GOOGLE_SCOPE_NAMES, googleClaimsWire } from './google-wire.ts';

/** Google's URL for browsers. */
export const GOOGLE_BROWSER_URL = 'https://accounts.google.com';

const google: OidcProvider = {
  provider: 'google',
  addresses: {
    'https://accounts.google.com/.well-known/openid-configuration': 'discovery',
    'https://oauth2.googleapis.com/token': 'token',
    'https://openidconnect.googleapis.com/v1/userinfo': 'userinfo',
    'https://www.googleapis.com/oauth2/v3/certs': 'jwks',
  },
  configure: createDiscovery('https://accounts.google.com', ({ clientSecret }) => ClientSecretPost(clientSecret)),
  scopes: ['openid', 'email', 'profile'],
  // Without prompt=consent, Google doesn't return a refresh token on a second consent.
  offlineParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  hasNonce: true,
  hasPkce: true,
  readScopes: (scope) => {
    const grantedScopes = splitScopes(scope);
    return [...grantedScopes, ...Object.keys(GOOGLE_SCOPE_NAMES).filter((name) => grantedScopes.includes(GOOGLE_SCOPE_NAMES[name] ?? ''))];
  },
  readIdentity: ({ claims, toTokenError }) => {
    const parsed = googleClaimsWire.safeParse(claims);
    if (!parsed.success) throw toTokenError('id_token_invalid', 'Google’s id_token is missing required fields');
    const { iss, sub, email, email_verified: isVerified, name } = parsed.data;
    return {
      issuer: iss,
      subject: sub,
      emailVerified: email !== undefined && isVerified === true,
      ...(email === undefined ? {} : { email }),
      ...(name === undefined ? {} : { fullName: name }),
    };
  },
};

export function createGoogleSignIn(deps: SignInDeps): SignInProvider {
  return createOidcSignIn(google, deps);
}
