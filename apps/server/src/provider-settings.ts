/** The providers' URLs and credentials, from the environment or, for simulated providers, from the sandbox. */
import { AppError } from '@portal/domain/app-error.ts';
import type { SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import type { z } from 'zod';
import type { SimulatedProviders } from './check-settings.ts';
import type { ReportSettings } from './mail/report-inbox.ts';
import { getSettingText, readSettingValues, type Environment, type SettingValues } from './setting-values.ts';
import { settingTable, type SettingName } from './settings-table.ts';
import { toChatSettings, type VisitorSettings } from './visitor-settings.ts';

type Credentials = { readonly clientId: string; readonly clientSecret: string };

export type HmrcSettings = Credentials & {
  readonly apiUrl: string;
  readonly wwwUrl: string;
  readonly callsPerSecond: number;
};

export type TrueLayerSettings = Credentials & {
  readonly authUrl: string;
  readonly apiUrl: string;
  readonly merchantAccountId: string;
  readonly signing: { readonly kid: string; readonly privateKeyPem: string };
  readonly webhookJwksUrls: readonly string[];
};

/** If a URL is undefined, the provider's own is used. */
export type SignInSettings = Credentials & {
  readonly browserUrl: string | undefined;
  readonly serverUrl: string | undefined;
  /** Verifies webhooks from Xero and Intuit. */
  readonly webhookKey?: string | undefined;
};

/**
 * Providers for sign-in, text messages, company data, name checks, screening, leaked passwords, identity checks and rewording. Undefined if
 * not set up.
 */
export type IdentitySettings = {
  readonly signIn: Readonly<Partial<Record<SignInProviderName, SignInSettings>>>;
  /** FreeAgent's application for practices; it isn't used for sign-in. */
  readonly freeAgentPractice: SignInSettings | undefined;
  readonly twilio:
    | { readonly apiUrl: string; readonly accountSid: string; readonly authToken: string; readonly serviceSid: string }
    | undefined;
  readonly companiesHouse: { readonly apiUrl: string; readonly apiKey: string } | undefined;
  readonly modulr:
    | { readonly apiUrl: string; readonly keyId: string; readonly secret: string; readonly paymentAccountId: string }
    | undefined;
  readonly screening: { readonly apiUrl: string; readonly apiKey: string; readonly dataset: string } | undefined;
  readonly leakedPasswords: { readonly apiUrl: string } | undefined;
  readonly languageModel: { readonly apiUrl: string; readonly apiKey: string; readonly model: string } | undefined;
  readonly identityCheck: { readonly apiUrl: string; readonly apiKey: string; readonly webhookSecrets: readonly string[] } | undefined;
};

export type GoCardlessSettings = { readonly apiUrl: string; readonly accessToken: string; readonly webhookSecrets: readonly string[] };

export type BillingSettings = {
  readonly stripe: { readonly apiUrl: string; readonly secretKey: string; readonly webhookSecrets: readonly string[] };
  /** The seller's details shown on invoices. */
  readonly seller: { readonly name: string; readonly address: string; readonly vatNumber: string };
};

export type ProviderSettings = {
  readonly trustProxy: NonNullable<z.infer<(typeof settingTable)['TRUST_PROXY']['shape']>>;
  readonly vendorPublicIp: string | undefined;
  readonly mail: { readonly smtpUrl: string; readonly from: string };
  /** Undefined if we don’t receive reports about our email. */
  readonly mailReports: ReportSettings | undefined;
  readonly hmrc: HmrcSettings;
  readonly truelayer: TrueLayerSettings;
  readonly identity: IdentitySettings;
  /** Undefined if Direct Debit isn't set up. */
  readonly goCardless: GoCardlessSettings | undefined;
  /** Undefined if no virus scanner is set up. */
  readonly clamd: { readonly url: string } | undefined;
  /** Undefined if practices aren't charged. */
  readonly billing: BillingSettings | undefined;
  readonly chat: VisitorSettings['chat'];
};

/**
 * For HMRC, TrueLayer and mail, each value that is set overrides the sandbox's. An optional provider is simulated only if none of its
 * settings is set.
 */
const REQUIRED_SETTINGS: Readonly<Record<'hmrc' | 'truelayer' | 'mail', readonly SettingName[]>> = {
  hmrc: ['HMRC_API_URL', 'HMRC_WWW_URL', 'HMRC_CLIENT_ID', 'HMRC_CLIENT_SECRET'],
  truelayer: [
    'TRUELAYER_AUTH_URL',
    'TRUELAYER_API_URL',
    'TRUELAYER_CLIENT_ID',
    'TRUELAYER_CLIENT_SECRET',
    'TRUELAYER_MERCHANT_ACCOUNT_ID',
    'TRUELAYER_SIGNING_KID',
    'TRUELAYER_SIGNING_PRIVATE_KEY',
    'TRUELAYER_WEBHOOK_JKU',
  ],
  mail: ['SMTP_URL', 'BOUNCE_DOMAIN', 'BOUNCE_PORT'],
};
const OPTIONAL_PREFIXES = [
  'GOOGLE_',
  'MICROSOFT_',
  'XERO_',
  'INTUIT_',
  'FREEAGENT_',
  'TWILIO_',
  'COMPANIES_HOUSE_',
  'IDENTITY_CHECK_',
  'MODULR_',
  'SCREENING_',
  'HUBSPOT_',
  'PWNED_PASSWORDS_',
  'LANGUAGE_MODEL_',
  'CLAMD_',
  'GOCARDLESS_',
  'STRIPE_',
  'INVOICE_SELLER_',
];
/** Defaults for local use only: the local proxy, and an IP address for HMRC's headers. */
const LOCAL_ONLY_SETTINGS: readonly SettingName[] = ['TRUST_PROXY', 'VENDOR_PUBLIC_IP'];

/** `fromSandbox`: the sandbox's settings; empty if no provider is simulated. Throws `upstream` if a required setting is missing. */
export function completeSettings<Start extends { readonly sandbox: SimulatedProviders }>(
  start: Start,
  environment: Environment,
  fromSandbox: Environment,
): Start & ProviderSettings {
  const parsed = readSettingValues({
    ...chooseSandboxSettings(start.sandbox, environment, fromSandbox),
    ...omitEmptySettings(environment),
  });
  if (!parsed.ok)
    throw new AppError('upstream', 'sandbox.settings', `The sandbox provided an invalid setting. ${parsed.problems.join(' ')}`);
  const { values } = parsed;
  return {
    ...start,
    trustProxy: values.TRUST_PROXY ?? false,
    vendorPublicIp: values.VENDOR_PUBLIC_IP,
    mail: { smtpUrl: getRequiredSetting(values, 'SMTP_URL'), from: values.MAIL_FROM ?? `${values.BRAND_NAME} <no-reply@portal.example>` },
    mailReports: toMailReports(values),
    hmrc: toHmrc(values),
    truelayer: toTrueLayer(values),
    identity: toIdentity(values),
    goCardless: toGoCardless(values),
    clamd: values.CLAMD_URL === undefined ? undefined : { url: values.CLAMD_URL },
    billing: toBilling(values),
    chat: toChatSettings(values),
  };
}

function chooseSandboxSettings(simulatedProviders: SimulatedProviders, environment: Environment, fromSandbox: Environment): Environment {
  const isSet = (name: string): boolean => getSettingText(environment, name) !== undefined;
  const prefixesSet = OPTIONAL_PREFIXES.filter((prefix) =>
    Object.keys(settingTable).some((name) => name.startsWith(prefix) && isSet(name)),
  );
  const chosenSettings = Object.entries(fromSandbox).filter(([name]) => {
    for (const provider of ['hmrc', 'truelayer', 'mail'] as const) {
      if (REQUIRED_SETTINGS[provider].some((getRequired) => getRequired === name)) return simulatedProviders[provider];
    }
    if (LOCAL_ONLY_SETTINGS.some((seeded) => seeded === name)) return simulatedProviders.isComplete;
    return simulatedProviders.areOthersSimulated && !prefixesSet.some((prefix) => name.startsWith(prefix));
  });
  return Object.fromEntries(chosenSettings);
}

function omitEmptySettings(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => getSettingText(environment, name) !== undefined));
}

