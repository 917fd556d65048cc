/**
 * Simulates FreeAgent sign-in for api.freeagent.com: OAuth without scopes, and GET /v2/users/me. See docs/reference/providers.md section 3.
 */
import { createOidcSimulator, type OidcSimulator } from '../oidc/oidc-simulator.ts';
import { deriveDigits, splitName } from '../oidc/people.ts';
import type { OidcSimulatorDeps, ProviderProfile } from '../oidc/provider-profile.ts';
import { serveFreeAgentApi, serveFreeAgentPracticeApi } from './freeagent-api-routes.ts';
import { FREEAGENT_API, type FreeAgentTokenWire, type FreeAgentUserWire } from '@portal/providers/freeagent/freeagent-wire.ts';

export const FREEAGENT_BASE_PATH = '/freeagent';

/** The only app registered with the simulator. */
export const SANDBOX_FREEAGENT = { clientId: 'sandbox_FreeAgent-client', clientSecret: 'sandbox_FreeAgent-secret' } as const;

/** The app with FreeAgent's option “Enable Accountancy Practice API”. */
export const SANDBOX_FREEAGENT_PRACTICE = {
  clientId: 'sandbox_FreeAgent-practice-client',
  clientSecret: 'sandbox_FreeAgent-practice-secret',
} as const;

/** Operations for which faults can be set. */
export const FREEAGENT_OPERATIONS = ['freeagent.token', 'freeagent.userinfo'] as const;

/** About twenty years, in seconds. */
const REFRESH_SECONDS = 631_151_957;

const freeAgent: ProviderProfile = {
  provider: 'freeagent',
  brand: 'FreeAgent',
  accent: '#0b6b5c',
  ...SANDBOX_FREEAGENT,
  clientAuthentication: 'basic',
  paths: { authorize: '/v2/approve_app', token: '/v2/token_endpoint', userinfo: '/v2/users/me' },
  scopes: undefined,
  isConsentRemembered: false,
  deniedParameters: { error: 'access_denied', error_description: 'The resource owner or authorization server denied the request.' },
  codeSeconds: 15 * 60,
  accessSeconds: () => 3_600,
  keys: [],
  completePerson: ({ email, subject }) => ({
    subject: subject ?? `${FREEAGENT_API}/users/${deriveDigits('freeagent', 'user', email, 7)}`,
  }),
  userinfo: ({ subject, email, fullName }): FreeAgentUserWire => {
    const { givenName, familyName } = splitName(fullName);
    return { user: { url: subject, email, first_name: givenName, last_name: familyName, role: 'Director', permission_level: 8 } };
  },
  shouldGrantRefreshToken: () => true,
  refreshSeconds: REFRESH_SECONDS,
  renew: (_used, nowMs) => ({ kind: 'replace', oldUntilMs: nowMs }),
  replyExtras: (): Pick<FreeAgentTokenWire, 'refresh_token_expires_in'> => ({ refresh_token_expires_in: REFRESH_SECONDS }),
  serveExtraRoutes: serveFreeAgentApi,
  tokenType: 'bearer',
  findCallProblem: (headers) => ((headers['user-agent'] ?? '').trim() === '' ? 'A User-Agent header is required.' : undefined),
};

/** For account managers of practices. FreeAgent uses the same URLs for both apps; here each has a separate simulator. */
const freeAgentPractice: ProviderProfile = {
  ...freeAgent,
  ...SANDBOX_FREEAGENT_PRACTICE,
  provider: 'freeagent_practice',
  // An account manager isn't a user of a company.
  paths: { authorize: freeAgent.paths.authorize, token: freeAgent.paths.token },
  serveExtraRoutes: serveFreeAgentPracticeApi,
};

export function createFreeAgentSimulator(deps: OidcSimulatorDeps): OidcSimulator {
  return createOidcSimulator(freeAgent, deps);
}

export function createFreeAgentPracticeSimulator(deps: OidcSimulatorDeps): OidcSimulator {
  return createOidcSimulator(freeAgentPractice, deps);
}
