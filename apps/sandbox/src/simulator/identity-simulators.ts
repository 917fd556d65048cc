/**
 * Creates the simulators for sign-in, text messages, the company register, identity checks, account name checks, screening, chat, leaked
 * passwords, the language model and the analytics container, for the sandbox and tests.
 */
import { COMPANIES_HOUSE_OPERATIONS, createCompaniesHouseSimulator } from '../companies-house/companies-house-simulator.ts';
import { createFreeAgentPracticeSimulator, createFreeAgentSimulator, FREEAGENT_OPERATIONS } from '../freeagent/freeagent-simulator.ts';
import { createGoogleSimulator, GOOGLE_OPERATIONS } from '../google/google-simulator.ts';
import { createModulrSimulator, MODULR_OPERATIONS } from '../modulr/modulr-simulator.ts';
import { createScreeningSimulator, SCREENING_OPERATIONS } from '../screening/screening-simulator.ts';
import { createHubspotSimulator, HUBSPOT_OPERATIONS } from '../hubspot/hubspot-simulator.ts';
import { createIdentityCheckSimulator, IDENTITY_CHECK_OPERATIONS } from '../identity-check/identity-check-simulator.ts';
import { createIntuitSimulator, INTUIT_OPERATIONS } from '../intuit/intuit-simulator.ts';
import { createLanguageModelSimulator, LANGUAGE_MODEL_OPERATIONS } from '../language-model/language-model-simulator.ts';
import { openMailbox } from '../mail/mailbox.ts';
import { createMicrosoftSimulator, MICROSOFT_OPERATIONS } from '../microsoft/microsoft-simulator.ts';
import { createPwnedPasswordsSimulator, PWNED_PASSWORDS_OPERATIONS } from '../pwned-passwords/pwned-passwords-simulator.ts';
import { createTagManagerSimulator } from '../tag-manager/tag-manager-simulator.ts';
import { createTwilioSimulator, TWILIO_OPERATIONS } from '../twilio/twilio-simulator.ts';
import { disconnectXeroOrganisation, removeXeroScope } from '../xero/xero-api-routes.ts';
import { createXeroSimulator, XERO_OPERATIONS } from '../xero/xero-simulator.ts';
import type { SimulatorDeps } from './simulator.ts';
import type { HostedSimulator } from './host-simulators.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { type BooksProviderName, openSandboxBooks } from '../books/sandbox-books.ts';
import { seedBooks } from '../seed/seed-books.ts';
import { BRIGHTWELL } from '../seed/seed-data.ts';

export const IDENTITY_OPERATIONS = [
  ...GOOGLE_OPERATIONS,
  ...MICROSOFT_OPERATIONS,
  ...XERO_OPERATIONS,
  ...INTUIT_OPERATIONS,
  ...FREEAGENT_OPERATIONS,
  ...TWILIO_OPERATIONS,
  ...COMPANIES_HOUSE_OPERATIONS,
  ...IDENTITY_CHECK_OPERATIONS,
  ...MODULR_OPERATIONS,
  ...SCREENING_OPERATIONS,
  ...HUBSPOT_OPERATIONS,
  ...PWNED_PASSWORDS_OPERATIONS,
  ...LANGUAGE_MODEL_OPERATIONS,
] as const;

const SIGN_IN_SIMULATORS = {
  google: createGoogleSimulator,
  microsoft: createMicrosoftSimulator,
  xero: createXeroSimulator,
  intuit: createIntuitSimulator,
  freeagent: createFreeAgentSimulator,
} as const;

export type IdentitySimulatorsOptions = Omit<SimulatorDeps, 'publicUrl'> & {
  /** Base URL of the simulators, without a trailing slash. */
  readonly url: string;
  /** The portal's URL for browsers. Its callback is registered with the providers as a redirect URI. */
  readonly portalUrl: string;
  /** The portal's URL for webhooks. It equals `portalUrl` unless a test receives webhooks elsewhere. */
  readonly webhookUrl: string;
  readonly applicationName: string;
};