function getRequiredSetting<Name extends SettingName>(values: SettingValues, name: Name): NonNullable<SettingValues[Name]> {
  const value = values[name];
  if (value === undefined || value === null) {
    throw new AppError(
      'upstream',
      'sandbox.settings',
      `${name} is not set, and the sandbox didn’t provide it. Restart the sandbox or set ${name}.`,
    );
  }
  return value;
}

function toMailReports({ BOUNCE_DOMAIN: domain, BOUNCE_HOST: host, BOUNCE_PORT: port }: SettingValues): ReportSettings | undefined {
  return domain === undefined || port === undefined ? undefined : { domain, host, port };
}

export function toHmrc(values: SettingValues): HmrcSettings {
  return {
    apiUrl: getRequiredSetting(values, 'HMRC_API_URL'),
    wwwUrl: getRequiredSetting(values, 'HMRC_WWW_URL'),
    callsPerSecond: values.HMRC_CALLS_PER_SECOND,
    clientId: getRequiredSetting(values, 'HMRC_CLIENT_ID'),
    clientSecret: getRequiredSetting(values, 'HMRC_CLIENT_SECRET'),
  };
}

export function toTrueLayer(values: SettingValues): TrueLayerSettings {
  return {
    authUrl: getRequiredSetting(values, 'TRUELAYER_AUTH_URL'),
    apiUrl: getRequiredSetting(values, 'TRUELAYER_API_URL'),
    clientId: getRequiredSetting(values, 'TRUELAYER_CLIENT_ID'),
    clientSecret: getRequiredSetting(values, 'TRUELAYER_CLIENT_SECRET'),
    merchantAccountId: getRequiredSetting(values, 'TRUELAYER_MERCHANT_ACCOUNT_ID'),
    signing: {
      kid: getRequiredSetting(values, 'TRUELAYER_SIGNING_KID'),
      privateKeyPem:
        values.TRUELAYER_SIGNING_PRIVATE_KEY ??
        values.TRUELAYER_SIGNING_PRIVATE_KEY_FILE ??
        getRequiredSetting(values, 'TRUELAYER_SIGNING_PRIVATE_KEY'),
    },
    webhookJwksUrls: values.TRUELAYER_WEBHOOK_JKU,
  };
}

