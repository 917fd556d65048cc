/**
 * Simulates the `common` endpoint of the Microsoft identity platform, for login.microsoftonline.com, and Graph's userinfo. See
 * docs/reference/providers.md section 5.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { createOidcSimulator, type OidcSimulator } from '../oidc/oidc-simulator.ts';
import { serveGraphMail } from './graph-mail-routes.ts';
import { deriveGuid, deriveHex, splitName } from '../oidc/people.ts';
import type { GrantFacts, OidcSimulatorDeps, ProviderProfile, Refusal } from '../oidc/provider-profile.ts';
import { CONSUMER_TENANT, GRAPH_PREFIX, getMicrosoftIssuer, type MicrosoftClaimsWire } from '@portal/providers/microsoft/microsoft-wire.ts';

export const MICROSOFT_BASE_PATH = '/microsoft';

/** The only app registered with the simulator. */
export const SANDBOX_MICROSOFT = {
  clientId: '6f1d3c52-0a7e-4b58-9c1d-5a2e8f4b7d10',
  clientSecret: 'sandbox~Microsoft.secret_value',
} as const;

/** Operations for which faults can be set. */
export const MICROSOFT_OPERATIONS = [
  'microsoft.discovery',
  'microsoft.token',
  'microsoft.userinfo',
  'microsoft.jwks',
  'microsoft.send_mail',
] as const;

/** Microsoft publishes this issuer with the braces. */
const COMMON_ISSUER = getMicrosoftIssuer('{tenantid}');
const COMMON_AUTHORITY_URL = 'https://login.microsoftonline.com/common';

/** Email addresses at these domains are personal accounts. Every other domain is an organisation with its own tenant. */
const PERSONAL_DOMAINS: ReadonlySet<string> = new Set([
  'outlook.com',
  'hotmail.com',
  'live.com',
  'msn.com',
  'hotmail.co.uk',
  'outlook.example',
]);

const IDENTITY_SCOPES: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

const AADSTS_CODES: Readonly<Record<Refusal, readonly [number, string]>> = {
  wrong_client: [7_000_215, 'Invalid client secret provided.'],
  bad_request: [900_144, "The request body must contain the following parameter: 'grant_type'."],
  unsupported_grant: [70_003, 'The app requested an unsupported grant type.'],
  unknown_code: [9_002_313, 'Invalid request. Request is malformed or invalid.'],
  spent_code: [54_005, 'OAuth2 Authorization code was already redeemed.'],
  expired_code: [70_008, 'The provided authorization code or refresh token has expired due to inactivity.'],
  wrong_redirect: [500_112, 'The reply address does not match the reply address provided when requesting Authorization code.'],
  wrong_verifier: [501_481, 'The Code_Verifier does not match the code_challenge supplied in the authorization request.'],
  dead_refresh_token: [700_082, 'The refresh token has expired due to inactivity.'],
};

