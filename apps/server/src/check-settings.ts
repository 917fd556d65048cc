/** Combines the settings: which providers the sandbox simulates, and which values contradict each other. */
import { findHalfLocalProviders, isLocalAddress, isSandboxAddress, OPTIONAL_PROVIDERS } from './find-real-providers.ts';
import type { SettingValues } from './setting-values.ts';

/** A provider is simulated if its URL is not set or is the sandbox's. */
export type SimulatedProviders = {
  readonly hmrc: boolean;
  readonly truelayer: boolean;
  readonly mail: boolean;
  /** HMRC, the bank and mail are simulated, so every other unconfigured provider is simulated too. */
  readonly areOthersSimulated: boolean;
  /** No provider is configured, so the portal follows the sandbox's clock and contains its accounts, whose passwords are public. */
  readonly isComplete: boolean;
};

export function findSimulated(values: SettingValues): SimulatedProviders {
  const hmrc = isSandboxAddress(values, values.HMRC_API_URL);
  const truelayer = isSandboxAddress(values, values.TRUELAYER_API_URL);
  const mail = isSandboxAddress(values, values.SMTP_URL);
  const areOthersSimulated = hmrc && truelayer && mail;
  const isComplete =
    areOthersSimulated && !OPTIONAL_PROVIDERS.some(({ credentials }) => credentials.every((name) => values[name] !== undefined));
  return { hmrc, truelayer, mail, areOthersSimulated, isComplete };
}

/** A package has neither simulators nor the embedded database. */
export function findMissingInPackage(values: SettingValues, { hmrc, truelayer, mail }: SimulatedProviders): string[] {
  const isMissing = { HMRC_API_URL: hmrc, TRUELAYER_API_URL: truelayer, SMTP_URL: mail, DATABASE_URL: values.DATABASE_URL === undefined };
  return Object.entries(isMissing).flatMap(([name, missing]) => {
    if (!missing) return [];
    const simulatedPart = name === 'DATABASE_URL' ? 'embedded database' : 'simulators';
    return [
      `${name} is not set. This package has no ${simulatedPart}, so set it, or use a checkout of the source code to try the product.`,
    ];
  });
}

export function findContradictions(values: SettingValues, simulatedProviders: SimulatedProviders): string[] {
  const problems: string[] = [];
  const require = (isMet: boolean, sentence: string): void => void (isMet || problems.push(sentence));
  require(values.PORT !==
    values.SANDBOX_PORT, `PORT and SANDBOX_PORT are both ${values.PORT}. Give the portal and the sandbox different ports.`);
  requireHmrc(values, simulatedProviders, require);
  requireTrueLayer(values, simulatedProviders, require);
  for (const { credentials: names } of OPTIONAL_PROVIDERS) {
    const set = names.filter((name) => values[name] !== undefined);
    require(set.length === 0 ||
      set.length === names.length, `Set all of ${names.join(', ')} or none of them. Only ${set.join(', ')} is set.`);
  }
  for (const names of findHalfLocalProviders(values)) {
    require(false, `${names.join(' and ')} don’t match: point both at this computer, or neither.`);
  }
  require(simulatedProviders.mail ||
    values.MAIL_FROM !== undefined, 'MAIL_FROM is not set. A real mail server needs a sender address it is allowed to use.');
  require((values.BOUNCE_DOMAIN === undefined) ===
    (values.BOUNCE_PORT === undefined), 'Set both BOUNCE_DOMAIN and BOUNCE_PORT, or neither: bounce reports need both.');
  require(values.BOUNCE_PORT !==
    values.PORT, `PORT and BOUNCE_PORT are both ${values.PORT}. Give the portal and the bounce reports different ports.`);
  require(simulatedProviders.isComplete ||
    values.TOKEN_ENCRYPTION_KEYS !==
      undefined, 'TOKEN_ENCRYPTION_KEYS is not set. It is required with a real provider: set it to 32 random bytes in base64 (`openssl rand -base64 32`).');
  require(simulatedProviders.isComplete ||
    isLocalAddress(values.PUBLIC_URL) ||
    values.PUBLIC_URL.startsWith('https://'), `PUBLIC_URL is “${values.PUBLIC_URL}”. With a real provider, it must start with https.`);
  return problems;
}

type RequireSetting = (isMet: boolean, sentence: string) => void;

function requireHmrc(values: SettingValues, { hmrc }: SimulatedProviders, require: RequireSetting): void {
  require(isSandboxAddress(values, values.HMRC_WWW_URL) ===
    hmrc, 'HMRC_API_URL and HMRC_WWW_URL don’t match: point both at the simulator on SANDBOX_PORT, or neither.');
  require(hmrc || values.HMRC_CLIENT_ID !== undefined, 'HMRC_CLIENT_ID is not set. The real HMRC needs your application’s client ID.');
  require(hmrc ||
    values.HMRC_CLIENT_SECRET !== undefined, 'HMRC_CLIENT_SECRET is not set. The real HMRC needs your application’s client secret.');
}

function requireTrueLayer(values: SettingValues, { truelayer }: SimulatedProviders, require: RequireSetting): void {
  require(isSandboxAddress(values, values.TRUELAYER_AUTH_URL) ===
    truelayer, 'TRUELAYER_AUTH_URL and TRUELAYER_API_URL don’t match: point both at the simulator on SANDBOX_PORT, or neither.');
  for (const name of ['TRUELAYER_CLIENT_ID', 'TRUELAYER_CLIENT_SECRET', 'TRUELAYER_MERCHANT_ACCOUNT_ID'] as const) {
    require(truelayer || values[name] !== undefined, `${name} is not set. The real TrueLayer needs it: find it in TrueLayer’s console.`);
  }
  const hasKey = values.TRUELAYER_SIGNING_PRIVATE_KEY !== undefined || values.TRUELAYER_SIGNING_PRIVATE_KEY_FILE !== undefined;
  require(truelayer ||
    (values.TRUELAYER_SIGNING_KID !== undefined &&
      hasKey), 'TRUELAYER_SIGNING_KID and TRUELAYER_SIGNING_PRIVATE_KEY (or _FILE) are not set. The real TrueLayer only accepts signed payouts.');
}
