/** Settings for the providers of sign-in, text messages, company data and identity checks. All are optional. */
import { z } from 'zod';
import { urlLabel, setting, text, webUrl } from './setting-shapes.ts';

/** Optional providers are simulated together with HMRC, bank and mail; otherwise the feature is shown as not set up. */
const UNSET_LABEL = 'the sandbox’s simulator, if there is one; otherwise not set up';

const formatBrowserAddress = (provider: string) =>
  setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: `the simulator’s URL, or ${provider}’s own`,
    meaning: `${provider}’s sign-in URL for browsers, if different from ${provider}’s own.`,
  });

const formatServerAddress = (provider: string) =>
  setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: `the simulator’s URL, or ${provider}’s own`,
    meaning: `One URL for all server calls to ${provider}, if different from ${provider}’s own hosts.`,
  });

export const identitySettingTable = {
  GOOGLE_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client ID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Client ID of your Google application, for sign-in and practices’ Gmail mailboxes.',
  }),
  GOOGLE_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Client secret of your Google application.',
  }),
  GOOGLE_BROWSER_URL: formatBrowserAddress('Google'),
  GOOGLE_SERVER_URL: formatServerAddress('Google'),
  MICROSOFT_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client ID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Client ID of your Microsoft application, for sign-in and practices’ Outlook mailboxes.',
  }),
  MICROSOFT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Client secret of your Microsoft application.',
  }),
  MICROSOFT_BROWSER_URL: formatBrowserAddress('Microsoft'),
  MICROSOFT_SERVER_URL: formatServerAddress('Microsoft'),
  XERO_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client ID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Client ID of your Xero application, for sign-in and reading books.',
  }),
  XERO_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Client secret of your Xero application.',
  }),
  XERO_WEBHOOK_KEY: setting({
    shape: text.optional(),
    expectedText: 'a webhook signing key',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Key that Xero signs its webhooks with. Without it, changes in connected books are read every hour.',
  }),
  XERO_BROWSER_URL: formatBrowserAddress('Xero'),
  XERO_SERVER_URL: formatServerAddress('Xero'),
  INTUIT_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client ID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Client ID of your Intuit application, for sign-in and reading books.',
  }),
  INTUIT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Client secret of your Intuit application.',
  }),
  INTUIT_WEBHOOK_KEY: setting({
    shape: text.optional(),
    expectedText: 'a webhook verifier token',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Verifier token of Intuit’s webhooks. Without it, changes in connected books are read every hour.',
  }),
  INTUIT_BROWSER_URL: formatBrowserAddress('Intuit'),
  INTUIT_SERVER_URL: formatServerAddress('Intuit'),
  FREEAGENT_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client ID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Client ID of your FreeAgent application, for sign-in and reading books.',
  }),
  FREEAGENT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Client secret of your FreeAgent application.',
  }),
  FREEAGENT_BROWSER_URL: formatBrowserAddress('FreeAgent'),
  FREEAGENT_SERVER_URL: formatServerAddress('FreeAgent'),
  FREEAGENT_PRACTICE_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client ID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Client ID of your FreeAgent application with the “Enable Accountancy Practice API” option, for practices’ clients.',
  }),
  FREEAGENT_PRACTICE_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Client secret of that application.',
  }),
  FREEAGENT_PRACTICE_BROWSER_URL: formatBrowserAddress('FreeAgent'),
  FREEAGENT_PRACTICE_SERVER_URL: formatServerAddress('FreeAgent'),
  TWILIO_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://verify.twilio.com',
    meaning: 'URL of Twilio Verify for server calls.',
  }),
  TWILIO_ACCOUNT_SID: setting({
    shape: text.optional(),
    expectedText: 'an account or key SID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Twilio account that sends verification codes.',
  }),
  TWILIO_AUTH_TOKEN: setting({
    shape: text.optional(),
    expectedText: 'a token',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Auth token of the Twilio account.',
  }),
  TWILIO_VERIFY_SERVICE_SID: setting({
    shape: text.optional(),
    expectedText: 'a service SID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Verify service at Twilio.',
  }),
  COMPANIES_HOUSE_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://api.company-information.service.gov.uk',
    meaning: 'URL of Companies House for server calls.',
  }),
  COMPANIES_HOUSE_API_KEY: setting({
    shape: text.optional(),
    expectedText: 'a REST key',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'REST key of your application in the Companies House developer hub.',
  }),
  MODULR_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://api.modulrfinance.com/api',
    meaning: 'URL of Modulr for server calls. Modulr checks the name on a bank account (Confirmation of Payee).',
  }),
  MODULR_KEY_ID: setting({
    shape: text.optional(),
    expectedText: 'a key ID',
    defaultLabel: UNSET_LABEL,
    meaning: 'ID of your Modulr API key.',
  }),
  MODULR_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'HMAC secret of your API key at Modulr.',
  }),
  MODULR_PAYMENT_ACCOUNT_ID: setting({
    shape: text.optional(),
    expectedText: 'an account ID',
    defaultLabel: UNSET_LABEL,
    meaning: 'Your Modulr account, shown as the payer in name checks.',
  }),
  SCREENING_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://api.opensanctions.org',
    meaning: 'URL of OpenSanctions, or of your own yente server, for screening against sanctions and PEP lists.',
  }),
  SCREENING_API_KEY: setting({
    shape: text.optional(),
    expectedText: 'a key',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'API key for screening.',
  }),
  SCREENING_DATASET: setting({
    shape: text,
    expectedText: 'the name of a dataset',
    defaultValue: () => 'default',
    meaning: 'Collection of lists to screen against.',
  }),
  PWNED_PASSWORDS_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: UNSET_LABEL,
    meaning:
      'URL of Pwned Passwords (https://api.pwnedpasswords.com) or of a mirror. New passwords found there are rejected. Only the first five characters of the SHA-1 hash are sent.',
  }),
  LANGUAGE_MODEL_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: UNSET_LABEL,
    meaning:
      'URL of an OpenAI-compatible endpoint, up to where its paths begin (https://api.openai.com/v1), at a vendor or on your own computer. If an admin agrees, a practice can have the text of drafts reworded there, with figures, dates, names and references left out ([decision 74](decisions/0074-rewording.md)). Without it, users edit texts themselves.',
  }),
  LANGUAGE_MODEL_KEY: setting({
    shape: text.optional(),
    expectedText: 'a key',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'API key for that endpoint. Also required for a server of your own that doesn’t check keys; any text will do.',
  }),
  LANGUAGE_MODEL_NAME: setting({
    shape: text.optional(),
    expectedText: 'the name of a model',
    defaultLabel: UNSET_LABEL,
    meaning: 'The model at that endpoint, as listed by GET /models.',
  }),
  CLAMD_URL: setting({
    shape: z
      .url({ protocol: /^tcp$/ })
      .refine((address) => new URL(address).port !== '')
      .optional(),
    expectedText: 'a URL such as tcp://clamd:3310',
    defaultLabel: UNSET_LABEL,
    meaning: 'ClamAV daemon that scans every uploaded file. Without it, clients and practices can’t upload files.',
  }),
  IDENTITY_CHECK_API_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: UNSET_LABEL,
    meaning: 'URL of the identity provider’s API.',
  }),
  IDENTITY_CHECK_API_KEY: setting({
    shape: text.optional(),
    expectedText: 'a key',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'API key for the identity provider.',
  }),
  IDENTITY_CHECK_WEBHOOK_SECRETS: setting({
    shape: text
      .transform((list) => list.split(',').map((secret) => secret.trim()))
      .pipe(z.array(text).min(1))
      .optional(),
    expectedText: 'secrets, separated by commas, newest first',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Secrets that sign the identity provider’s webhooks.',
  }),
};
