/**
 * Simulates Google sign-in and Gmail below `publicUrl`, in place of accounts.google.com, oauth2, openidconnect, gmail and www. See
 * docs/reference/providers.md section 4.
 */
import { createOidcSimulator, type OidcSimulator } from '../oidc/oidc-simulator.ts';
import { deriveDigits, splitName } from '../oidc/people.ts';
import type { GrantFacts, OidcSimulatorDeps, ProviderProfile } from '../oidc/provider-profile.ts';
import { serveGmail } from './gmail-routes.ts';
import { computeAtHash } from '../oidc/token-endpoint.ts';
import type { Person } from '../oidc/identity-records.ts';
import { GOOGLE_SCOPE_NAMES, type GoogleClaimsWire } from '@portal/providers/google/google-wire.ts';

export const GOOGLE_BASE_PATH = '/google';

/** The only app registered with the simulator. */
export const SANDBOX_GOOGLE = {
  clientId: '481516234200-sandbox.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-sandbox-google-secret',
} as const;

/** Operations for which faults can be set. */
export const GOOGLE_OPERATIONS = ['google.discovery', 'google.token', 'google.userinfo', 'google.jwks', 'google.send_mail'] as const;

const ISSUER = 'https://accounts.google.com';
const SIX_MONTHS_SECONDS = 182 * 86_400;

const google: ProviderProfile = {
  provider: 'google',
  brand: 'Google',
  accent: '#1558b0',
  ...SANDBOX_GOOGLE,
  clientAuthentication: 'either',
  paths: { authorize: '/o/oauth2/v2/auth', token: '/token', jwks: '/oauth2/v3/certs', userinfo: '/v1/userinfo' },
  discovery: {
    path: '/.well-known/openid-configuration',
    document: {
      issuer: ISSUER,
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_endpoint: 'https://oauth2.googleapis.com/token',
      userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
      revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      code_challenge_methods_supported: ['plain', 'S256'],
    },
  },
  scopes: {
    openid: 'know who you are on Google',
    email: 'see your primary Google Account email address',
    profile: 'see your personal info, including any you have made public',
    'https://www.googleapis.com/auth/gmail.send': 'send email on your behalf',
  },
  canUntick: true,
  isConsentRemembered: true,
  deniedParameters: { error: 'access_denied' },
  // Google doesn't document a lifetime for its authorisation code; ten minutes is the maximum that RFC 6749, section 4.1.2, recommends.
  codeSeconds: 600,
  accessSeconds: () => 3_599,
  keys: [{ name: 'google' }],
  completePerson: ({ email, subject }) => ({ subject: subject ?? deriveDigits('google', 'sub', email, 21) }),
  idTokenClaims: ({ person, scopes, accessToken }) => ({
    ...toClaims(person, scopes),
    aud: SANDBOX_GOOGLE.clientId,
    azp: SANDBOX_GOOGLE.clientId,
    at_hash: computeAtHash(accessToken),
  }),
  userinfo: (person, scopes) => {
    const { iss: _iss, ...claims } = toClaims(person, scopes);
    return claims;
  },
  // Google issues a refresh token only for offline access after the consent page was shown. Later sign-ins need prompt=consent to get
  // another.
  shouldGrantRefreshToken: ({ isOffline, consentShown }) => isOffline && consentShown,
  refreshSeconds: SIX_MONTHS_SECONDS,
  renew: () => ({ kind: 'keep' }),
  isKeptRefreshTokenOmitted: true,
  replyExtras: ({ scopes }: GrantFacts) => ({ scope: scopes.map((scope) => GOOGLE_SCOPE_NAMES[scope] ?? scope).join(' ') }),
  tokenType: 'Bearer',
  errors: {
    wrong_client: { status: 401, error: 'invalid_client', description: 'Unauthorized' },
    unknown_code: { status: 400, error: 'invalid_grant', description: 'Malformed auth code.' },
    spent_code: { status: 400, error: 'invalid_grant', description: 'Bad Request' },
    expired_code: { status: 400, error: 'invalid_grant', description: 'Bad Request' },
    wrong_redirect: { status: 400, error: 'redirect_uri_mismatch', description: 'Bad Request' },
    wrong_verifier: { status: 400, error: 'invalid_grant', description: 'Invalid code verifier.' },
    dead_refresh_token: { status: 400, error: 'invalid_grant', description: 'Token has been expired or revoked.' },
  },
  serveExtraRoutes: serveGmail,
};

function toClaims(person: Person, scopes: readonly string[]): GoogleClaimsWire {
  const { subject, email, emailVerified, fullName } = person;
  const { givenName, familyName } = splitName(fullName);
  const domain = email.split('@')[1] ?? '';
  return {
    iss: ISSUER,
    sub: subject,
    ...(scopes.includes('email') ? { email, email_verified: emailVerified } : {}),
    ...(scopes.includes('profile') ? { name: fullName, given_name: givenName, family_name: familyName } : {}),
    ...(emailVerified && domain !== 'gmail.com' ? { hd: domain } : {}),
  };
}

export function createGoogleSimulator(deps: OidcSimulatorDeps): OidcSimulator {
  return createOidcSimulator(google, deps);
}
