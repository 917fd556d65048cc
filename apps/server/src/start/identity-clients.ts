/**
 * The clients for sign-in, text messages, company data, leaked passwords, identity checks and rewording. A provider that isn't configured
 * doesn't have a client.
 */
import type { Clock } from '@portal/domain/clock.ts';
import { BOOKS_PROVIDERS, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { MAILBOX_PROVIDERS, type MailboxProvider } from '@portal/domain/messages/sending-limits.ts';
import { createCompaniesHouseClient } from '@portal/providers/companies-house/companies-house-client.ts';
import { createFreeAgentBooksProvider, createFreeAgentPracticeProvider } from '@portal/providers/freeagent/freeagent-books-provider.ts';
import {
  createFreeAgentPracticeAuthorisation,
  createFreeAgentSignIn,
  FREEAGENT_BROWSER_URL,
} from '@portal/providers/freeagent/freeagent-client.ts';
import { createGmailSender, GMAIL_SEND_SCOPE } from '@portal/providers/google/gmail-client.ts';
import { createGoogleSignIn, GOOGLE_BROWSER_URL } from '@portal/providers/google/google-client.ts';
import { createIdentityCheckClient } from '@portal/providers/identity-check/identity-check-client.ts';
import { createIntuitSignIn, INTUIT_BROWSER_URL } from '@portal/providers/intuit/intuit-client.ts';
import { createQuickBooksBooksProvider } from '@portal/providers/intuit/quickbooks-books-provider.ts';
import { createGraphMailSender, GRAPH_SEND_SCOPE } from '@portal/providers/microsoft/graph-mail-client.ts';
import { createLanguageModelClient } from '@portal/providers/language-model/language-model-client.ts';
import { createMicrosoftSignIn, MICROSOFT_BROWSER_URL } from '@portal/providers/microsoft/microsoft-client.ts';
import type { BooksProviderDeps } from '@portal/providers/connected-books/books-provider.ts';
import type { SignInDeps, SignInProvider, SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import { createTwilioVerifyClient } from '@portal/providers/twilio/twilio-client.ts';
import { createModulrClient } from '@portal/providers/modulr/modulr-client.ts';
import { createPwnedPasswordsClient } from '@portal/providers/pwned-passwords/pwned-passwords-client.ts';
import { createScreeningClient } from '@portal/providers/screening/screening-client.ts';
import { createXeroBooksProvider } from '@portal/providers/xero/xero-books-provider.ts';
import { createXeroSignIn, XERO_BROWSER_URL } from '@portal/providers/xero/xero-client.ts';
import type { AppDeps, ConfiguredLanguageModel } from '../app-deps.ts';
import type { WatchFetch } from '../features/operations/provider-health.ts';
import type { IdentitySettings, SignInSettings } from '../provider-settings.ts';

export const SIGN_IN_CALLBACK_PATH = '/portal/v2/auth/callback';
export const MAILBOX_CALLBACK_PATH = '/portal/mailbox/callback';
export const BOOKS_CALLBACK_PATH = '/portal/books/callback';

const CLIENT_FACTORIES = {
  google: { create: createGoogleSignIn, browserUrl: GOOGLE_BROWSER_URL },
  microsoft: { create: createMicrosoftSignIn, browserUrl: MICROSOFT_BROWSER_URL },
  xero: { create: createXeroSignIn, browserUrl: XERO_BROWSER_URL },
  intuit: { create: createIntuitSignIn, browserUrl: INTUIT_BROWSER_URL },
  freeagent: { create: createFreeAgentSignIn, browserUrl: FREEAGENT_BROWSER_URL },
} as const;

/** Mailboxes use the same application at Google and Microsoft as sign-in, but with a separate redirect URI. */
const MAILBOXES = {
  gmail: { signIn: 'google', scope: GMAIL_SEND_SCOPE, createSender: createGmailSender },
  outlook: { signIn: 'microsoft', scope: GRAPH_SEND_SCOPE, createSender: createGraphMailSender },
} as const;

/** Books use the same application as sign-in, but with a separate redirect URI. */
const BOOKS = {
  xero: { signIn: 'xero', create: createXeroBooksProvider },
  quickbooks: { signIn: 'intuit', create: createQuickBooksBooksProvider },
  freeagent: { signIn: 'freeagent', create: createFreeAgentBooksProvider },
} as const;

type IdentityOptions = {
  readonly settings: IdentitySettings;
  readonly publicUrl: string;
  readonly brand: string;
  readonly clock: Clock;
  /** Records the outcome of calls to a provider. */
  readonly watch: WatchFetch;
};

export function createIdentityClients(
  options: IdentityOptions,
): Pick<
  AppDeps,
  | 'signIn'
  | 'mailboxes'
  | 'books'
  | 'practiceBooks'
  | 'phones'
  | 'companyRegister'
  | 'identityCheck'
  | 'accountNameCheck'
  | 'screening'
  | 'leakedPasswords'
  | 'languageModel'
> {
  const { clock, watch } = options;
  const { twilio, companiesHouse, identityCheck, modulr, screening, leakedPasswords, languageModel } = options.settings;
  const names = Object.keys(CLIENT_FACTORIES) as SignInProviderName[];
  const books: AppDeps['books'] = Object.fromEntries(BOOKS_PROVIDERS.flatMap((name) => createBooksProvider(options, name)));
  return {
    signIn: Object.fromEntries(names.flatMap((name) => createSignInClient(options, name, `${SIGN_IN_CALLBACK_PATH}/${name}`))),
    mailboxes: Object.fromEntries(MAILBOX_PROVIDERS.flatMap((name) => createMailboxClient(options, name))),
    books,
    practiceBooks: createPracticeBooksProviders(options, books),
    phones: twilio && createTwilioVerifyClient({ ...twilio, fetch: watch('twilio', fetch) }),
    companyRegister: companiesHouse && createCompaniesHouseClient({ ...companiesHouse, fetch: watch('companies_house', fetch), clock }),
    accountNameCheck: modulr && createModulrClient({ ...modulr, fetch: watch('modulr', fetch), clock }),
    screening: screening && createScreeningClient({ ...screening, fetch: watch('screening', fetch) }),
    leakedPasswords: leakedPasswords && createPwnedPasswordsClient({ ...leakedPasswords, fetch: watch('pwned_passwords', fetch) }),
    languageModel: languageModel && toLanguageModel(languageModel, watch('language_model', fetch)),
    identityCheck: identityCheck && createIdentityCheckClient({ ...identityCheck, fetch: watch('identity_check', fetch), clock }),
  };
}

/**
 * Includes the path in the URL that an admin agrees to (without its scheme), because on a gateway, a different path can be a different
 * provider.
 */
function toLanguageModel(settings: NonNullable<IdentitySettings['languageModel']>, send: typeof fetch): ConfiguredLanguageModel {
  const { host, pathname } = new URL(settings.apiUrl);
  const address = `${host}${pathname.replace(/\/+$/, '')}`;
  return { ...createLanguageModelClient({ ...settings, fetch: send }), host: address, model: settings.model };
}

function createSignInClient(options: IdentityOptions, name: SignInProviderName, callbackPath: string) {
  const application = options.settings.signIn[name];
  return application ? [[name, createApplication(options, name, application, callbackPath)] as const] : [];
}

function createApplication(
  options: IdentityOptions,
  name: SignInProviderName,
  application: SignInSettings,
  callbackPath: string,
): SignInProvider {
  return CLIENT_FACTORIES[name].create(createApplicationDeps(options, name, application, callbackPath));
}

function createApplicationDeps(
  { publicUrl, brand, clock, watch }: IdentityOptions,
  name: SignInProviderName,
  { clientId, clientSecret, serverUrl, browserUrl }: SignInSettings,
  callbackPath: string,
): SignInDeps & { readonly userAgent: string } {
  return {
    clientId,
    clientSecret,
    redirectUri: `${publicUrl}${callbackPath}`,
    browserUrl: browserUrl ?? CLIENT_FACTORIES[name].browserUrl,
    ...(serverUrl === undefined ? {} : { serverUrl }),
    fetch: watch(name, fetch),
    clock,
    userAgent: brand,
  };
}

function createMailboxClient(options: IdentityOptions, name: MailboxProvider) {
  const { signIn: provider, scope, createSender } = MAILBOXES[name];
  const [client] = createSignInClient(options, provider, `${MAILBOX_CALLBACK_PATH}/${name}`);
  if (!client) return [];
  const serverUrl = options.settings.signIn[provider]?.serverUrl;
  const sender = createSender({ ...(serverUrl === undefined ? {} : { serverUrl }), fetch: options.watch(provider, fetch) });
  return [[name, { signIn: client[1], scope, sender }] as const];
}

function createBooksProvider(options: IdentityOptions, name: BooksProviderName) {
  const { signIn: provider, create } = BOOKS[name];
  const application = options.settings.signIn[provider];
  return application ? [[name, create(createBooksDeps(options, name, application))] as const] : [];
}

/** Xero's application serves practices too, but FreeAgent requires a separate one for them. */
function createPracticeBooksProviders(options: IdentityOptions, { xero }: AppDeps['books']): AppDeps['practiceBooks'] {
  const { freeAgentPractice } = options.settings;
  const freeagent =
    freeAgentPractice &&
    createFreeAgentPracticeProvider({
      ...createBooksDeps(options, 'freeagent', freeAgentPractice),
      signIn: createFreeAgentPracticeAuthorisation(
        createApplicationDeps(options, 'freeagent', freeAgentPractice, `${BOOKS_CALLBACK_PATH}/freeagent`),
      ),
    });
  return { ...(xero ? { xero } : {}), ...(freeagent ? { freeagent } : {}) };
}

function createBooksDeps(options: IdentityOptions, name: BooksProviderName, application: SignInSettings): BooksProviderDeps {
  const provider = BOOKS[name].signIn;
  const { clientId, clientSecret, serverUrl, webhookKey } = application;
  return {
    signIn: createApplication(options, provider, application, `${BOOKS_CALLBACK_PATH}/${name}`),
    clientId,
    clientSecret,
    fetch: options.watch(provider, fetch),
    userAgent: options.brand,
    ...(serverUrl === undefined ? {} : { serverUrl }),
    ...(webhookKey === undefined ? {} : { webhookKey }),
  };
}