/** Creates all simulators. Each is served below `/<its name>`; `start` and `stop` control background work. */
export function createIdentitySimulators({ url, portalUrl, webhookUrl, applicationName, ...base }: IdentitySimulatorsOptions) {
  const signInSimulators = createSignInSimulators({ url, portalUrl, applicationName, base });
  // FreeAgent's practice API has a separate app with its own users.
  const freeAgentPractice = createFreeAgentPracticeSimulator({
    ...base,
    publicUrl: `${url}/freeagent-practice`,
    redirectUris: listBooksUris('freeagent', portalUrl),
    applicationName,
  });
  const twilio = createTwilioSimulator({ ...base, publicUrl: `${url}/twilio` });
  const companiesHouse = createCompaniesHouseSimulator({ ...base, publicUrl: `${url}/companies-house` });
  const identityCheck = createIdentityCheckSimulator({
    ...base,
    publicUrl: `${url}/identity-check`,
    webhookUrl: `${webhookUrl}/portal/webhooks/identity-check`,
  });
  const modulr = createModulrSimulator({ ...base, publicUrl: `${url}/modulr` });
  const screening = createScreeningSimulator({ ...base, publicUrl: `${url}/opensanctions` });
  const languageModel = createLanguageModelSimulator({ ...base, publicUrl: `${url}/language-model` });
  const hubspot = createHubspotSimulator({ ...base, publicUrl: `${url}/hubspot` });
  const tagManager = createTagManagerSimulator({ ...base, publicUrl: `${url}/tag-manager` });
  const hostedSimulators: HostedSimulator[] = [
    ...Object.entries(signInSimulators).map(([name, { plugin }]) => ({ basePath: `/${name}`, plugin })),
    { basePath: '/freeagent-practice', plugin: freeAgentPractice.plugin },
    { basePath: '/twilio', plugin: twilio.plugin },
    { basePath: '/companies-house', plugin: companiesHouse.plugin },
    { basePath: '/identity-check', plugin: identityCheck.plugin },
    { basePath: '/modulr', plugin: modulr.plugin },
    { basePath: '/opensanctions', plugin: screening.plugin },
    { basePath: '/hubspot', plugin: hubspot.plugin },
    { basePath: '/pwned-passwords', plugin: createPwnedPasswordsSimulator(base).plugin },
    { basePath: '/language-model', plugin: languageModel.plugin },
    { basePath: '/tag-manager', plugin: tagManager.plugin },
  ];
  const books = openAllBooks(base);
  return {
    hosted: hostedSimulators,
    books,
    /** Removes the app from an organisation, as a user can in Xero. */
    removeFromXero: (organisationId: string) => disconnectXeroOrganisation(base.store, organisationId),
    /** Removes a scope from authorisations at Xero, as if they had been given before the portal requested it. */
    removeXeroScope: (scope: string) => removeXeroScope(base.store, scope),
    signIn: { ...mapControls(signInSimulators) },
    freeAgentPractice: freeAgentPractice.controls,
    texts: twilio.controls,
    register: companiesHouse.controls,
    checks: identityCheck.controls,
    accountNames: modulr.controls,
    screening: screening.controls,
    languageModel: languageModel.controls,
    chat: hubspot.controls,
    tags: tagManager.controls,
    /** Contains the emails sent through Gmail and Outlook, and in a running sandbox those that the portal sent by SMTP. */
    mailbox: openMailbox(base.store, base.clock),
    start: () => identityCheck.start(),
    stop: () => identityCheck.stop(),
    /** Gives Tessa Bright an account at every provider. Running it again changes nothing. */
    seed: () => seedTessa(signInSimulators, books, base.clock.today()),
  };
}

type SeededPerson = { email: string; fullName: string; emailVerified: boolean; companies: { realmId: string; name: string }[] };
type SignInOptions = Pick<IdentitySimulatorsOptions, 'url' | 'portalUrl' | 'applicationName'> & {
  readonly base: Omit<SimulatorDeps, 'publicUrl'>;
};

function createSignInSimulators({ url, portalUrl, applicationName, base }: SignInOptions) {
  const signIn = (name: keyof typeof SIGN_IN_SIMULATORS) =>
    SIGN_IN_SIMULATORS[name]({
      ...base,
      publicUrl: `${url}/${name}`,
      redirectUris: [
        `${portalUrl}/portal/v2/auth/callback/${name}`,
        ...listMailboxUris(name, portalUrl),
        ...listBooksUris(name, portalUrl),
      ],
      applicationName,
    });
  return {
    google: signIn('google'),
    microsoft: signIn('microsoft'),
    xero: signIn('xero'),
    intuit: signIn('intuit'),
    freeagent: signIn('freeagent'),
  };
}

type SeededSimulator = { readonly controls: { seedPerson(person: SeededPerson): unknown } };

function seedTessa(simulators: Readonly<Record<string, SeededSimulator>>, books: Parameters<typeof seedBooks>[0], today: PlainDate): void {
  for (const { controls } of Object.values(simulators)) {
    controls.seedPerson({
      email: BRIGHTWELL.ownerEmail,
      fullName: BRIGHTWELL.ownerName,
      emailVerified: true,
      companies: [{ realmId: BRIGHTWELL.realmId, name: BRIGHTWELL.organisationName }],
    });
  }
  seedBooks(books, today);
}

/** Lists the redirect URIs for practices that connect their mailbox. */
function listMailboxUris(name: keyof typeof SIGN_IN_SIMULATORS, portalUrl: string): string[] {
  if (name !== 'google' && name !== 'microsoft') return [];
  return [`${portalUrl}/portal/mailbox/callback/${name === 'google' ? 'gmail' : 'outlook'}`];
}

function openAllBooks({ store, clock }: Pick<SimulatorDeps, 'store' | 'clock'>) {
  return {
    xero: openSandboxBooks(store, clock, 'xero'),
    quickbooks: openSandboxBooks(store, clock, 'quickbooks'),
    freeagent: openSandboxBooks(store, clock, 'freeagent'),
  };
}

const BOOKS_PROVIDERS: Readonly<Partial<Record<keyof typeof SIGN_IN_SIMULATORS, BooksProviderName>>> = {
  xero: 'xero',
  intuit: 'quickbooks',
  freeagent: 'freeagent',
};

/** Lists the redirect URIs for users who connect their books. */
function listBooksUris(name: keyof typeof SIGN_IN_SIMULATORS, portalUrl: string): string[] {
  const provider = BOOKS_PROVIDERS[name];
  return provider === undefined ? [] : [`${portalUrl}/portal/books/callback/${provider}`];
}

export type IdentitySimulators = ReturnType<typeof createIdentitySimulators>;

function mapControls<Name extends string, Controls>(
  simulators: Readonly<Record<Name, { readonly controls: Controls }>>,
): Record<Name, Controls> {
  const entries = Object.entries<{ readonly controls: Controls }>(simulators).map(([name, { controls }]) => [name, controls]);
  return Object.fromEntries(entries) as Record<Name, Controls>;
}
