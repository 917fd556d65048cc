/** Every environment setting with its shape, default and meaning. Used by both the parser and the help. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { identitySettingTable } from './identity-settings-table.ts';
import { billingSettingTable } from './billing-settings-table.ts';
import { mailReportSettingTable } from './mail-report-settings-table.ts';
import { migrationSettingTable } from './migration-settings-table.ts';
import { monitoringSettingTable } from './monitoring-settings-table.ts';
import { pausedWorkSettingTable } from './paused-work.ts';
import { proxies, setting, text, urlLabel, webUrl } from './setting-shapes.ts';
import { visitorSettingTable } from './visitor-settings-table.ts';

const port = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(65_535));
const origin = webUrl.refine((address) => new URL(address).origin === address);
const zeroOrOneSchema = z.enum(['0', '1']).transform((digit) => digit === '1');
const hostName = text.regex(/^[A-Za-z0-9.:_-]+$/);
const pem = text.regex(/-----BEGIN (EC )?PRIVATE KEY-----/);
const pemFileSchema = text.transform((file, context) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    context.addIssue('not readable');
    return z.NEVER;
  }
});
const keyList = text
  .transform((list) => list.split(',').map((key) => key.trim()))
  .pipe(z.array(z.base64().refine((key) => Buffer.from(key, 'base64').length === 32)).min(1));
const addressList = text.transform((list) => list.split(',').map((address) => address.trim())).pipe(z.array(webUrl).min(1));
const nameList = text.regex(/^[a-z_]+( *, *[a-z_]+)*$/).transform((list) => list.split(',').map((name) => name.trim()));
const constant = (value: string) => () => value;
const portLabel = 'a port, 1 to 65535';

const getDefaultSmtpPort = (sandboxPort = '3001') => String(Number(sandboxPort) + 24);

/** Returns the host to use in URLs: 0.0.0.0 and :: mean every address and can't be opened. */
function getPublicHost(host = 'localhost'): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

