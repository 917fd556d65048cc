/** The doubles that the ways in stand on, put together once for the sandbox and for the tests: sign-in providers, texts, register, identity check; and what visitors meet, the chat and the analytics container. */
import { COMPANIES_HOUSE_OPERATIONS, createCompaniesHouseDouble } from '../companies-house/companies-house-sandbox.ts';
import { createFreeAgentDouble, FREEAGENT_OPERATIONS } from '../freeagent/freeagent-sandbox.ts';
import { createGoogleDouble, GOOGLE_OPERATIONS } from '../google/google-sandbox.ts';
import { createHubspotDouble, HUBSPOT_OPERATIONS } from '../hubspot/hubspot-sandbox.ts';
import { createIdentityCheckDouble, IDENTITY_CHECK_OPERATIONS } from '../identity-check/identity-check-sandbox.ts';
import { createIntuitDouble, INTUIT_OPERATIONS } from '../intuit/intuit-sandbox.ts';
import { createMicrosoftDouble, MICROSOFT_OPERATIONS } from '../microsoft/microsoft-sandbox.ts';
import { createTagManagerDouble } from '../tag-manager/tag-manager-sandbox.ts';
import { createTwilioDouble, TWILIO_OPERATIONS } from '../twilio/twilio-sandbox.ts';
import { createXeroDouble, XERO_OPERATIONS } from '../xero/xero-sandbox.ts';
import type { DoubleDeps } from './double.ts';
import type { HostedDouble } from './host-doubles.ts';
import { BRIGHTWELL } from './sandbox-world.ts';

export const IDENTITY_OPERATIONS = [
  ...GOOGLE_OPERATIONS,
  ...MICROSOFT_OPERATIONS,
  ...XERO_OPERATIONS,
  ...INTUIT_OPERATIONS,
  ...FREEAGENT_OPERATIONS,
  ...TWILIO_OPERATIONS,
  ...COMPANIES_HOUSE_OPERATIONS,
  ...IDENTITY_CHECK_OPERATIONS,
  ...HUBSPOT_OPERATIONS,
] as const;

const SIGN_IN_DOUBLES = {
  google: createGoogleDouble,
  microsoft: createMicrosoftDouble,
  xero: createXeroDouble,
  intuit: createIntuitDouble,
  freeagent: createFreeAgentDouble,
} as const;

export type IdentityDoublesSetting = Omit<DoubleDeps, 'publicUrl'> & {
  /** Where the doubles are hosted, without a trailing slash. */
  readonly url: string;
  /** Where browsers reach the portal: the ways back that the providers know. */
  readonly portalUrl: string;
  /** Where the portal takes webhooks; the same unless a test listens elsewhere. */
  readonly webhookUrl: string;
  readonly applicationName: string;
};

/** Each double answers below `/<its name>`. Start and stop them with what is answered here. */
export function createIdentityDoubles({ url, portalUrl, webhookUrl, applicationName, ...base }: IdentityDoublesSetting) {
  const signIn = (name: keyof typeof SIGN_IN_DOUBLES) =>
    SIGN_IN_DOUBLES[name]({
      ...base,
      publicUrl: `${url}/${name}`,
      redirectUris: [`${portalUrl}/portal/v2/auth/callback/${name}`],
      applicationName,
    });
  const signInDoubles = {
    google: signIn('google'),
    microsoft: signIn('microsoft'),
    xero: signIn('xero'),
    intuit: signIn('intuit'),
    freeagent: signIn('freeagent'),
  };
  const twilio = createTwilioDouble({ ...base, publicUrl: `${url}/twilio` });
  const companiesHouse = createCompaniesHouseDouble({ ...base, publicUrl: `${url}/companies-house` });
  const identityCheck = createIdentityCheckDouble({
    ...base,
    publicUrl: `${url}/identity-check`,
    webhookUrl: `${webhookUrl}/portal/webhooks/identity-check`,
  });
  const hubspot = createHubspotDouble({ ...base, publicUrl: `${url}/hubspot` });
  const tagManager = createTagManagerDouble({ ...base, publicUrl: `${url}/tag-manager` });
  const hosted: HostedDouble[] = [
    ...Object.entries(signInDoubles).map(([name, double]) => ({ basePath: `/${name}`, double })),
    { basePath: '/twilio', double: twilio },
    { basePath: '/companies-house', double: companiesHouse },
    { basePath: '/identity-check', double: identityCheck },
    { basePath: '/hubspot', double: hubspot },
    { basePath: '/tag-manager', double: tagManager },
  ];
  return {
    hosted,
    signIn: { ...mapControls(signInDoubles) },
    texts: twilio.controls,
    register: companiesHouse.controls,
    checks: identityCheck.controls,
    chat: hubspot.controls,
    tags: tagManager.controls,
    start: () => identityCheck.start(),
    stop: () => identityCheck.stop(),
    /** Tessa Bright holds an account everywhere; a second time changes nothing. */
    seed: () => {
      for (const { controls } of Object.values(signInDoubles)) {
        controls.seedPerson({ email: BRIGHTWELL.ownerEmail, fullName: BRIGHTWELL.ownerName, emailVerified: true });
      }
    },
  };
}

export type IdentityDoubles = ReturnType<typeof createIdentityDoubles>;

function mapControls<Name extends string, Controls>(
  doubles: Readonly<Record<Name, { readonly controls: Controls }>>,
): Record<Name, Controls> {
  const entries = Object.entries<{ readonly controls: Controls }>(doubles).map(([name, { controls }]) => [name, controls]);
  return Object.fromEntries(entries) as Record<Name, Controls>;
}
