/** Finds which providers are real and which are still simulated alongside them. */
import type { SettingValues } from './setting-values.ts';
import type { SettingName } from './settings-table.ts';

type OptionalProvider = {
  readonly name: string;
  /** Set either all of these or none. */
  readonly credentials: readonly SettingName[];
  /** If unset, the provider's own URL is used. */
  readonly addresses: readonly SettingName[];
};

/** The providers that the portal requires, with the settings that hold their URLs. */
const MAIN_PROVIDERS = {
  hmrc: ['HMRC_API_URL', 'HMRC_WWW_URL'],
  bank: ['TRUELAYER_API_URL', 'TRUELAYER_AUTH_URL'],
  mail: ['SMTP_URL'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/**
 * Operators run these on the portal's own computer: a mail relay, a yente server, a mirror of leaked passwords, a language model, ClamAV.
 * Any other provider on this computer is a simulator.
 */
const SELF_HOSTED = ['mail', 'screening', 'pwned_passwords', 'language_model', 'clamd'];

export const OPTIONAL_PROVIDERS: readonly OptionalProvider[] = [
  ...(['GOOGLE', 'MICROSOFT', 'XERO', 'INTUIT', 'FREEAGENT', 'FREEAGENT_PRACTICE'] as const).map((prefix): OptionalProvider => ({
    name: prefix.toLowerCase(),
    credentials: [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`],
    addresses: [`${prefix}_BROWSER_URL`, `${prefix}_SERVER_URL`],
  })),
  {
    name: 'twilio',
    credentials: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_VERIFY_SERVICE_SID'],
    addresses: ['TWILIO_API_URL'],
  },
  { name: 'companies_house', credentials: ['COMPANIES_HOUSE_API_KEY'], addresses: ['COMPANIES_HOUSE_API_URL'] },
  {
    name: 'identity',
    credentials: ['IDENTITY_CHECK_API_URL', 'IDENTITY_CHECK_API_KEY', 'IDENTITY_CHECK_WEBHOOK_SECRETS'],
    addresses: ['IDENTITY_CHECK_API_URL'],
  },
  { name: 'modulr', credentials: ['MODULR_KEY_ID', 'MODULR_SECRET', 'MODULR_PAYMENT_ACCOUNT_ID'], addresses: ['MODULR_API_URL'] },
  { name: 'screening', credentials: ['SCREENING_API_KEY'], addresses: ['SCREENING_API_URL'] },
  { name: 'pwned_passwords', credentials: ['PWNED_PASSWORDS_URL'], addresses: ['PWNED_PASSWORDS_URL'] },
  {
    name: 'language_model',
    credentials: ['LANGUAGE_MODEL_URL', 'LANGUAGE_MODEL_KEY', 'LANGUAGE_MODEL_NAME'],
    addresses: ['LANGUAGE_MODEL_URL'],
  },
  { name: 'clamd', credentials: ['CLAMD_URL'], addresses: ['CLAMD_URL'] },
  { name: 'gocardless', credentials: ['GOCARDLESS_ACCESS_TOKEN', 'GOCARDLESS_WEBHOOK_SECRETS'], addresses: ['GOCARDLESS_API_URL'] },
  {
    name: 'stripe',
    credentials: [
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRETS',
      'INVOICE_SELLER_NAME',
      'INVOICE_SELLER_ADDRESS',
      'INVOICE_SELLER_VAT_NUMBER',
    ],
    addresses: ['STRIPE_API_URL'],
  },
  { name: 'hubspot', credentials: ['HUBSPOT_HUB_ID', 'HUBSPOT_ACCESS_TOKEN'], addresses: ['HUBSPOT_API_URL', 'HUBSPOT_LOADER_URL'] },
];

/** Every setting that holds the URL of a provider that is called or opened over the web. */
export const PROVIDER_ADDRESSES: readonly SettingName[] = [
  ...MAIN_PROVIDERS.hmrc,
  ...MAIN_PROVIDERS.bank,
  ...OPTIONAL_PROVIDERS.flatMap(({ addresses }) => addresses),
];

export type ProvidersInUse = {
  /** Providers whose URL isn't on this computer. */
  readonly real: readonly string[];
  /** Simulators used alongside a real HMRC, bank or mail server, where made-up data could cause a real filing or payout. */
  readonly mixed: readonly string[];
};

export function findProvidersInUse(values: SettingValues): ProvidersInUse {
  const isElsewhere = (name: SettingName): boolean => typeof values[name] === 'string' && !isLocalAddress(values[name]);
  const main = Object.entries(MAIN_PROVIDERS).map(([name, addresses]: [string, readonly SettingName[]]) => ({
    name,
    addresses,
    isReal: addresses.some(isElsewhere),
  }));
  const optional = OPTIONAL_PROVIDERS.filter(({ credentials }) => credentials.every((name) => values[name] !== undefined)).map(
    ({ name, addresses }) => ({
      name,
      addresses,
      isReal: addresses.some((address) => values[address] === undefined || isElsewhere(address)),
    }),
  );
  const isMixPossible = main.some(({ isReal }) => isReal);
  const allProviders = [...main, ...optional];
  const isSimulator = ({ name, isReal, addresses }: (typeof allProviders)[number]): boolean =>
    !isReal && (!SELF_HOSTED.includes(name) || addresses.every((address) => isSandboxAddress(values, values[address])));
  return {
    real: allProviders.flatMap(({ name, isReal }) => (isReal ? [name] : [])),
    mixed: isMixPossible ? allProviders.filter(isSimulator).map(({ name }) => name) : [],
  };
}

/** Returns the URLs of a provider of which some are on this computer and others aren't. An unset one is the provider's own. */
export function findHalfLocalProviders(values: SettingValues): (readonly SettingName[])[] {
  return OPTIONAL_PROVIDERS.flatMap(({ credentials, addresses }) => {
    const isInUse = credentials.every((name) => values[name] !== undefined);
    const localCount = addresses.filter((name) => typeof values[name] === 'string' && isLocalAddress(values[name])).length;
    return isInUse && localCount > 0 && localCount < addresses.length ? [addresses] : [];
  });
}

/** Returns whether a URL is the sandbox's, or is unset and so defaults to the sandbox's. */
export function isSandboxAddress({ SANDBOX_PORT, SANDBOX_SMTP_PORT }: SettingValues, address: unknown): boolean {
  if (typeof address !== 'string') return true;
  const { port, protocol } = new URL(address);
  const expectedPort = protocol === 'tcp:' ? SANDBOX_SMTP_PORT + 1 : protocol.startsWith('smtp') ? SANDBOX_SMTP_PORT : SANDBOX_PORT;
  return isLocalAddress(address) && Number(port) === expectedPort;
}

export function isLocalAddress(address: string): boolean {
  return isLoopback(new URL(address).hostname);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