export const settingTable = {
  PORT: setting({ shape: port, expectedText: portLabel, defaultValue: constant('3000'), meaning: 'Port of the portal.' }),
  HOST: setting({
    shape: hostName,
    expectedText: 'a host name or address',
    defaultValue: constant('localhost'),
    meaning: 'Address that the portal listens on. The sandbox always stays on loopback.',
  }),
  STOP_DELAY_SECONDS: setting({
    shape: z.string().regex(/^\d+$/).transform(Number).pipe(z.int().max(300)),
    expectedText: 'a number of seconds up to 300',
    defaultValue: constant('0'),
    meaning:
      'How long the portal continues to serve after a stop signal, while /portal/readyz reports that it isn’t ready. Behind a proxy: longer than the proxy takes to notice.',
  }),
  SANDBOX_PORT: setting({
    shape: port,
    expectedText: portLabel,
    defaultValue: constant('3001'),
    meaning: 'Port of the sandbox, which simulates the providers.',
  }),
  SANDBOX_SMTP_PORT: setting({
    shape: port,
    expectedText: portLabel,
    defaultValue: (getSetting) => getDefaultSmtpPort(getSetting('SANDBOX_PORT')),
    defaultLabel: 'SANDBOX_PORT + 24',
    meaning: 'Port of the sandbox’s mail server.',
  }),
  PUBLIC_URL: setting({
    shape: origin,
    expectedText: 'an origin such as https://portal.example, without a path',
    defaultValue: (getSetting) => `http://${getPublicHost(getSetting('HOST'))}:${getSetting('PORT') ?? '3000'}`,
    defaultLabel: 'http://localhost:PORT',
    meaning: 'Public URL of the portal. Used in links in emails and when users return from HMRC.',
  }),
  APP_HOST: setting({
    shape: origin.optional(),
    expectedText: 'an origin such as https://app.example',
    defaultLabel: 'PUBLIC_URL',
    meaning: 'Origin of the app with /dashboard, /home and /logout.',
  }),
  BRAND_NAME: setting({
    shape: text.max(60),
    expectedText: 'a name of at most 60 characters',
    defaultValue: constant('Tidewater'),
    meaning: 'Brand name shown to users.',
  }),
  DATA_DIR: setting({
    shape: text,
    expectedText: 'a folder',
    defaultValue: constant('.data'),
    meaning: 'Folder for the embedded database, the sandbox and generated keys, relative to the repository.',
  }),
  AUDIT_HEADS_FILE: setting({
    shape: text.optional(),
    expectedText: 'a file',
    defaultLabel: 'audit-heads.jsonl in DATA_DIR',
    meaning:
      'File that the latest hash of each audit chain is appended to every ten minutes. Keep it where database administrators can’t write, such as an append-only volume. `npm run audit` checks the audit trail against it.',
  }),
  DATABASE_URL: setting({
    shape: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    expectedText: 'a URL such as postgres://user:password@host/database',
    defaultLabel: 'the embedded database',
    isSecret: true,
    meaning: 'PostgreSQL 15 or later. Lets you run any number of instances.',
  }),
  DATABASE_POOL_SIZE: setting({
    shape: port.pipe(z.int().max(200)),
    expectedText: 'a number from 1 to 200',
    defaultValue: constant('10'),
    meaning: 'Maximum number of PostgreSQL connections per instance.',
  }),
  NODE_ENV: setting({
    shape: z.enum(['development', 'production', 'test']),
    expectedText: 'development, production or test',
    defaultValue: constant('production'),
    meaning: 'With test, every response is also checked against its contract. With production, the page with all components is hidden.',
  }),
  LOG_LEVEL: setting({
    shape: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    expectedText: 'trace, debug, info, warn, error, fatal or silent',
    defaultValue: constant('warn'),
    meaning: 'How much is logged, as JSON lines on stderr.',
  }),
  ...monitoringSettingTable,
  TRUST_PROXY: setting({
    shape: proxies.optional(),
    expectedText: 'the addresses of the proxies in front of the portal (10.0.0.0/8, separated by commas), or “loopback”, or 0',
    defaultLabel: 'loopback if every provider is simulated and only this computer can reach the portal; otherwise no proxy',
    meaning: 'Proxies whose X-Forwarded-For header is trusted. The user’s IP address is sent to HMRC and used to limit attempts.',
  }),
  VENDOR_PUBLIC_IP: setting({
    shape: z.union([z.ipv4(), z.ipv6()]).optional(),
    expectedText: 'an IP address',
    defaultLabel: 'a documentation address if every provider is simulated; otherwise not sent to HMRC',
    meaning: 'This server’s public IP address, for HMRC’s fraud prevention headers.',
  }),
  TOKEN_ENCRYPTION_KEYS: setting({
    shape: keyList.optional(),
    expectedText: '32 bytes in base64, several separated by commas, the one that seals first',
    defaultLabel: 'generated in DATA_DIR if every provider is simulated',
    isSecret: true,
    meaning:
      'Keys that encrypt the providers’ tokens at rest. The first one seals. To rotate, add a new one at the end, restart every instance, then move it to the front and restart them again (docs/keys.md).',
  }),
  SMTP_URL: setting({
    shape: z.url({ protocol: /^smtps?$/ }).optional(),
    expectedText: 'a URL such as smtps://user:password@host:465',
    defaultLabel: 'the sandbox’s mailbox',
    isSecret: true,
    meaning: 'Mail server.',
  }),
  MAIL_FROM: setting({
    shape: text.includes('@').optional(),
    expectedText: 'an email address, with or without a name,',
    defaultLabel: 'BRAND_NAME <no-reply@portal.example>',
    meaning: 'Sender of emails.',
  }),
  ...mailReportSettingTable,
  SANDBOX_PUBLIC: setting({
    shape: zeroOrOneSchema,
    expectedText: '0 or 1',
    defaultValue: constant('0'),
    meaning: 'Set to 1 to allow the sandbox accounts, whose passwords are public, on a portal that other computers can reach.',
  }),
  SIMULATED_PROVIDERS: setting({
    shape: nameList.optional().transform((names) => names ?? []),
    expectedText: 'names of providers, separated by commas',
    defaultLabel: 'none',
    meaning: 'Providers that stay simulated on a test system even though HMRC, the bank or the mail server is real. Every page says so.',
  }),
  ...pausedWorkSettingTable,
  HMRC_API_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: 'the simulator’s',
    meaning: 'URL of HMRC for server calls: https://api.service.hmrc.gov.uk',
  }),
  HMRC_CALLS_PER_SECOND: setting({
    shape: port.pipe(z.int().max(10_000)),
    expectedText: 'a number from 1 to 10000',
    defaultValue: constant('3'),
    meaning:
      'Calls per second that HMRC allows your application; we use slightly fewer. Set more than 3 only if HMRC has agreed to it, or with the simulator.',
  }),
  HMRC_WWW_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: 'the simulator’s',
    meaning: 'URL of HMRC for browsers: https://www.tax.service.gov.uk',
  }),
  HMRC_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client ID',
    defaultLabel: 'the simulator’s',
    meaning: 'Client ID of your HMRC application.',
  }),
  HMRC_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: 'the simulator’s',
    isSecret: true,
    meaning: 'Client secret of your HMRC application.',
  }),
  TRUELAYER_AUTH_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: 'the simulator’s',
    meaning: 'https://auth.truelayer.com',
  }),
  TRUELAYER_API_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: 'the simulator’s',
    meaning: 'https://api.truelayer.com',
  }),
  TRUELAYER_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client ID',
    defaultLabel: 'the simulator’s',
    meaning: 'Client ID of your TrueLayer application.',
  }),
  TRUELAYER_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: 'the simulator’s',
    isSecret: true,
    meaning: 'Client secret of your TrueLayer application.',
  }),
  TRUELAYER_MERCHANT_ACCOUNT_ID: setting({
    shape: z.uuid().optional(),
    expectedText: 'a UUID',
    defaultLabel: 'the simulator’s',
    meaning: 'Account that payouts are made from.',
  }),
  TRUELAYER_SIGNING_KID: setting({
    shape: z.uuid().optional(),
    expectedText: 'a UUID',
    defaultLabel: 'the simulator’s',
    meaning: 'ID of the public key that you uploaded to TrueLayer.',
  }),
  TRUELAYER_SIGNING_PRIVATE_KEY: setting({
    shape: pem.optional(),
    expectedText: 'a private key in PEM',
    defaultLabel: 'the simulator’s',
    isSecret: true,
    meaning: 'Private key that signs payouts (EC, P-521).',
  }),
  TRUELAYER_SIGNING_PRIVATE_KEY_FILE: setting({
    shape: pemFileSchema.pipe(pem).optional(),
    expectedText: 'a readable file with a private key in PEM',
    defaultLabel: 'none',
    meaning: 'The same private key, from a file.',
  }),
  TRUELAYER_WEBHOOK_JKU: setting({
    shape: addressList,
    expectedText: 'a URL, or several separated by commas',
    defaultValue: constant('https://webhooks.truelayer.com/.well-known/jwks'),
    defaultLabel: 'the simulator’s, or https://webhooks.truelayer.com/.well-known/jwks',
    meaning: 'URLs that webhook signing keys may come from.',
  }),
  GOCARDLESS_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: constant('https://api.gocardless.com'),
    meaning: 'URL of GoCardless, which collects Direct Debits.',
  }),
  GOCARDLESS_ACCESS_TOKEN: setting({
    shape: text.optional(),
    expectedText: 'an access token',
    defaultLabel: 'the simulator’s, if there is one; otherwise Direct Debit isn’t offered',
    isSecret: true,
    meaning: 'Access token with read and write access to your GoCardless account.',
  }),
  GOCARDLESS_WEBHOOK_SECRETS: setting({
    shape: text
      .transform((list) => list.split(',').map((secret) => secret.trim()))
      .pipe(z.array(text).min(1))
      .optional(),
    expectedText: 'secrets, separated by commas, newest first',
    defaultLabel: 'the simulator’s, if there is one; otherwise Direct Debit isn’t offered',
    isSecret: true,
    meaning: 'Secrets that sign GoCardless’s webhooks.',
  }),
  ...billingSettingTable,
  ...migrationSettingTable,
  ...identitySettingTable,
  ...visitorSettingTable,
};

export type SettingName = keyof typeof settingTable;
