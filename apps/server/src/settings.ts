/** The environment as the portal understands it: parsed once, at the start; every bad value is refused by its name, all at once. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseSetting } from '@portal/db/database.ts';
import { SANDBOX_TRUELAYER } from '@portal/sandbox/truelayer/sandbox-credentials.ts';
import type { SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import type { z } from 'zod';
import { settingTable, type SettingName } from './settings-table.ts';
import { chatFrom, visitorsFrom, type VisitorSettings } from './visitor-settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type HmrcSettings = Credentials & {
  readonly apiUrl: string;
  readonly wwwUrl: string;
  readonly callsPerSecond: number;
};

export type TrueLayerSettings = {
  readonly authUrl: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly merchantAccountId: string;
  /** Undefined while the provider is a double: its key pair is made at the first start. */
  readonly signing: { readonly kid: string; readonly privateKeyPem: string } | undefined;
  readonly webhookJwksUrls: readonly string[];
};

type Credentials = { readonly clientId: string; readonly clientSecret: string };

/** What the ways in need of other companies; undefined where it is not set up. */
export type IdentitySettings = {
  readonly signIn: Readonly<Partial<Record<SignInProviderName, Credentials>>>;
  readonly twilio:
    | { readonly apiUrl: string; readonly accountSid: string; readonly authToken: string; readonly serviceSid: string }
    | undefined;
  readonly companiesHouse: { readonly apiUrl: string; readonly apiKey: string } | undefined;
  readonly identityCheck: { readonly apiUrl: string; readonly apiKey: string; readonly webhookSecrets: readonly string[] } | undefined;
};

/** Which providers are doubles, told from where their addresses point: at the sandbox's port on loopback. */
export type Doubles = { readonly hmrc: boolean; readonly truelayer: boolean; readonly mail: boolean };

export type Settings = {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly appHost: string;
  readonly brand: string;
  readonly dataDir: string;
  readonly database: DatabaseSetting;
  /** Every answer is also checked against its contract: slow, for tests. */
  readonly validateOutputs: boolean;
  readonly showsDevelopmentPages: boolean;
  readonly logLevel: z.infer<(typeof settingTable)['LOG_LEVEL']['shape']>;
  readonly trustProxy: NonNullable<z.infer<(typeof settingTable)['TRUST_PROXY']['shape']>>;
  readonly vendorPublicIp: string | undefined;
  /** 32 bytes each, base64, newest first. Undefined in the sandbox: made at the first start. */
  readonly tokenEncryptionKeys: readonly string[] | undefined;
  readonly mail: { readonly smtpUrl: string; readonly from: string };
  readonly hmrc: HmrcSettings;
  readonly truelayer: TrueLayerSettings;
  readonly identity: IdentitySettings;
  /** Undefined where no chat is set up. */
  readonly chat: VisitorSettings['chat'];
  readonly analytics: VisitorSettings['analytics'];
  readonly contact: VisitorSettings['contact'];
  readonly website: VisitorSettings['website'];
  readonly sandbox: {
    readonly url: string;
    readonly port: number;
    readonly smtpPort: number;
    readonly dataDir: string;
    readonly doubles: Doubles;
    /** HMRC, bank and post are doubles: so is every further provider that is not set up. */
    readonly fillsGaps: boolean;
    /** Every provider is a double: portal and doubles share the sandbox clock. */
    readonly isWhole: boolean;
    /** The small world may be seeded: the sandbox is whole and strangers cannot reach it, or its owner said they may. */
    readonly mayHoldWorld: boolean;
  };
};

export type ParsedSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

type Values = { readonly [Name in SettingName]: z.infer<(typeof settingTable)[Name]['shape']> };

const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));

export function parseSettings(environment: Environment): ParsedSettings {
  const read = readValues(environment);
  if (!read.ok) return read;
  const settings = settingsFrom(read.values);
  const problems = contradictionsIn(settings, read.values);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

function readValues(environment: Environment): { ok: true; values: Values } | { ok: false; problems: string[] } {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { shape, isSecret, expects, unless }] of Object.entries(settingTable)) {
    const given = givenText(environment, name);
    const text = given ?? unless?.((other) => givenText(environment, other));
    const parsed = shape.safeParse(text);
    values[name] = parsed.data;
    if (parsed.success) continue;
    const problem = `${name} is ${isSecret ? 'set to something' : `"${text}"`}, but ${expects} is expected.`;
    // A default can only be bad because of the setting it follows, which is named already.
    if (given !== undefined || problems.length === 0) problems.push(problem);
  }
  // Each value was checked by the shape of its own name just above.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values: values as Values };
}

