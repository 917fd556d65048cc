/**
 * Microsoft sign-in for work and personal accounts (docs/reference/providers.md section 5). A user is identified only by tenant ID and
 * object ID together.
 */
import { decodeProtectedHeader } from 'jose';
import { ClientSecretPost, getJwksCache, type Configuration } from 'openid-client';
import { createDiscovery } from '../oidc/oidc-configuration.ts';
import { createOidcSignIn, splitScopes, type OidcProvider } from '../oidc/oidc-sign-in.ts';
import type { SignInDeps, SignInProvider } from '../oidc/sign-in-port.ts';
import { getMicrosoftIssuer, GRAPH_PREFIX, microsoftClaimsWire, microsoftKeyWire } from './microsoft-wire.ts';

/** Microsoft's URL for browsers. */
export const MICROSOFT_BROWSER_URL = 'https://login.microsoftonline.com';

const microsoft: OidcProvider = {
  provider: 'microsoft',
  addresses: {
    'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration': 'discovery',
    'https://login.microsoftonline.com/common/oauth2/v2.0/token': 'token',
    'https://login.microsoftonline.com/common/discovery/v2.0/keys': 'jwks',
    'https://graph.microsoft.com/oidc/userinfo': 'userinfo',
  },
  // openid-client replaces `{tenantid}` in the issuer only for this exact origin, so it is also used with the simulator.
  configure: createDiscovery('https://login.microsoftonline.com/common/v2.0', ({ clientSecret }) => ClientSecretPost(clientSecret)),
  scopes: ['openid', 'profile', 'email'],
  offlineScopes: ['offline_access'],
  hasNonce: true,
  hasPkce: true,
  readScopes: (scope) => splitScopes(scope).flatMap((name) => [name, name.replace(GRAPH_PREFIX, '')]),
  readIdentity: ({ claims, reply, configuration, toTokenError }) => {
    const read = microsoftClaimsWire.safeParse(claims);
    if (!read.success) throw toTokenError('id_token_invalid', 'Microsoft’s id_token has no GUID in tid or oid');
    const { iss, tid, oid, email, name } = read.data;
    if (iss !== getMicrosoftIssuer(tid)) throw toTokenError('id_token_invalid', 'iss is not the issuer of the tenant in tid');
    if (!isKeyTrustedForIssuer(configuration, reply.id_token ?? '', iss, tid)) {
      throw toTokenError('id_token_invalid', 'the signing key belongs to another issuer');
    }
    return {
      issuer: iss,
      // Uses the object ID instead of the pairwise `sub`, because it stays the same when the application registration changes.
      subject: oid,
      // Never trusted, because a tenant's administrator can write any address into the token ("nOAuth").
      emailVerified: false,
      ...(email === undefined ? {} : { email }),
      ...(name === undefined ? {} : { fullName: name }),
    };
  },
};

/** The signature has already been verified, so the key is in the cache. */
function isKeyTrustedForIssuer(configuration: Configuration, idToken: string, iss: string, tid: string): boolean {
  const { kid } = decodeProtectedHeader(idToken);
  const keys = getJwksCache(configuration)?.jwks.keys ?? [];
  const key = keys.map((candidate) => microsoftKeyWire.safeParse(candidate).data).find((candidate) => candidate?.kid === kid);
  return key !== undefined && (key.issuer === undefined || key.issuer.replace('{tenantid}', tid) === iss);
}

export function createMicrosoftSignIn(deps: SignInDeps): SignInProvider {
  return createOidcSignIn(microsoft, deps);
}
