/** Every environment setting with its shape, default and meaning. The parser and the help both use it. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { identitySettingTable } from './identity-settings-table.ts';
import { urlLabel, setting, text, webUrl } from './setting-shapes.ts';
import { visitorSettingTable } from './visitor-settings-table.ts';

const port = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(65_535));
const origin = webUrl.refine((address) => new URL(address).origin === address);
const zeroOrOne = z.enum(['0', '1']).transform((digit) => digit === '1');
const hostName = text.regex(/^[A-Za-z0-9.:_-]+$/);
const pem = text.regex(/-----BEGIN (EC )?PRIVATE KEY-----/);
const pemInFile = text.transform((file, context) => {
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
const proxies = z.union([
  z.literal('0').transform(() => false as const),
  text.regex(/^((loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+[.:][0-9a-fA-F.:]*(\/\d+)?)(, *|$))+$/),
]);

const constant = (value: string) => () => value;
const portLabel = 'a port, 1 to 65535,';

const defaultSmtpPort = (sandboxPort = '3001') => String(Number(sandboxPort) + 24);

/** The host for URLs: 0.0.0.0 and :: mean every address and can't be opened. */
function publicHost(host = 'localhost'): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

export const settingTable = {
  PORT: setting({ shape: port, expectedText: portLabel, defaultValue: constant('3000'), meaning: 'Port of the portal.' }),
  HOST: setting({
    shape: hostName,
    expectedText: 'a host name or address',
    defaultValue: constant('localhost'),
    meaning: 'Address that the portal listens on; the sandbox always stays on loopback.',
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
    defaultValue: (getSetting) => defaultSmtpPort(getSetting('SANDBOX_PORT')),
    defaultLabel: 'SANDBOX_PORT + 24',
    meaning: "Port of the sandbox's mail server.",
  }),
  PUBLIC_URL: setting({
    shape: origin,
    expectedText: 'an origin such as https://portal.example, without a path,',
    defaultValue: (getSetting) => `http://${publicHost(getSetting('HOST'))}:${getSetting('PORT') ?? '3000'}`,
    defaultLabel: 'http://localhost:PORT',
    meaning: 'Where people reach the portal: links in emails and the way back from HMRC start with it.',
  }),
  APP_HOST: setting({
    shape: origin.optional(),
    expectedText: 'an origin such as https://app.example',
    defaultLabel: 'PUBLIC_URL',
    meaning: 'Origin of the app that /dashboard, /home and /logout belong to.',
  }),
  BRAND_NAME: setting({
    shape: text.max(60),
    expectedText: 'a name of at most 60 letters',
    defaultValue: constant('Tidewater'),
    meaning: 'The name that people see.',
  }),
  DATA_DIR: setting({
    shape: text,
    expectedText: 'a folder',
    defaultValue: constant('.data'),
    meaning: 'Folder of the embedded database, of the sandbox and of generated keys; relative to the repository.',
  }),
  DATABASE_URL: setting({
    shape: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    expectedText: 'an address such as postgres://user:password@host/database',
    defaultLabel: 'the embedded database',
    isSecret: true,
    meaning: 'PostgreSQL 15 or later; with it any number of instances may run.',
  }),
  DATABASE_POOL_SIZE: setting({
    shape: port.pipe(z.int().max(200)),
    expectedText: 'a number from 1 to 200',
    defaultValue: constant('10'),
    meaning: 'Connections to PostgreSQL that one instance opens at most.',
  }),
  NODE_ENV: setting({
    shape: z.enum(['development', 'production', 'test']),
    expectedText: 'development, production or test',
    defaultValue: constant('production'),
    meaning: 'In test every answer is also checked against its contract; in production the page of all components is absent.',
  }),
  LOG_LEVEL: setting({
    shape: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    expectedText: 'trace, debug, info, warn, error, fatal or silent',
    defaultValue: constant('warn'),
    meaning: 'How much is logged, as JSON lines on stderr.',
  }),
  TRUST_PROXY: setting({
    shape: proxies.optional(),
    expectedText: 'the addresses of the proxies before the portal (10.0.0.0/8, with commas between), or "loopback", or 0',
    defaultLabel: 'loopback where every provider is simulated and only this computer can reach the portal, else no proxy',
    meaning: "Whose X-Forwarded-For is believed: the person's address goes to HMRC and limits attempts.",
  }),
  VENDOR_PUBLIC_IP: setting({
    shape: z.union([z.ipv4(), z.ipv6()]).optional(),
    expectedText: 'an IP address',
    defaultLabel: 'a documentation address where every provider is simulated, else not sent to HMRC',
    meaning: "This server's public address, for HMRC's fraud-prevention headers.",
  }),
  TOKEN_ENCRYPTION_KEYS: setting({
    shape: keyList.optional(),
    expectedText: '32 bytes in base64, several with commas between, the newest first,',
    defaultLabel: 'generated in DATA_DIR where every provider is simulated',
    isSecret: true,
    meaning: "Encrypt the providers' tokens at rest. To rotate, put a new one in front.",
  }),
  SMTP_URL: setting({
    shape: z.url({ protocol: /^smtps?$/ }).optional(),
    expectedText: 'an address such as smtps://user:password@host:465',
    defaultLabel: "the sandbox's mailbox",
    isSecret: true,
    meaning: 'Mail server.',
  }),
  MAIL_FROM: setting({
    shape: text.includes('@').optional(),
    expectedText: 'an email address, with or without a name,',
    defaultLabel: 'BRAND_NAME <no-reply@portal.example>',
    meaning: 'Sender of the emails.',
  }),
  SANDBOX_PUBLIC: setting({
    shape: zeroOrOne,
    expectedText: '0 or 1',
    defaultValue: constant('0'),
    meaning: '1 allows the sandbox people, whose passwords are public, on a portal that others can reach.',
  }),
  HMRC_API_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: "the simulator's",
    meaning: 'HMRC as the server calls it: https://api.service.hmrc.gov.uk',
  }),
  HMRC_CALLS_PER_SECOND: setting({
    shape: port.pipe(z.int().max(10_000)),
    expectedText: 'a number from 1 to 10000',
    defaultValue: constant('3'),
    meaning:
      'What HMRC allows your application; a little less is used. More than 3 only where HMRC has agreed to it, or with the simulator.',
  }),
  HMRC_WWW_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: "the simulator's",
    meaning: 'HMRC as the browser opens it: https://www.tax.service.gov.uk',
  }),
  HMRC_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client id',
    defaultLabel: "the simulator's",
    meaning: 'Of your application at HMRC.',
  }),
  HMRC_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: "the simulator's",
    isSecret: true,
    meaning: 'Of your application at HMRC.',
  }),
  TRUELAYER_AUTH_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: "the simulator's",
    meaning: 'https://auth.truelayer.com',
  }),
  TRUELAYER_API_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: "the simulator's",
    meaning: 'https://api.truelayer.com',
  }),
  TRUELAYER_CLIENT_ID: setting({
    shape: text.optional(),
    expectedText: 'a client id',
    defaultLabel: "the simulator's",
    meaning: 'Of your application at TrueLayer.',
  }),
  TRUELAYER_CLIENT_SECRET: setting({
    shape: text.optional(),
    expectedText: 'a client secret',
    defaultLabel: "the simulator's",
    isSecret: true,
    meaning: 'Of your application at TrueLayer.',
  }),
  TRUELAYER_MERCHANT_ACCOUNT_ID: setting({
    shape: z.uuid().optional(),
    expectedText: 'a UUID',
    defaultLabel: "the simulator's",
    meaning: 'The account that payouts leave.',
  }),
  TRUELAYER_SIGNING_KID: setting({
    shape: z.uuid().optional(),
    expectedText: 'a UUID',
    defaultLabel: "the simulator's",
    meaning: 'Names the public key uploaded to TrueLayer.',
  }),
  TRUELAYER_SIGNING_PRIVATE_KEY: setting({
    shape: pem.optional(),
    expectedText: 'a private key in PEM',
    defaultLabel: "the simulator's",
    isSecret: true,
    meaning: 'Signs the payouts (EC, P-521).',
  }),
  TRUELAYER_SIGNING_PRIVATE_KEY_FILE: setting({
    shape: pemInFile.pipe(pem).optional(),
    expectedText: 'a readable file with a private key in PEM',
    defaultLabel: 'none',
    meaning: 'The same from a file.',
  }),
  TRUELAYER_WEBHOOK_JKU: setting({
    shape: addressList,
    expectedText: 'an address, several with commas between,',
    defaultValue: constant('https://webhooks.truelayer.com/.well-known/jwks'),
    defaultLabel: "the simulator's, or https://webhooks.truelayer.com/.well-known/jwks",
    meaning: 'Where keys of webhook signatures may come from.',
  }),
  ...identitySettingTable,
  ...visitorSettingTable,
};

export type SettingName = keyof typeof settingTable;