const microsoft: ProviderProfile = {
  provider: 'microsoft',
  brand: 'Microsoft',
  accent: '#0b5cad',
  ...SANDBOX_MICROSOFT,
  clientAuthentication: 'either',
  paths: {
    authorize: '/common/oauth2/v2.0/authorize',
    token: '/common/oauth2/v2.0/token',
    jwks: '/common/discovery/v2.0/keys',
    userinfo: '/oidc/userinfo',
  },
  discovery: {
    path: '/common/v2.0/.well-known/openid-configuration',
    document: {
      issuer: COMMON_ISSUER,
      authorization_endpoint: `${COMMON_AUTHORITY_URL}/oauth2/v2.0/authorize`,
      token_endpoint: `${COMMON_AUTHORITY_URL}/oauth2/v2.0/token`,
      jwks_uri: `${COMMON_AUTHORITY_URL}/discovery/v2.0/keys`,
      userinfo_endpoint: `${GRAPH_PREFIX}oidc/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      request_uri_parameter_supported: false,
    },
  },
  scopes: {
    openid: 'sign you in',
    profile: 'view your basic profile',
    email: 'view your email address',
    offline_access: 'maintain access to data you have given it access to',
    'User.Read': 'read your profile',
    'Mail.Send': 'send mail as you',
  },
  isConsentRemembered: true,
  deniedParameters: {
    error: 'access_denied',
    error_subcode: 'cancel',
    error_description: 'AADSTS65004: User declined to consent to access the app.',
  },
  // Microsoft doesn't document a lifetime for its authorisation code; ten minutes is the maximum that RFC 6749, section 4.1.2, recommends.
  codeSeconds: 600,
  accessSeconds: () => randomInt(3_600, 5_401),
  keys: [
    { name: 'work', issuer: COMMON_ISSUER },
    { name: 'consumer', issuer: getMicrosoftIssuer(CONSUMER_TENANT) },
  ],
  getKeyName: ({ tenantId }) => (tenantId === CONSUMER_TENANT ? 'consumer' : 'work'),
  completePerson: ({ email, subject, tenantId }) => ({
    subject: subject ?? deriveGuid('microsoft', 'oid', email),
    tenantId: tenantId ?? getTenantId(email),
  }),
  idTokenClaims: (grant) => ({
    ...toClaims(grant),
    aud: SANDBOX_MICROSOFT.clientId,
    nbf: grant.issuedAt,
    rh: '0.sandbox.',
    uti: deriveHex('microsoft', 'uti', grant.accessToken).slice(0, 22),
    ver: '2.0',
  }),
  userinfo: (person, scopes) => {
    const { givenName, familyName } = splitName(person.fullName);
    return {
      sub: derivePairwiseSubject(person.subject),
      name: person.fullName,
      given_name: givenName,
      family_name: familyName,
      ...(scopes.includes('email') ? { email: person.email } : {}),
    };
  },
  shouldGrantRefreshToken: ({ scopes }) => scopes.includes('offline_access'),
  refreshSeconds: 90 * 86_400,
  renew: () => ({ kind: 'add' }),
  replyExtras: ({ scopes }) => ({
    scope: scopes
      .filter((scope) => scope !== 'offline_access')
      .map(toLongScopeName)
      .join(' '),
    ext_expires_in: 3_600,
  }),
  tokenType: 'Bearer',
  errors: Object.fromEntries(
    Object.entries(AADSTS_CODES).map(([refusal, [number, words]]) => [
      refusal,
      { status: refusal === 'wrong_client' ? 401 : 400, error: toOauthError(refusal), description: `AADSTS${number}: ${words}` },
    ]),
  ),
  errorExtras: (refusal, nowMs) => ({
    error_codes: [AADSTS_CODES[refusal][0]],
    timestamp: new Date(nowMs)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, 'Z'),
    trace_id: randomUUID(),
    correlation_id: randomUUID(),
  }),
  serveExtraRoutes: serveGraphMail,
};

function toOauthError(refusal: string): string {
  if (refusal === 'wrong_client') return 'invalid_client';
  if (refusal === 'bad_request') return 'invalid_request';
  return refusal === 'unsupported_grant' ? 'unsupported_grant_type' : 'invalid_grant';
}

function toClaims({ person, scopes }: GrantFacts): MicrosoftClaimsWire {
  const tid = person.tenantId ?? getTenantId(person.email);
  return {
    iss: getMicrosoftIssuer(tid),
    sub: derivePairwiseSubject(person.subject),
    tid,
    oid: person.subject,
    ...(scopes.includes('profile') ? { name: person.fullName, preferred_username: person.email } : {}),
    ...(scopes.includes('email') ? { email: person.email } : {}),
  };
}

/** Returns the user's pairwise subject, which is different for each app. */
function derivePairwiseSubject(oid: string): string {
  return Buffer.from(deriveHex('microsoft', SANDBOX_MICROSOFT.clientId, oid), 'hex').toString('base64url');
}

function getTenantId(email: string): string {
  const domain = (email.split('@')[1] ?? '').split('#')[0]?.toLowerCase() ?? '';
  return PERSONAL_DOMAINS.has(domain) ? CONSUMER_TENANT : deriveGuid('microsoft', 'tenant', domain);
}

/** Graph's scopes are returned with their full names. */
function toLongScopeName(scope: string): string {
  return IDENTITY_SCOPES.has(scope) ? scope : `${GRAPH_PREFIX}${scope}`;
}

export function createMicrosoftSimulator(deps: OidcSimulatorDeps): OidcSimulator {
  return createOidcSimulator(microsoft, deps);
}
