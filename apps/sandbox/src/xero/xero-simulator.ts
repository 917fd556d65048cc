/** Simulates Xero's identity provider, for login.xero.com and identity.xero.com. See docs/reference/providers.md section 1. */
import { createOidcSimulator, type OidcSimulator } from '../oidc/oidc-simulator.ts';
import { deriveGuid, deriveHex, splitName } from '../oidc/people.ts';
import type { GrantFacts, OidcSimulatorDeps, ProviderProfile } from '../oidc/provider-profile.ts';
import { computeAtHash } from '../oidc/token-endpoint.ts';
import { connectXeroOrganisations, serveXeroApi } from './xero-api-routes.ts';
import { XERO_ISSUER, type XeroClaimsWire } from '@portal/providers/xero/xero-wire.ts';

export const XERO_BASE_PATH = '/xero';

/** The only app registered with the simulator. */
export const SANDBOX_XERO = {
  clientId: '5A9D0B7C3E1F4A2680C1D2E3F4A5B6C7',
  clientSecret: 'sandbox-xero_secret-0123456789',
  webhookKey: 'sandbox-xero-webhooks',
} as const;

/** Operations for which faults can be set. */
export const XERO_OPERATIONS = ['xero.discovery', 'xero.token', 'xero.userinfo', 'xero.jwks'] as const;

/** How long a refresh token remains valid after a new one is issued, in case that response was lost. */
const REUSE_GRACE_MS = 30 * 60_000;

const xero: ProviderProfile = {
  provider: 'xero',
  brand: 'Xero',
  accent: '#0a5f7d',
  ...SANDBOX_XERO,
  clientAuthentication: 'basic',
  paths: {
    authorize: '/identity/connect/authorize',
    token: '/connect/token',
    jwks: '/.well-known/openid-configuration/jwks',
    userinfo: '/connect/userinfo',
  },
  discovery: {
    path: '/.well-known/openid-configuration',
    document: {
      issuer: XERO_ISSUER,
      authorization_endpoint: 'https://login.xero.com/identity/connect/authorize',
      token_endpoint: `${XERO_ISSUER}/connect/token`,
      userinfo_endpoint: `${XERO_ISSUER}/connect/userinfo`,
      revocation_endpoint: `${XERO_ISSUER}/connect/revocation`,
      jwks_uri: `${XERO_ISSUER}/.well-known/openid-configuration/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      code_challenge_methods_supported: ['plain', 'S256'],
    },
  },
  // Apps created since 2 March 2026 only get granular scopes; broad ones are rejected.
  scopes: {
    openid: 'know who you are at Xero',
    profile: 'see your name',
    email: 'see your email address',
    offline_access: 'keep its access until you withdraw it',
    'accounting.settings.read': 'view your organisation settings',
    'accounting.contacts.read': 'view your contacts',
    'accounting.invoices.read': 'view your invoices, credit notes and quotes',
    'accounting.payments.read': 'view your payments',
    'accounting.banktransactions.read': 'view your bank transactions',
    'accounting.manualjournals.read': 'view your manual journals',
    'accounting.reports.trialbalance.read': 'view your trial balance',
  },
  isConsentRemembered: true,
  findRedirectProblem: (redirectUri) => {
    const { protocol, hostname } = new URL(redirectUri);
    const isAllowed = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
    return isAllowed ? undefined : 'a redirect URI is https, or http://localhost';
  },
  deniedParameters: { error: 'access_denied' },
  codeSeconds: 300,
  accessSeconds: () => 1_800,
  accessTokenClaims: ({ person, scopes, signedInAt }) => ({
    iss: XERO_ISSUER,
    aud: `${XERO_ISSUER}/resources`,
    client_id: SANDBOX_XERO.clientId,
    sub: person.subject,
    auth_time: signedInAt,
    xero_userid: deriveGuid('xero', 'xero_userid', person.subject),
    global_session_id: toSessionId(person.subject, signedInAt),
    authentication_event_id: deriveGuid('xero', 'authentication_event_id', `${person.subject} ${signedInAt}`),
    scope: [...scopes],
  }),
  idTokenClaims: ({ accessToken, ...grant }) => ({
    ...toClaims(grant),
    aud: SANDBOX_XERO.clientId,
    nbf: grant.issuedAt,
    auth_time: grant.signedInAt,
    idp: 'local',
    amr: ['pwd', 'mfa'],
    sid: deriveHex('xero', 'sid', `${grant.person.subject} ${grant.signedInAt}`).slice(0, 32),
    at_hash: computeAtHash(accessToken),
  }),
  idTokenSeconds: 300,
  keys: [{ name: 'xero' }],
  completePerson: ({ email, subject }) => ({ subject: subject ?? deriveHex('xero', 'sub', email).slice(0, 32) }),
  userinfo: (person, scopes) => toClaims({ person, scopes, signedInAt: 0 }),
  shouldGrantRefreshToken: ({ scopes }) => scopes.includes('offline_access'),
  refreshSeconds: 60 * 86_400,
  renew: (_used, nowMs) => ({ kind: 'replace', oldUntilMs: nowMs + REUSE_GRACE_MS }),
  replyExtras: ({ scopes }) => ({ scope: scopes.join(' ') }),
  tokenType: 'Bearer',
  onGrant: connectXeroOrganisations,
  serveExtraRoutes: serveXeroApi,
  errors: { wrong_client: { status: 400, error: 'invalid_client' } },
};

function toClaims({ person, scopes, signedInAt }: Pick<GrantFacts, 'person' | 'scopes' | 'signedInAt'>): XeroClaimsWire {
  const { givenName, familyName } = splitName(person.fullName);
  return {
    iss: XERO_ISSUER,
    sub: person.subject,
    xero_userid: deriveGuid('xero', 'xero_userid', person.subject),
    global_session_id: toSessionId(person.subject, signedInAt),
    ...(scopes.includes('email') ? { email: person.email } : {}),
    ...(scopes.includes('profile') ? { preferred_username: person.email, given_name: givenName, family_name: familyName } : {}),
  };
}

function toSessionId(subject: string, signedInAt: number): string {
  return deriveHex('xero', 'global_session_id', `${subject} ${signedInAt}`).slice(0, 32);
}

export function createXeroSimulator(deps: OidcSimulatorDeps): OidcSimulator {
  return createOidcSimulator(xero, deps);
}
