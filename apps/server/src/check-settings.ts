/** Combines the settings: which providers the sandbox simulates, and which values contradict each other. */
import type { SettingValues } from './setting-values.ts';
import type { SettingName } from './settings-table.ts';

/** A provider is simulated if its URL is not set or is the sandbox's. */
export type Simulated = {
  readonly hmrc: boolean;
  readonly truelayer: boolean;
  readonly mail: boolean;
  /** HMRC, bank and mail are simulated, so every other provider that isn't configured is simulated too. */
  readonly areOthersSimulated: boolean;
  /** No provider is real, so the portal follows the sandbox's clock. */
  readonly isComplete: boolean;
  /**
   * The sandbox accounts, whose passwords are public, may exist: no provider is real, and the portal either cannot be reached from outside
   * or its owner allows the accounts.
   */
  readonly mayBeSeeded: boolean;
};

/** Settings that must be set together. */
const REQUIRED_TOGETHER = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['XERO_CLIENT_ID', 'XERO_CLIENT_SECRET'],
  ['INTUIT_CLIENT_ID', 'INTUIT_CLIENT_SECRET'],
  ['FREEAGENT_CLIENT_ID', 'FREEAGENT_CLIENT_SECRET'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_VERIFY_SERVICE_SID'],
  ['COMPANIES_HOUSE_API_KEY'],
  ['IDENTITY_CHECK_API_URL', 'IDENTITY_CHECK_API_KEY', 'IDENTITY_CHECK_WEBHOOK_SECRETS'],
  ['MODULR_KEY_ID', 'MODULR_SECRET', 'MODULR_PAYMENT_ACCOUNT_ID'],
  ['SCREENING_API_KEY'],
  ['HUBSPOT_HUB_ID', 'HUBSPOT_ACCESS_TOKEN'],
] as const satisfies readonly (readonly SettingName[])[];

export function findSimulated(values: SettingValues): Simulated {
  const hmrc = isSimulated(values.HMRC_API_URL, values.SANDBOX_PORT);
  const truelayer = isSimulated(values.TRUELAYER_API_URL, values.SANDBOX_PORT);
  const mail = isSimulated(values.SMTP_URL, values.SANDBOX_SMTP_PORT);
  const areOthersSimulated = hmrc && truelayer && mail;
  const isComplete = areOthersSimulated && !REQUIRED_TOGETHER.some((names) => names.every((name) => values[name] !== undefined));
  return {
    hmrc,
    truelayer,
    mail,
    areOthersSimulated,
    isComplete,
    mayBeSeeded: isComplete && (isLoopback(values.HOST) || values.SANDBOX_PUBLIC),
  };
}

export function findContradictions(values: SettingValues, simulated: Simulated): string[] {
  const problems: string[] = [];
  const require = (isMet: boolean, sentence: string): void => void (isMet || problems.push(sentence));
  require(values.PORT !==
    values.SANDBOX_PORT, `PORT and SANDBOX_PORT are both ${values.PORT}. Give the portal and the sandbox different ports.`);
  requireHmrc(values, simulated, require);
  requireTrueLayer(values, simulated, require);
  for (const names of REQUIRED_TOGETHER) {
    const set = names.filter((name) => values[name] !== undefined);
    require(set.length === 0 ||
      set.length === names.length, `Set all of ${names.join(', ')} or none of them. Only ${set.join(', ')} is set.`);
  }
  require(simulated.mail ||
    values.MAIL_FROM !== undefined, 'MAIL_FROM is not set. A real mail server needs a sender address that it is allowed to use.');
  require(simulated.isComplete ||
    values.TOKEN_ENCRYPTION_KEYS !==
      undefined, 'TOKEN_ENCRYPTION_KEYS is not set. It is required with a real provider: set it to 32 random bytes in base64 (`openssl rand -base64 32`).');
  require(simulated.isComplete ||
    isLoopback(new URL(values.PUBLIC_URL).hostname) ||
    values.PUBLIC_URL.startsWith('https://'), `PUBLIC_URL is “${values.PUBLIC_URL}”. With a real provider, it must start with https.`);
  return problems;
}

type Requirement = (isMet: boolean, sentence: string) => void;

function requireHmrc(values: SettingValues, { hmrc }: Simulated, require: Requirement): void {
  require(isSimulated(values.HMRC_WWW_URL, values.SANDBOX_PORT) ===
    hmrc, 'HMRC_API_URL and HMRC_WWW_URL don’t match: point both at the simulator on SANDBOX_PORT, or neither.');
  require(hmrc || values.HMRC_CLIENT_ID !== undefined, 'HMRC_CLIENT_ID is not set. The real HMRC needs your application’s client ID.');
  require(hmrc ||
    values.HMRC_CLIENT_SECRET !== undefined, 'HMRC_CLIENT_SECRET is not set. The real HMRC needs your application’s client secret.');
}

function requireTrueLayer(values: SettingValues, { truelayer }: Simulated, require: Requirement): void {
  require(isSimulated(values.TRUELAYER_AUTH_URL, values.SANDBOX_PORT) ===
    truelayer, 'TRUELAYER_AUTH_URL and TRUELAYER_API_URL don’t match: point both at the simulator on SANDBOX_PORT, or neither.');
  for (const name of ['TRUELAYER_CLIENT_ID', 'TRUELAYER_CLIENT_SECRET', 'TRUELAYER_MERCHANT_ACCOUNT_ID'] as const) {
    require(truelayer || values[name] !== undefined, `${name} is not set. The real TrueLayer needs it: find it in TrueLayer’s console.`);
  }
  const hasKey = values.TRUELAYER_SIGNING_PRIVATE_KEY !== undefined || values.TRUELAYER_SIGNING_PRIVATE_KEY_FILE !== undefined;
  require(truelayer ||
    (values.TRUELAYER_SIGNING_KID !== undefined &&
      hasKey), 'TRUELAYER_SIGNING_KID and TRUELAYER_SIGNING_PRIVATE_KEY (or _FILE) are not set. The real TrueLayer only accepts signed payouts.');
}

function isSimulated(address: string | undefined, port: number): boolean {
  if (address === undefined) return true;
  const url = new URL(address);
  return isLoopback(url.hostname) && Number(url.port) === port;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