/** An empty value is what a shell or a compose file leaves of an unset one. */
function givenText(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

/** An address of RFC 5737, which belongs to nobody: only HMRC's double ever sees it. */
const SANDBOX_VENDOR_IP = '203.0.113.6';

function settingsFrom(values: Values): Settings {
  const dataDir = resolve(repositoryRoot, values.DATA_DIR);
  const sandboxUrl = `http://localhost:${values.SANDBOX_PORT}`;
  const doubles: Doubles = {
    hmrc: isAtPort(values.HMRC_API_URL, values.SANDBOX_PORT),
    truelayer: isAtPort(values.TRUELAYER_API_URL, values.SANDBOX_PORT),
    mail: isAtPort(values.SMTP_URL, values.SANDBOX_SMTP_PORT),
  };
  const identity = identityFrom(values);
  const fillsGaps = doubles.hmrc && doubles.truelayer && doubles.mail;
  const chat = chatFrom(values);
  const isWhole = fillsGaps && !hasRealProvider(identity) && chat === undefined;
  const mayHoldWorld = isWhole && (isLoopback(values.HOST) || values.SANDBOX_PUBLIC);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    appHost: values.APP_HOST ?? values.PUBLIC_URL,
    brand: values.BRAND_NAME,
    dataDir,
    database: values.DATABASE_URL
      ? { kind: 'postgres', url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE }
      : { kind: 'embedded', dataDir },
    validateOutputs: values.NODE_ENV === 'test',
    showsDevelopmentPages: values.NODE_ENV !== 'production',
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY ?? (mayHoldWorld ? 'loopback' : false),
    vendorPublicIp: values.VENDOR_PUBLIC_IP ?? (mayHoldWorld ? SANDBOX_VENDOR_IP : undefined),
    tokenEncryptionKeys: values.TOKEN_ENCRYPTION_KEYS,
    mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM ?? `${values.BRAND_NAME} <no-reply@portal.example>` },
    hmrc: {
      apiUrl: values.HMRC_API_URL,
      wwwUrl: values.HMRC_WWW_URL,
      callsPerSecond: values.HMRC_CALLS_PER_SECOND,
      clientId: values.HMRC_CLIENT_ID,
      clientSecret: values.HMRC_CLIENT_SECRET,
    },
    truelayer: trueLayerFrom(values),
    identity,
    chat,
    ...visitorsFrom(values),
    sandbox: {
      url: sandboxUrl,
      port: values.SANDBOX_PORT,
      smtpPort: values.SANDBOX_SMTP_PORT,
      dataDir: resolve(dataDir, 'sandbox'),
      doubles,
      fillsGaps,
      isWhole,
      mayHoldWorld,
    },
  };
}

function trueLayerFrom(values: Values): TrueLayerSettings {
  const { TRUELAYER_SIGNING_KID: kid, TRUELAYER_SIGNING_PRIVATE_KEY: key, TRUELAYER_SIGNING_PRIVATE_KEY_FILE: keyInFile } = values;
  const privateKeyPem = key ?? keyInFile;
  return {
    authUrl: values.TRUELAYER_AUTH_URL,
    apiUrl: values.TRUELAYER_API_URL,
    clientId: values.TRUELAYER_CLIENT_ID,
    clientSecret: values.TRUELAYER_CLIENT_SECRET,
    merchantAccountId: values.TRUELAYER_MERCHANT_ACCOUNT_ID,
    signing: kid !== undefined && privateKeyPem !== undefined ? { kid, privateKeyPem } : undefined,
    webhookJwksUrls: values.TRUELAYER_WEBHOOK_JKU,
  };
}

function identityFrom(values: Values): IdentitySettings {
  const names = ['google', 'microsoft', 'xero', 'intuit', 'freeagent'] as const;
  const signIn = names.flatMap((name) => {
    const upper = name.toUpperCase() as Uppercase<typeof name>;
    const [clientId, clientSecret] = [values[`${upper}_CLIENT_ID`], values[`${upper}_CLIENT_SECRET`]];
    return clientId !== undefined && clientSecret !== undefined ? [[name, { clientId, clientSecret }] as const] : [];
  });
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_VERIFY_SERVICE_SID: serviceSid } = values;
  const { IDENTITY_CHECK_API_URL: apiUrl, IDENTITY_CHECK_API_KEY: apiKey, IDENTITY_CHECK_WEBHOOK_SECRETS: webhookSecrets } = values;
  const registerKey = values.COMPANIES_HOUSE_API_KEY;
  return {
    signIn: Object.fromEntries(signIn),
    twilio:
      accountSid !== undefined && authToken !== undefined && serviceSid !== undefined
        ? { apiUrl: 'https://verify.twilio.com', accountSid, authToken, serviceSid }
        : undefined,
    companiesHouse:
      registerKey === undefined ? undefined : { apiUrl: 'https://api.company-information.service.gov.uk', apiKey: registerKey },
    identityCheck:
      apiUrl !== undefined && apiKey !== undefined && webhookSecrets !== undefined ? { apiUrl, apiKey, webhookSecrets } : undefined,
  };
}

