/**
 * Finds risks in a configuration once users or providers outside this computer are involved: public passwords, an unnamed mix of real and
 * simulated providers, a database that can lose writes in a crash, and unencrypted connections.
 */
import type { SimulatedProviders } from './check-settings.ts';
import { findProvidersInUse, isLoopback, isLocalAddress, PROVIDER_ADDRESSES } from './find-real-providers.ts';
import type { Environment, SettingValues } from './setting-values.ts';

export function findRisks(values: SettingValues, simulatedProviders: SimulatedProviders, environment: Environment): string[] {
  const { real, mixed } = findProvidersInUse(values);
  return [
    ...findPublicSandbox(values, simulatedProviders),
    ...findUnnamedSimulators(values, mixed),
    ...(real.length > 0 ? [...findProductionRisks(values, real, environment), ...findUncheckedCertificates(environment)] : []),
  ];
}

/** Node reads this variable itself. It switches off the checks of every connection: to HMRC, the bank and the database. */
function findUncheckedCertificates({ NODE_TLS_REJECT_UNAUTHORIZED: value }: Environment): string[] {
  if (value !== '0') return [];
  return [
    'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate of a provider is checked. Remove it. For certificates of your own, set NODE_EXTRA_CA_CERTS.',
  ];
}

function findPublicSandbox(values: SettingValues, { hmrc, truelayer, mail }: SimulatedProviders): string[] {
  if (values.SANDBOX_PUBLIC || !(hmrc || truelayer || mail)) return [];
  return findPublicNames(values).map(
    (name) =>
      `${name} is “${values[name]}”, so other computers can reach this portal, but its sandbox has public passwords. Configure every provider, or set SANDBOX_PUBLIC=1 to allow public access to the sandbox.`,
  );
}

/** Returns the settings by which other computers can reach the portal. */
export function findPublicNames(values: Pick<SettingValues, 'HOST' | 'PUBLIC_URL' | 'APP_HOST'>): ('HOST' | 'PUBLIC_URL' | 'APP_HOST')[] {
  const isPublic = {
    HOST: !isLoopback(values.HOST),
    PUBLIC_URL: !isLocalAddress(values.PUBLIC_URL),
    APP_HOST: values.APP_HOST !== undefined && !isLocalAddress(values.APP_HOST),
  };
  return (['HOST', 'PUBLIC_URL', 'APP_HOST'] as const).filter((name) => isPublic[name]);
}

function findUnnamedSimulators({ SIMULATED_PROVIDERS: simulatedProviders }: SettingValues, mixedProviders: readonly string[]): string[] {
  if (
    mixedProviders.every((name) => simulatedProviders.includes(name)) &&
    simulatedProviders.every((name) => mixedProviders.includes(name))
  )
    return [];
  if (mixedProviders.length === 0)
    return [`SIMULATED_PROVIDERS is “${simulatedProviders.join(',')}”, but no provider is simulated alongside a real one. Remove it.`];
  return [
    `Some providers are real, but ${formatList(mixedProviders)} ${mixedProviders.length === 1 ? 'is' : 'are'} simulated, so real money could be paid on made-up data. Configure ${mixedProviders.length === 1 ? 'it' : 'them'}, or for a test system set SIMULATED_PROVIDERS=${mixedProviders.join(',')}. Every page then says so.`,
  ];
}

function findProductionRisks(values: SettingValues, realProviders: readonly string[], environment: Environment): string[] {
  const reason = `${formatList(realProviders)} ${realProviders.length === 1 ? 'is' : 'are'} real`;
  const problems = PROVIDER_ADDRESSES.flatMap((name) => {
    const address = values[name];
    if (typeof address !== 'string' || address.startsWith('https://') || isLocalAddress(address)) return [];
    return [`${name} is “${address}”. A URL on another computer must start with https.`];
  });
  if (values.DATABASE_URL === undefined) {
    problems.push(
      `DATABASE_URL is not set, but ${reason}. Set it to a PostgreSQL database: the embedded one can lose its last writes in a crash.`,
    );
  } else problems.push(...findUnencryptedDatabase('DATABASE_URL', values.DATABASE_URL, environment));
  if (values.SMTP_URL !== undefined && !isMailEncrypted(values.SMTP_URL)) {
    problems.push(
      'SMTP_URL sends sign-in links without encryption, or without checking the mail server’s certificate. Use smtps://, or add ?requireTLS=true, without options that weaken it.',
    );
  }
  if (values.PUBLIC_URL.startsWith('https://') && values.TRUST_PROXY === undefined) {
    problems.push(
      'TRUST_PROXY is not set, but PUBLIC_URL starts with https, so there must be a proxy in front of the portal. Set it to the proxy’s address, so that each user’s own IP address is used for HMRC and for rate limits.',
    );
  }
  return problems;
}

export function findUnencryptedDatabase(name: string, address: string, environment: Environment): string[] {
  if (isDatabaseEncrypted(address, environment)) return [];
  return [`${name} connects to another computer without verifying its certificate. Add ?sslmode=verify-full to it.`];
}

/**
 * node-postgres verifies the certificate with `verify-full`. Its older names for that mode will lose this meaning. Of an option that is
 * given twice it uses the last, and it reads `PGHOST` if the address names no host.
 */
function isDatabaseEncrypted(address: string, { PGHOST = '' }: Environment): boolean {
  const { hostname, searchParams } = new URL(address);
  const host = searchParams.getAll('host').at(-1) || hostname || PGHOST;
  return host.startsWith('/') || host === '' || isLoopback(host) || searchParams.getAll('sslmode').at(-1) === 'verify-full';
}

/** Nodemailer takes these from the address: with them it sends without encryption, or to a server whose certificate it didn't check. */
const WEAKENING_MAIL_OPTIONS = ['ignoreTLS', 'opportunisticTLS', 'tls.rejectUnauthorized'];

function isMailEncrypted(address: string): boolean {
  const { protocol, searchParams } = new URL(address);
  if (isLocalAddress(address)) return true;
  const isRequired = protocol === 'smtps:' || searchParams.get('requireTLS') === 'true';
  return isRequired && !WEAKENING_MAIL_OPTIONS.some((name) => searchParams.has(name));
}

function formatList(items: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(items);
}