export function toGoCardless(values: SettingValues): GoCardlessSettings | undefined {
  const { GOCARDLESS_API_URL: apiUrl, GOCARDLESS_ACCESS_TOKEN: accessToken, GOCARDLESS_WEBHOOK_SECRETS: webhookSecrets } = values;
  return accessToken !== undefined && webhookSecrets !== undefined ? { apiUrl, accessToken, webhookSecrets } : undefined;
}

export function toBilling(values: SettingValues): BillingSettings | undefined {
  const { STRIPE_API_URL: apiUrl, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRETS: webhookSecrets } = values;
  const { INVOICE_SELLER_NAME: name, INVOICE_SELLER_ADDRESS: address, INVOICE_SELLER_VAT_NUMBER: vatNumber } = values;
  if (secretKey === undefined || webhookSecrets === undefined) return undefined;
  if (name === undefined || address === undefined || vatNumber === undefined) return undefined;
  return { stripe: { apiUrl, secretKey, webhookSecrets }, seller: { name, address, vatNumber } };
}

export function toIdentity(values: SettingValues): IdentitySettings {
  const names = ['google', 'microsoft', 'xero', 'intuit', 'freeagent'] as const;
  const signIn = names.flatMap((name) => {
    const upperCaseName = name.toUpperCase() as Uppercase<typeof name>;
    const [clientId, clientSecret] = [values[`${upperCaseName}_CLIENT_ID`], values[`${upperCaseName}_CLIENT_SECRET`]];
    if (clientId === undefined || clientSecret === undefined) return [];
    const addresses = { browserUrl: values[`${upperCaseName}_BROWSER_URL`], serverUrl: values[`${upperCaseName}_SERVER_URL`] };
    const webhookKeys = { xero: values.XERO_WEBHOOK_KEY, intuit: values.INTUIT_WEBHOOK_KEY };
    const webhookKey = name === 'xero' || name === 'intuit' ? webhookKeys[name] : undefined;
    return [[name, { clientId, clientSecret, ...addresses, webhookKey }] as const];
  });
  const { FREEAGENT_PRACTICE_CLIENT_ID: practiceClientId, FREEAGENT_PRACTICE_CLIENT_SECRET: practiceClientSecret } = values;
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_VERIFY_SERVICE_SID: serviceSid } = values;
  const { IDENTITY_CHECK_API_URL: apiUrl, IDENTITY_CHECK_API_KEY: apiKey, IDENTITY_CHECK_WEBHOOK_SECRETS: webhookSecrets } = values;
  const { MODULR_KEY_ID: keyId, MODULR_SECRET: secret, MODULR_PAYMENT_ACCOUNT_ID: paymentAccountId } = values;
  const { LANGUAGE_MODEL_URL: modelUrl, LANGUAGE_MODEL_KEY: modelKey, LANGUAGE_MODEL_NAME: model } = values;
  const registerKey = values.COMPANIES_HOUSE_API_KEY;
  const screeningKey = values.SCREENING_API_KEY;
  return {
    signIn: Object.fromEntries(signIn),
    freeAgentPractice:
      practiceClientId !== undefined && practiceClientSecret !== undefined
        ? {
            clientId: practiceClientId,
            clientSecret: practiceClientSecret,
            browserUrl: values.FREEAGENT_PRACTICE_BROWSER_URL,
            serverUrl: values.FREEAGENT_PRACTICE_SERVER_URL,
          }
        : undefined,
    twilio:
      accountSid !== undefined && authToken !== undefined && serviceSid !== undefined
        ? { apiUrl: values.TWILIO_API_URL, accountSid, authToken, serviceSid }
        : undefined,
    companiesHouse: registerKey === undefined ? undefined : { apiUrl: values.COMPANIES_HOUSE_API_URL, apiKey: registerKey },
    modulr:
      keyId !== undefined && secret !== undefined && paymentAccountId !== undefined
        ? { apiUrl: values.MODULR_API_URL, keyId, secret, paymentAccountId }
        : undefined,
    screening:
      screeningKey === undefined
        ? undefined
        : { apiUrl: values.SCREENING_API_URL, apiKey: screeningKey, dataset: values.SCREENING_DATASET },
    leakedPasswords: values.PWNED_PASSWORDS_URL === undefined ? undefined : { apiUrl: values.PWNED_PASSWORDS_URL },
    languageModel:
      modelUrl !== undefined && modelKey !== undefined && model !== undefined ? { apiUrl: modelUrl, apiKey: modelKey, model } : undefined,
    identityCheck:
      apiUrl !== undefined && apiKey !== undefined && webhookSecrets !== undefined ? { apiUrl, apiKey, webhookSecrets } : undefined,
  };
}
