/** Settings of the companies that the ways in stand on. None is needed to run. */
import { z } from 'zod';
import { addressWords, setting, text, webAddress } from './setting-shapes.ts';

/** Of what is not needed to run: a double where HMRC, bank and post are doubles, else the feature says that it is not set up. */
const UNSET_WORDS = 'a double in the sandbox, else not set up';

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
