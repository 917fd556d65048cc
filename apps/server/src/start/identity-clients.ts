/** The clients of the ways in: of the real companies where they are set up, of their doubles in the sandbox, none otherwise. */
import type { Clock } from '@portal/domain/clock.ts';
import { createCompaniesHouseClient } from '@portal/providers/companies-house/companies-house-client.ts';
import { SANDBOX_COMPANIES_HOUSE } from '@portal/sandbox/companies-house/sandbox-credentials.ts';
import { createFreeAgentSignIn, FREEAGENT_BROWSER_URL } from '@portal/providers/freeagent/freeagent-client.ts';
import { SANDBOX_FREEAGENT } from '@portal/sandbox/freeagent/freeagent-simulator.ts';
import { createGoogleSignIn, GOOGLE_BROWSER_URL } from '@portal/providers/google/google-client.ts';
import { SANDBOX_GOOGLE } from '@portal/sandbox/google/google-simulator.ts';
import { createIdentityCheckClient } from '@portal/providers/identity-check/identity-check-client.ts';
import { SANDBOX_IDENTITY_CHECK } from '@portal/sandbox/identity-check/sandbox-credentials.ts';
import { createIntuitSignIn, INTUIT_BROWSER_URL } from '@portal/providers/intuit/intuit-client.ts';
import { SANDBOX_INTUIT } from '@portal/sandbox/intuit/intuit-simulator.ts';
import { createMicrosoftSignIn, MICROSOFT_BROWSER_URL } from '@portal/providers/microsoft/microsoft-client.ts';
import { SANDBOX_MICROSOFT } from '@portal/sandbox/microsoft/microsoft-simulator.ts';
import type { SignInDeps, SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import { SANDBOX_TWILIO } from '@portal/sandbox/twilio/sandbox-credentials.ts';
import { createTwilioVerifyClient } from '@portal/providers/twilio/twilio-client.ts';
import { createXeroSignIn, XERO_BROWSER_URL } from '@portal/providers/xero/xero-client.ts';
import { SANDBOX_XERO } from '@portal/sandbox/xero/xero-simulator.ts';
import type { AppDeps } from '../app-deps.ts';
import type { IdentitySettings } from '../settings.ts';

export const SIGN_IN_CALLBACK_PATH = '/portal/v2/auth/callback';

const CLIENTS = {
  google: { create: createGoogleSignIn, browserUrl: GOOGLE_BROWSER_URL, sandbox: SANDBOX_GOOGLE },
  microsoft: { create: createMicrosoftSignIn, browserUrl: MICROSOFT_BROWSER_URL, sandbox: SANDBOX_MICROSOFT },
  xero: { create: createXeroSignIn, browserUrl: XERO_BROWSER_URL, sandbox: SANDBOX_XERO },
  intuit: { create: createIntuitSignIn, browserUrl: INTUIT_BROWSER_URL, sandbox: SANDBOX_INTUIT },
  freeagent: { create: createFreeAgentSignIn, browserUrl: FREEAGENT_BROWSER_URL, sandbox: SANDBOX_FREEAGENT },
} as const;

export type IdentityWorld = {
  readonly settings: IdentitySettings;
  /** Where the doubles answer; null where nothing may be a double. */
  readonly doublesUrl: string | null;
  readonly publicUrl: string;
  readonly brand: string;
  readonly clock: Clock;
};

export function identityClients(world: IdentityWorld): Pick<AppDeps, 'signIn' | 'phones' | 'companyRegister' | 'identityCheck'> {
  const { settings, doublesUrl, clock } = world;
  const names = Object.keys(CLIENTS) as SignInProviderName[];
  const twilio = settings.twilio ?? (doublesUrl === null ? undefined : { ...SANDBOX_TWILIO, apiUrl: `${doublesUrl}/twilio` });
  const register =
    settings.companiesHouse ?? (doublesUrl === null ? undefined : { ...SANDBOX_COMPANIES_HOUSE, apiUrl: `${doublesUrl}/companies-house` });
  const check =
    settings.identityCheck ??
    (doublesUrl === null
      ? undefined
      : {
          apiUrl: `${doublesUrl}/identity-check`,
          apiKey: SANDBOX_IDENTITY_CHECK.apiKey,
          webhookSecrets: [SANDBOX_IDENTITY_CHECK.webhookSecret],
        });
  return {
    signIn: Object.fromEntries(names.flatMap((name) => signInClient(world, name))),
    phones: twilio && createTwilioVerifyClient({ ...twilio, fetch }),
    companyRegister: register && createCompaniesHouseClient({ ...register, fetch, clock }),
    identityCheck: check && createIdentityCheckClient({ ...check, fetch, clock }),
  };
}

function signInClient({ settings, doublesUrl, publicUrl, brand, clock }: IdentityWorld, name: SignInProviderName) {
  const { create, browserUrl, sandbox } = CLIENTS[name];
  const redirectUri = `${publicUrl}${SIGN_IN_CALLBACK_PATH}/${name}`;
  const shared = { redirectUri, fetch, clock, userAgent: brand };
  const real = settings.signIn[name];
  const deps: (SignInDeps & { userAgent: string }) | undefined = real
    ? { ...shared, ...real, browserUrl }
    : doublesUrl === null
      ? undefined
      : { ...shared, ...sandbox, browserUrl: `${doublesUrl}/${name}`, serverUrl: `${doublesUrl}/${name}` };
  return deps ? [[name, create(deps)] as const] : [];
}
