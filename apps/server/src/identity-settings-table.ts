/** Settings of the providers of sign-in, text messages, company data and identity checks. None is required. */
import { z } from 'zod';
import { addressWords, setting, text, webAddress } from './setting-shapes.ts';

/** Optional providers are simulated together with HMRC, bank and mail; otherwise the feature says that it is not set up. */
const UNSET_WORDS = 'simulated in the sandbox, else not set up';

const browserAddress = (provider: string) =>
  setting({
    shape: webAddress.optional(),
    expects: addressWords,
    unlessWords: `the simulator's, or ${provider}'s own`,
    means: `${provider}'s sign-in as the browser opens it, where it isn't ${provider}'s own.`,
  });

const serverAddress = (provider: string) =>
  setting({
    shape: webAddress.optional(),
    expects: addressWords,
    unlessWords: `the simulator's, or ${provider}'s own`,
    means: `One address that answers the server for all of ${provider}'s hosts, where they aren't ${provider}'s own.`,
  });

export const identitySettingTable = {
  GOOGLE_CLIENT_ID: setting({
    shape: text.optional(),
    expects: 'a client id',
    unlessWords: UNSET_WORDS,
    means: 'Of your application at Google, for signing in.',
  }),
  GOOGLE_CLIENT_SECRET: setting({
    shape: text.optional(),
    expects: 'a client secret',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: 'Of your application at Google.',
  }),
  GOOGLE_BROWSER_URL: browserAddress('Google'),
  GOOGLE_SERVER_URL: serverAddress('Google'),
  MICROSOFT_CLIENT_ID: setting({
    shape: text.optional(),
    expects: 'a client id',
    unlessWords: UNSET_WORDS,
    means: 'Of your application at Microsoft, for signing in.',
  }),
  MICROSOFT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expects: 'a client secret',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: 'Of your application at Microsoft.',
  }),
  MICROSOFT_BROWSER_URL: browserAddress('Microsoft'),
  MICROSOFT_SERVER_URL: serverAddress('Microsoft'),
  XERO_CLIENT_ID: setting({
    shape: text.optional(),
    expects: 'a client id',
    unlessWords: UNSET_WORDS,
    means: 'Of your application at Xero, for signing in.',
  }),
  XERO_CLIENT_SECRET: setting({
    shape: text.optional(),
    expects: 'a client secret',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: 'Of your application at Xero.',
  }),
  XERO_BROWSER_URL: browserAddress('Xero'),
  XERO_SERVER_URL: serverAddress('Xero'),
  INTUIT_CLIENT_ID: setting({
    shape: text.optional(),
    expects: 'a client id',
    unlessWords: UNSET_WORDS,
    means: 'Of your application at Intuit, for signing in.',
  }),
  INTUIT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expects: 'a client secret',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: 'Of your application at Intuit.',
  }),
  INTUIT_BROWSER_URL: browserAddress('Intuit'),
  INTUIT_SERVER_URL: serverAddress('Intuit'),
  FREEAGENT_CLIENT_ID: setting({
    shape: text.optional(),
    expects: 'a client id',
    unlessWords: UNSET_WORDS,
    means: 'Of your application at FreeAgent, for signing in.',
  }),
  FREEAGENT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expects: 'a client secret',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: 'Of your application at FreeAgent.',
  }),
  FREEAGENT_BROWSER_URL: browserAddress('FreeAgent'),
  FREEAGENT_SERVER_URL: serverAddress('FreeAgent'),
  TWILIO_API_URL: setting({
    shape: webAddress,
    expects: addressWords,
    unless: () => 'https://verify.twilio.com',
    means: 'Twilio Verify as the server calls it.',
  }),
  TWILIO_ACCOUNT_SID: setting({
    shape: text.optional(),
    expects: 'an account or key SID',
    unlessWords: UNSET_WORDS,
    means: 'Twilio account that sends verification codes.',
  }),
  TWILIO_AUTH_TOKEN: setting({
    shape: text.optional(),
    expects: 'a token',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: 'Of the Twilio account.',
  }),
  TWILIO_VERIFY_SERVICE_SID: setting({
    shape: text.optional(),
    expects: 'a service SID',
    unlessWords: UNSET_WORDS,
    means: 'The Verify service at Twilio.',
  }),
  COMPANIES_HOUSE_API_URL: setting({
    shape: webAddress,
    expects: addressWords,
    unless: () => 'https://api.company-information.service.gov.uk',
    means: 'Companies House as the server calls it.',
  }),
  COMPANIES_HOUSE_API_KEY: setting({
    shape: text.optional(),
    expects: 'a REST key',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: "Of your application at Companies House's developer hub.",
  }),
  IDENTITY_CHECK_API_URL: setting({
    shape: webAddress.optional(),
    expects: addressWords,
    unlessWords: UNSET_WORDS,
    means: "Where the identity provider's API is.",
  }),
  IDENTITY_CHECK_API_KEY: setting({
    shape: text.optional(),
    expects: 'a key',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: 'Of the identity provider.',
  }),
  IDENTITY_CHECK_WEBHOOK_SECRETS: setting({
    shape: text
      .transform((list) => list.split(',').map((secret) => secret.trim()))
      .pipe(z.array(text).min(1))
      .optional(),
    expects: 'secrets, several with commas between, the newest first,',
    unlessWords: UNSET_WORDS,
    isSecret: true,
    means: "Sign the identity provider's webhooks.",
  }),
};