function hasRealProvider({ signIn, twilio, companiesHouse, identityCheck }: IdentitySettings): boolean {
  return Object.keys(signIn).length > 0 || twilio !== undefined || companiesHouse !== undefined || identityCheck !== undefined;
}

/** Settings that mean something only together. */
const TOGETHER = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['XERO_CLIENT_ID', 'XERO_CLIENT_SECRET'],
  ['INTUIT_CLIENT_ID', 'INTUIT_CLIENT_SECRET'],
  ['FREEAGENT_CLIENT_ID', 'FREEAGENT_CLIENT_SECRET'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_VERIFY_SERVICE_SID'],
  ['IDENTITY_CHECK_API_URL', 'IDENTITY_CHECK_API_KEY', 'IDENTITY_CHECK_WEBHOOK_SECRETS'],
  ['HUBSPOT_HUB_ID', 'HUBSPOT_ACCESS_TOKEN'],
] as const satisfies readonly (readonly SettingName[])[];

/** What each value allows alone but not together with the others. */
function contradictionsIn(settings: Settings, values: Values): string[] {
  const { doubles, isWhole } = settings.sandbox;
  const problems: string[] = [];
  const need = (holds: boolean, sentence: string): void => void (holds || problems.push(sentence));

  need(
    values.PORT !== values.SANDBOX_PORT,
    `PORT and SANDBOX_PORT are both ${values.PORT}, but the portal and the sandbox need a port each.`,
  );
  need(
    isAtPort(values.HMRC_WWW_URL, values.SANDBOX_PORT) === doubles.hmrc,
    'HMRC_API_URL and HMRC_WWW_URL name two different HMRCs: both must be the double at SANDBOX_PORT, or neither.',
  );
  need(
    isAtPort(values.TRUELAYER_AUTH_URL, values.SANDBOX_PORT) === doubles.truelayer,
    'TRUELAYER_AUTH_URL and TRUELAYER_API_URL name two different TrueLayers: both must be the double at SANDBOX_PORT, or neither.',
  );
  need(
    doubles.hmrc || values.HMRC_CLIENT_ID !== 'sandbox-client-id',
    'HMRC_CLIENT_ID is not set, but the real HMRC needs the id of your application.',
  );
  need(
    doubles.hmrc || values.HMRC_CLIENT_SECRET !== 'sandbox-client-secret',
    'HMRC_CLIENT_SECRET is not set, but the real HMRC needs the secret of your application.',
  );
  for (const [name, sandboxValue] of [
    ['TRUELAYER_CLIENT_ID', SANDBOX_TRUELAYER.clientId],
    ['TRUELAYER_CLIENT_SECRET', SANDBOX_TRUELAYER.clientSecret],
    ['TRUELAYER_MERCHANT_ACCOUNT_ID', SANDBOX_TRUELAYER.merchantAccountId],
  ] as const) {
    need(
      doubles.truelayer || values[name] !== sandboxValue,
      `${name} is not set, but the real TrueLayer needs it: it stands in their console.`,
    );
  }
  for (const names of TOGETHER) {
    const set = names.filter((name) => values[name] !== undefined);
    need(set.length === 0 || set.length === names.length, `${names.join(', ')} belong together, but only ${set.join(', ')} is set.`);
  }
  need(
    doubles.truelayer || settings.truelayer.signing !== undefined,
    'TRUELAYER_SIGNING_KID and TRUELAYER_SIGNING_PRIVATE_KEY (or _FILE) are not set, but the real TrueLayer takes signed payouts only.',
  );
  need(
    doubles.mail || values.MAIL_FROM !== undefined,
    'MAIL_FROM is not set, but a real mail server needs the sender that it may send as.',
  );
  need(
    isWhole || values.TOKEN_ENCRYPTION_KEYS !== undefined,
    'TOKEN_ENCRYPTION_KEYS is not set, but with a real provider it must be: 32 random bytes in base64 (`openssl rand -base64 32`).',
  );
  need(
    isWhole || isLoopback(new URL(values.PUBLIC_URL).hostname) || values.PUBLIC_URL.startsWith('https://'),
    `PUBLIC_URL is "${values.PUBLIC_URL}", but with a real provider people must reach the portal over https.`,
  );
  return problems;
}

function isAtPort(address: string, port: number): boolean {
  const url = new URL(address);
  return isLoopback(url.hostname) && Number(url.port) === port;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
