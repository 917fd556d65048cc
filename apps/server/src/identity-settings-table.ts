/** Settings of the providers of sign-in, text messages, company data and identity checks. None is required. */
import { z } from 'zod';
import { urlLabel, setting, text, webUrl } from './setting-shapes.ts';

/** Optional providers are simulated together with HMRC, bank and mail; otherwise the feature says that it is not set up. */
const UNSET_LABEL = 'simulated in the sandbox, else not set up';

const browserAddress = (provider: string) =>
  setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: `the simulator's, or ${provider}'s own`,
    meaning: `${provider}'s sign-in as the browser opens it, where it isn't ${provider}'s own.`,
  });

const serverAddress = (provider: string) =>
  setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: `the simulator's, or ${provider}'s own`,
    meaning: `One address that answers the server for all of ${provider}'s hosts, where they aren't ${provider}'s own.`,
  });

export const identitySettingTable = {
  GOOGLE_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client id',
    defaultLabel: UNSET_LABEL,
    meaning: 'Of your application at Google, for signing in.',
  }),
  GOOGLE_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Of your application at Google.',
  }),
  GOOGLE_BROWSER_URL: browserAddress('Google'),
  GOOGLE_SERVER_URL: serverAddress('Google'),
  MICROSOFT_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client id',
    defaultLabel: UNSET_LABEL,
    meaning: 'Of your application at Microsoft, for signing in.',
  }),
  MICROSOFT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Of your application at Microsoft.',
  }),
  MICROSOFT_BROWSER_URL: browserAddress('Microsoft'),
  MICROSOFT_SERVER_URL: serverAddress('Microsoft'),
  XERO_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client id',
    defaultLabel: UNSET_LABEL,
    meaning: 'Of your application at Xero, for signing in.',
  }),
  XERO_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Of your application at Xero.',
  }),
  XERO_BROWSER_URL: browserAddress('Xero'),
  XERO_SERVER_URL: serverAddress('Xero'),
  INTUIT_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client id',
    defaultLabel: UNSET_LABEL,
    meaning: 'Of your application at Intuit, for signing in.',
  }),
  INTUIT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Of your application at Intuit.',
  }),
  INTUIT_BROWSER_URL: browserAddress('Intuit'),
  INTUIT_SERVER_URL: serverAddress('Intuit'),
  FREEAGENT_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client id',
    defaultLabel: UNSET_LABEL,
    meaning: 'Of your application at FreeAgent, for signing in.',
  }),
  FREEAGENT_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Of your application at FreeAgent.',
  }),
  FREEAGENT_BROWSER_URL: browserAddress('FreeAgent'),
  FREEAGENT_SERVER_URL: serverAddress('FreeAgent'),
  TWILIO_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://verify.twilio.com',
    meaning: 'Twilio Verify as the server calls it.',
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
    meaning: 'Of the Twilio account.',
  }),
  TWILIO_VERIFY_SERVICE_SID: setting({
    shape: text.optional(),
    expectedText: 'a service SID',
    defaultLabel: UNSET_LABEL,
    meaning: 'The Verify service at Twilio.',
  }),
  COMPANIES_HOUSE_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://api.company-information.service.gov.uk',
    meaning: 'Companies House as the server calls it.',
  }),
  COMPANIES_HOUSE_API_KEY: setting({
    shape: text.optional(),
    expectedText: 'a REST key',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: "Of your application at Companies House's developer hub.",
  }),
  IDENTITY_CHECK_API_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: UNSET_LABEL,
    meaning: "Where the identity provider's API is.",
  }),
  IDENTITY_CHECK_API_KEY: setting({
    shape: text.optional(),
    expectedText: 'a key',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: 'Of the identity provider.',
  }),
  IDENTITY_CHECK_WEBHOOK_SECRETS: setting({
    shape: text
      .transform((list) => list.split(',').map((secret) => secret.trim()))
      .pipe(z.array(text).min(1))
      .optional(),
    expectedText: 'secrets, several with commas between, the newest first,',
    defaultLabel: UNSET_LABEL,
    isSecret: true,
    meaning: "Sign the identity provider's webhooks.",
  }),
};
