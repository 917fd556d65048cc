/** Every environment setting with its shape, default and meaning. The parser and the help both use it. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { identitySettingTable } from './identity-settings-table.ts';
import { addressWords, setting, text, webAddress } from './setting-shapes.ts';
import { visitorSettingTable } from './visitor-settings-table.ts';

const port = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(65_535));
const origin = webAddress.refine((address) => new URL(address).origin === address);
const yesOrNo = z.enum(['0', '1']).transform((digit) => digit === '1');
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
const addressList = text.transform((list) => list.split(',').map((address) => address.trim())).pipe(z.array(webAddress).min(1));
const proxies = z.union([
  z.literal('0').transform(() => false as const),
  text.regex(/^((loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+[.:][0-9a-fA-F.:]*(\/\d+)?)(, *|$))+$/),
]);

const one = (value: string) => () => value;
const portWords = 'a port, 1 to 65535,';

const smtpPortBeside = (sandboxPort = '3001') => String(Number(sandboxPort) + 24);

/** The host for URLs: 0.0.0.0 and :: mean every address and can't be opened. */
function publicHost(host = 'localhost'): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

export const settingTable = {
  PORT: setting({ shape: port, expects: portWords, unless: one('3000'), means: 'Port of the portal.' }),
  HOST: setting({
    shape: hostName,
    expects: 'a host name or address',
    unless: one('localhost'),
    means: 'Address that the portal listens on; the sandbox always stays on loopback.',
  }),
  SANDBOX_PORT: setting({
    shape: port,
    expects: portWords,
    unless: one('3001'),
    means: 'Port of the sandbox, which simulates the providers.',
  }),
  SANDBOX_SMTP_PORT: setting({
    shape: port,
    expects: portWords,
    unless: (given) => smtpPortBeside(given('SANDBOX_PORT')),
    unlessWords: 'SANDBOX_PORT + 24',
    means: "Port of the sandbox's mail server.",
  }),
  PUBLIC_URL: setting({
    shape: origin,
    expects: 'an origin such as https://portal.example, without a path,',
    unless: (given) => `http://${publicHost(given('HOST'))}:${given('PORT') ?? '3000'}`,
    unlessWords: 'http://localhost:PORT',
    means: 'Where people reach the portal: links in emails and the way back from HMRC start with it.',
  }),
  APP_HOST: setting({
    shape: origin.optional(),
    expects: 'an origin such as https://app.example',
    unlessWords: 'PUBLIC_URL',
    means: 'Origin of the app that /dashboard, /home and /logout belong to.',
  }),
  BRAND_NAME: setting({
    shape: text.max(60),
    expects: 'a name of at most 60 letters',
    unless: one('Tidewater'),
    means: 'The name that people see.',
  }),
  DATA_DIR: setting({
    shape: text,
    expects: 'a folder',
    unless: one('.data'),
    means: 'Folder of the embedded database, of the sandbox and of generated keys; relative to the repository.',
  }),
  DATABASE_URL: setting({
    shape: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    expects: 'an address such as postgres://user:password@host/database',
    unlessWords: 'the embedded database',
    isSecret: true,
    means: 'PostgreSQL 15 or later; with it any number of instances may run.',
  }),
  DATABASE_POOL_SIZE: setting({
    shape: port.pipe(z.int().max(200)),
    expects: 'a number from 1 to 200',
    unless: one('10'),
    means: 'Connections to PostgreSQL that one instance opens at most.',
  }),
  NODE_ENV: setting({
    shape: z.enum(['development', 'production', 'test']),
    expects: 'development, production or test',
    unless: one('production'),
    means: 'In test every answer is also checked against its contract; in production the page of all components is absent.',
  }),
  LOG_LEVEL: setting({
    shape: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    expects: 'trace, debug, info, warn, error, fatal or silent',
    unless: one('warn'),
    means: 'How much is logged, as JSON lines on stderr.',
  }),
  TRUST_PROXY: setting({
    shape: proxies.optional(),
    expects: 'the addresses of the proxies before the portal (10.0.0.0/8, with commas between), or "loopback", or 0',
    unlessWords: 'loopback where every provider is simulated and only this computer can reach the portal, else no proxy',
    means: "Whose X-Forwarded-For is believed: the person's address goes to HMRC and limits attempts.",
  }),
  VENDOR_PUBLIC_IP: setting({
    shape: z.union([z.ipv4(), z.ipv6()]).optional(),
    expects: 'an IP address',
    unlessWords: 'a documentation address where every provider is simulated, else not sent to HMRC',
    means: "This server's public address, for HMRC's fraud-prevention headers.",
  }),
  TOKEN_ENCRYPTION_KEYS: setting({
    shape: keyList.optional(),
    expects: '32 bytes in base64, several with commas between, the newest first,',
    unlessWords: 'generated in DATA_DIR where every provider is simulated',
    isSecret: true,
    means: "Encrypt the providers' tokens at rest. To rotate, put a new one in front.",
  }),
  SMTP_URL: setting({
    shape: z.url({ protocol: /^smtps?$/ }).optional(),
    expects: 'an address such as smtps://user:password@host:465',
    unlessWords: "the sandbox's mailbox",
    isSecret: true,
    means: 'Mail server.',
  }),
  MAIL_FROM: setting({
    shape: text.includes('@').optional(),
    expects: 'an email address, with or without a name,',
    unlessWords: 'BRAND_NAME <no-reply@portal.example>',
    means: 'Sender of the emails.',
  }),
  SANDBOX_PUBLIC: setting({
    shape: yesOrNo,
    expects: '0 or 1',
    unless: one('0'),
    means: '1 allows the sandbox people, whose passwords are public, on a portal that others can reach.',
  }),
  HMRC_API_URL: setting({
    shape: webAddress.optional(),
    expects: addressWords,
    unlessWords: "the simulator's",
    means: 'HMRC as the server calls it: https://api.service.hmrc.gov.uk',
  }),
  HMRC_CALLS_PER_SECOND: setting({
    shape: port.pipe(z.int().max(10_000)),
    expects: 'a number from 1 to 10000',
    unless: one('3'),
    means: 'What HMRC allows your application; a little less is used. More than 3 only where HMRC has agreed to it, or with the simulator.',
  }),
  HMRC_WWW_URL: setting({
    shape: webAddress.optional(),
    expects: addressWords,
    unlessWords: "the simulator's",
    means: 'HMRC as the browser opens it: https://www.tax.service.gov.uk',
  }),
  HMRC_CLIENT_ID: setting({
    shape: text.optional(),
    expects: 'a client id',
    unlessWords: "the simulator's",
    means: 'Of your application at HMRC.',
  }),
  HMRC_CLIENT_SECRET: setting({
    shape: text.optional(),
    expects: 'a client secret',
    unlessWords: "the simulator's",
    isSecret: true,
    means: 'Of your application at HMRC.',
  }),
  TRUELAYER_AUTH_URL: setting({
    shape: webAddress.optional(),
    expects: addressWords,
    unlessWords: "the simulator's",
    means: 'https://auth.truelayer.com',
  }),
  TRUELAYER_API_URL: setting({
    shape: webAddress.optional(),
    expects: addressWords,
    unlessWords: "the simulator's",
    means: 'https://api.truelayer.com',
  }),
  TRUELAYER_CLIENT_ID: setting({
    shape: text.optional(),
    expects: 'a client id',
    unlessWords: "the simulator's",
    means: 'Of your application at TrueLayer.',
  }),
  TRUELAYER_CLIENT_SECRET: setting({
    shape: text.optional(),
    expects: 'a client secret',
    unlessWords: "the simulator's",
    isSecret: true,
    means: 'Of your application at TrueLayer.',
  }),
  TRUELAYER_MERCHANT_ACCOUNT_ID: setting({
    shape: z.uuid().optional(),
    expects: 'a UUID',
    unlessWords: "the simulator's",
    means: 'The account that payouts leave.',
  }),
  TRUELAYER_SIGNING_KID: setting({
    shape: z.uuid().optional(),
    expects: 'a UUID',
    unlessWords: "the simulator's",
    means: 'Names the public key uploaded to TrueLayer.',
  }),
  TRUELAYER_SIGNING_PRIVATE_KEY: setting({
    shape: pem.optional(),
    expects: 'a private key in PEM',
    unlessWords: "the simulator's",
    isSecret: true,
    means: 'Signs the payouts (EC, P-521).',
  }),
  TRUELAYER_SIGNING_PRIVATE_KEY_FILE: setting({
    shape: pemInFile.pipe(pem).optional(),
    expects: 'a readable file with a private key in PEM',
    unlessWords: 'none',
    means: 'The same from a file.',
  }),
  TRUELAYER_WEBHOOK_JKU: setting({
    shape: addressList,
    expects: 'an address, several with commas between,',
    unless: one('https://webhooks.truelayer.com/.well-known/jwks'),
    unlessWords: "the simulator's, or https://webhooks.truelayer.com/.well-known/jwks",
    means: 'Where keys of webhook signatures may come from.',
  }),
  ...identitySettingTable,
  ...visitorSettingTable,
};

export type SettingName = keyof typeof settingTable;
