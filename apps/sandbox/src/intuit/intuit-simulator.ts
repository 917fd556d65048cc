/**
 * Simulates Intuit sign-in for appcenter, oauth.platform, accounts.platform and developer.api.intuit.com. See docs/reference/providers.md
 * section 2.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { createOidcSimulator, type OidcSimulator } from '../oidc/oidc-simulator.ts';
import type { RefreshRecord } from '../oidc/identity-records.ts';
import { deriveDigits, deriveGuid, splitName } from '../oidc/people.ts';
import type { GrantFacts, OidcSimulatorDeps, ProviderProfile } from '../oidc/provider-profile.ts';
import { serveQuickBooksApi } from './quickbooks-api-routes.ts';
import {
  HARD_EXPIRY_HEADER,
  INTUIT_ACCOUNTING_SCOPE,
  INTUIT_ISSUER,
  type IntuitClaimsWire,
  type IntuitTokenWire,
  type IntuitUserinfoWire,
} from '@portal/providers/intuit/intuit-wire.ts';

export const INTUIT_BASE_PATH = '/intuit';

/** The only app registered with the simulator. */
export const SANDBOX_INTUIT = {
  clientId: 'ABsandboxIntuitClient0123456789abcdefghijklmnopqrst',
  clientSecret: 'sandboxIntuitSecret0123456789abcdefghij',
  webhookKey: 'sandbox-intuit-webhooks',
} as const;

/** Operations for which faults can be set. */
export const INTUIT_OPERATIONS = ['intuit.discovery', 'intuit.token', 'intuit.userinfo', 'intuit.jwks'] as const;

const REFRESH_SECONDS = 8_726_400;
const HARD_EXPIRY_SECONDS = 5 * 365 * 86_400;
/** The refresh token changes about once a day; until then the same one is returned. */
const ROTATION_INTERVAL_MS = 86_400_000;

const intuit: ProviderProfile = {
  provider: 'intuit',
  brand: 'Intuit',
  accent: '#1c6b12',
  ...SANDBOX_INTUIT,
  clientAuthentication: 'either',
  paths: {
    authorize: '/connect/oauth2',
    token: '/oauth2/v1/tokens/bearer',
    jwks: '/op/v1/jwks',
    userinfo: '/v1/openid_connect/userinfo',
  },
  // Intuit's discovery path is not below the issuer, and contains an underscore.
  discovery: {
    path: '/.well-known/openid_configuration',
    document: {
      issuer: INTUIT_ISSUER,
      authorization_endpoint: 'https://appcenter.intuit.com/connect/oauth2',
      token_endpoint: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
      userinfo_endpoint: 'https://accounts.platform.intuit.com/v1/openid_connect/userinfo',
      revocation_endpoint: 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke',
      jwks_uri: 'https://oauth.platform.intuit.com/op/v1/jwks',
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile', 'address', 'phone'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      claims_supported: ['aud', 'exp', 'iat', 'iss', 'realmid', 'sub'],
    },
  },
  scopes: {
    openid: 'know who you are at Intuit',
    email: 'see your email address',
    profile: 'see your name',
    phone: 'see your phone number',
    address: 'see your postal address',
    [INTUIT_ACCOUNTING_SCOPE]: 'read and change your QuickBooks accounting data',
  },
  companyScope: INTUIT_ACCOUNTING_SCOPE,
  isConsentRemembered: true,
  deniedParameters: { error: 'access_denied' },
  // Intuit doesn't document a lifetime for its authorisation code; ten minutes is the maximum that RFC 6749, section 4.1.2, recommends.
  codeSeconds: 600,
  accessSeconds: () => 3_600,
  idTokenClaims: toClaims,
  isNonceIgnored: true,
  keys: [{ name: 'intuit' }],
  completePerson: ({ email, subject, fullName, companies }) => ({
    subject: subject ?? deriveGuid('intuit', 'sub', email),
    companies: companies ?? [{ realmId: deriveDigits('intuit', 'realm', email, 16), name: `${fullName}’s company` }],
  }),
  userinfo: (person, scopes): IntuitUserinfoWire => {
    const { givenName, familyName } = splitName(person.fullName);
    return {
      sub: person.subject,
      ...(scopes.includes('email') ? { email: person.email, emailVerified: person.emailVerified } : {}),
      ...(scopes.includes('profile') ? { givenName, familyName } : {}),
    };
  },
  shouldGrantRefreshToken: () => true,
  refreshSeconds: REFRESH_SECONDS,
  renew: (usedToken, nowMs) => {
    if (nowMs >= getHardExpiryMs(usedToken)) return { kind: 'reject' };
    return nowMs - Date.parse(usedToken.issuedAt) < ROTATION_INTERVAL_MS ? { kind: 'keep' } : { kind: 'replace', oldUntilMs: nowMs };
  },
  replyExtras: (_grant, { refresh, headers }) => (refresh ? toRefreshLifetimes(refresh, headers) : {}),
  serveExtraRoutes: serveQuickBooksApi,
  tokenType: 'bearer',
  errors: {
    unknown_code: { status: 400, error: 'invalid_grant', description: 'Token invalid' },
    spent_code: { status: 400, error: 'invalid_grant', description: 'Token invalid' },
    expired_code: { status: 400, error: 'invalid_grant', description: 'Token invalid' },
    wrong_redirect: { status: 400, error: 'invalid_grant', description: 'Token invalid' },
    wrong_verifier: { status: 400, error: 'invalid_grant', description: 'Token invalid' },
    dead_refresh_token: { status: 400, error: 'invalid_grant', description: 'Token invalid' },
  },
};

function toClaims({ person, realmId, signedInAt }: GrantFacts): IntuitClaimsWire {
  return {
    iss: INTUIT_ISSUER,
    sub: person.subject,
    aud: [SANDBOX_INTUIT.clientId],
    auth_time: signedInAt,
    ...(realmId === undefined ? {} : { realmid: realmId }),
  };
}

function toRefreshLifetimes(refresh: RefreshRecord, headers: IncomingHttpHeaders): IntuitTokenWire {
  const nowMs = Date.parse(refresh.usedAt);
  return {
    x_refresh_token_expires_in: Math.floor((Date.parse(refresh.expiresAt) - nowMs) / 1000),
    ...(headers[HARD_EXPIRY_HEADER] === 'true'
      ? { x_refresh_token_hard_expires_in: Math.floor((getHardExpiryMs(refresh) - nowMs) / 1000) }
      : {}),
  };
}

function getHardExpiryMs({ signedInAt }: RefreshRecord): number {
  return Date.parse(signedInAt) + HARD_EXPIRY_SECONDS * 1000;
}

export function createIntuitSimulator(deps: OidcSimulatorDeps): OidcSimulator {
  return createOidcSimulator(intuit, deps);
}
