import { readFileSync } from 'node:fs';
import { plainDate } from '@portal/domain/plain-date.ts';
import { createProviderSettings } from '@portal/sandbox/provider-settings.ts';
import { createPortalSeed } from '@portal/sandbox/seed/portal-seed.ts';
import { describe, expect, it } from 'vitest';
import { explainSettings, renderSettingsPage } from './explain-settings.ts';
import { seedSchema } from './features/sandbox-seed/seed-schema.ts';
import { completeSettings } from './provider-settings.ts';
import type { Environment } from './setting-values.ts';
import { parseSettings, type Settings, type StartSettings } from './settings.ts';
import { settingTable } from './settings-table.ts';
import { describeSandbox } from './start/describe-sandbox.ts';
import { rejectSandboxAddress, SANDBOX_DOMAINS } from './start/reject-sandbox-people.ts';

const signingKey = { kid: '0f3c6e52-8a3b-4b1c-9f52-6d7f2a1e4c91', privateKeyPem: '-----BEGIN PRIVATE KEY-----\n', publicKeyPem: '' };

function getStartSettings(environment: Environment): StartSettings {
  const parsed = parseSettings(environment);
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return parsed.settings;
}

/** Returns the settings after the sandbox has started. */
function getSettings(environment: Environment): Settings {
  const start = getStartSettings(environment);
  const { url, smtpPort } = start.sandbox;
  return completeSettings(start, environment, createProviderSettings({ url, smtpPort, signingKey }));
}

/** Returns a text for each of an optional provider's settings that has no default, except its URL. */
function withNames(prefix: string): Environment {
  const names = Object.entries(settingTable).filter(([name, { defaultValue }]) => name.startsWith(prefix) && !defaultValue);
  return Object.fromEntries(names.filter(([name]) => !name.endsWith('_URL')).map(([name]) => [name, 'text']));
}

function getProblems(environment: Environment): readonly string[] {
  const parsed = parseSettings(environment);
  return parsed.ok ? [] : parsed.problems;
}

const realHmrc = {
  HMRC_API_URL: 'https://api.service.hmrc.gov.uk',
  HMRC_WWW_URL: 'https://www.tax.service.gov.uk',
  HMRC_CLIENT_ID: 'id',
  HMRC_CLIENT_SECRET: 'hush',
};
const otherRealSettings = {
  TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
  PUBLIC_URL: 'https://portal.example',
  DATABASE_URL: 'postgres://portal:hush@localhost/portal',
  TRUST_PROXY: 'loopback',
  SANDBOX_PUBLIC: '1',
};
/** A test system that uses the real HMRC with a simulated bank and mailbox. */
const realHmrcOnly = { ...realHmrc, ...otherRealSettings, SIMULATED_PROVIDERS: 'bank,mail' };
const realTrueLayer = {
  TRUELAYER_AUTH_URL: 'https://auth.truelayer.com',
  TRUELAYER_API_URL: 'https://api.truelayer.com',
  TRUELAYER_CLIENT_ID: 'id',
  TRUELAYER_CLIENT_SECRET: 'hush',
  TRUELAYER_MERCHANT_ACCOUNT_ID: '0f3c6e52-8a3b-4b1c-9f52-6d7f2a1e4c91',
  TRUELAYER_SIGNING_KID: signingKey.kid,
  TRUELAYER_SIGNING_PRIVATE_KEY: signingKey.privateKeyPem,
};
const realMail = { SMTP_URL: 'smtps://portal:hush@mail.example:465', MAIL_FROM: 'no-reply@portal.example' };
const { SANDBOX_PUBLIC: _notNeeded, ...productionSettings } = otherRealSettings;
/** Production settings, where nothing is simulated. */
const production = { ...realHmrc, ...realTrueLayer, ...realMail, ...productionSettings };

describe('settings', () => {
  it('are all optional: every provider is then simulated on loopback', () => {
    const settings = getSettings({});
    expect(settings).toMatchObject({
      port: 3000,
      host: 'localhost',
      publicUrl: 'http://localhost:3000',
      brand: 'Tidewater',
      database: { kind: 'embedded' },
      hmrc: { apiUrl: 'http://localhost:3001/hmrc', wwwUrl: 'http://localhost:3001/hmrc-www' },
      truelayer: { apiUrl: 'http://localhost:3001/truelayer', webhookJwksUrls: ['http://localhost:3001/truelayer/.well-known/jwks'] },
      mail: { smtpUrl: 'smtp://localhost:3025' },
      sandbox: { isComplete: true },
    });
    expect(settings.dataDir).toMatch(/\/\.data$/);
  });

  it("of the providers follow the sandbox's port", () => {
    const settings = getSettings({ SANDBOX_PORT: '4001' });
    expect(settings.hmrc.apiUrl).toBe('http://localhost:4001/hmrc');
    expect(settings.truelayer.webhookJwksUrls).toEqual(['http://localhost:4001/truelayer/.well-known/jwks']);
    expect(settings.sandbox).toMatchObject({ smtpPort: 4025, isComplete: true });
  });

  it('treat an empty value as not set', () => {
    expect(getSettings({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, database: { kind: 'embedded' } });
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '30.5'],
    ['SANDBOX_PORT', '-1'],
    ['SANDBOX_SMTP_PORT', 'x'],
    ['HOST', 'not a host'],
    ['PUBLIC_URL', 'https://portal.example/portal'],
    ['PUBLIC_URL', 'portal.example'],
    ['APP_HOST', 'ftp://app.example'],
    ['BRAND_NAME', 'x'.repeat(61)],
    ['DATABASE_URL', 'mysql://localhost/portal'],
    ['DATABASE_POOL_SIZE', '0'],
    ['NODE_ENV', 'staging'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '2'],
    ['VENDOR_PUBLIC_IP', '300.1.1.1'],
    ['TOKEN_ENCRYPTION_KEYS', 'c2hvcnQ='],
    ['SMTP_URL', 'http://localhost'],
    ['MAIL_FROM', 'no-address'],
    ['SANDBOX_PUBLIC', 'yes'],
    ['HMRC_API_URL', 'api.service.hmrc.gov.uk'],
    ['HMRC_WWW_URL', 'javascript:alert(1)'],
    ['TRUELAYER_API_URL', 'x'],
    ['TRUELAYER_MERCHANT_ACCOUNT_ID', 'mine'],
    ['TRUELAYER_SIGNING_PRIVATE_KEY', 'abc'],
    ['TRUELAYER_SIGNING_PRIVATE_KEY_FILE', '/nowhere/key.pem'],
    ['TRUELAYER_WEBHOOK_JKU', 'nope'],
    ['CONTACT_EMAIL', 'no-address'],
    ['CONTACT_PHONE', 'call us'],
    ['HUBSPOT_HUB_ID', 'my-hub'],
    ['HUBSPOT_LOADER_URL', 'js.hs-scripts.com'],
    ['HUBSPOT_TOKEN_PATH', '/contacts/v1'],
    ['ANALYTICS_CONTAINER_ID', 'UA-12345-1'],
    ['ANALYTICS_CONTAINER_ID', "GTM-ABC';alert(1)//"],
    ['ANALYTICS_CONTAINER_URL', 'javascript:alert(1)'],
  ])('reject an invalid %s by name: %s', (name, value) => {
    const problems = getProblems({ [name]: value });
    expect(problems.some((problem) => problem.startsWith(`${name} is `) && problem.includes(' It must be '))).toBe(true);
  });

  it('report all invalid values at once', () => {
    expect(getProblems({ PORT: 'x', LOG_LEVEL: 'y', SANDBOX_PUBLIC: 'z' })).toHaveLength(3);
  });

  it('never show a secret, not even an invalid one', () => {
    const secrets = Object.entries(settingTable).flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));
    expect(secrets).toContain('DATABASE_URL');
    const problems = getProblems(Object.fromEntries(secrets.map((name) => [name, 'hunter2'])));
    expect(problems.join()).not.toContain('hunter2');
  });

  it('reject a provider that is half simulated', () => {
    expect(getProblems({ HMRC_API_URL: 'https://api.service.hmrc.gov.uk' }).join()).toMatch(/HMRC_API_URL and HMRC_WWW_URL don’t match/);
    const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'hush', GOOGLE_SERVER_URL: 'http://localhost:3001/google' };
    expect(getProblems({ ...production, ...google }).join()).toMatch(/^GOOGLE_BROWSER_URL and GOOGLE_SERVER_URL don’t match/);
  });

  it("require the chat's hub and token together, and count HubSpot as a real provider", () => {
    expect(getProblems({ HUBSPOT_HUB_ID: '123' }).join()).toMatch(/Set all of HUBSPOT_HUB_ID, HUBSPOT_ACCESS_TOKEN/);
    const settings = getSettings({ HUBSPOT_HUB_ID: '123', HUBSPOT_ACCESS_TOKEN: 'hush', ...otherRealSettings });
    expect(settings).toMatchObject({ chat: { hubId: '123', loaderUrl: 'https://js.hs-scripts.com' }, sandbox: { isComplete: false } });
    expect(getSettings({})).toMatchObject({ chat: { loaderUrl: 'http://localhost:3001/hubspot' }, analytics: undefined });
    expect(getSettings({ ANALYTICS_CONTAINER_ID: 'GTM-ABC1234' })).toMatchObject({
      analytics: { containerId: 'GTM-ABC1234', url: 'https://www.googletagmanager.com' },
      sandbox: { isComplete: true },
    });
  });

  it('require every credential of a real provider by name', () => {
    const names = getProblems({
      TRUELAYER_AUTH_URL: 'https://auth.truelayer.com',
      TRUELAYER_API_URL: 'https://api.truelayer.com',
      ...otherRealSettings,
    }).join('\n');
    for (const name of ['TRUELAYER_CLIENT_ID', 'TRUELAYER_CLIENT_SECRET', 'TRUELAYER_MERCHANT_ACCOUNT_ID', 'TRUELAYER_SIGNING_KID']) {
      expect(names).toContain(name);
    }
    expect(getProblems({ ...realHmrc, PUBLIC_URL: 'http://portal.example' }).join('\n')).toMatch(/TOKEN_ENCRYPTION_KEYS[^]*PUBLIC_URL/);
    expect(getProblems(realHmrcOnly)).toEqual([]);
    expect(getProblems(production)).toEqual([]);
  });

  it.each([
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://portal.example' },
    { APP_HOST: 'https://app.example' },
    // With a proxy on this computer, a portal on localhost is publicly accessible.
    { HOST: 'localhost', PUBLIC_URL: 'https://portal.example', TRUST_PROXY: 'loopback' },
  ])('reject a sandbox that others can reach, unless SANDBOX_PUBLIC allows it: %j', (environment) => {
    expect(getProblems(environment).join()).toMatch(/so other computers can reach this portal, but its sandbox has public passwords/);
    expect(getProblems({ ...environment, SANDBOX_PUBLIC: '1' })).toEqual([]);
  });

  it.each([
    ['bank, mail', realHmrc],
    ['hmrc, mail', realTrueLayer],
    ['hmrc, bank', realMail],
    ['mail', { ...realHmrc, ...realTrueLayer }],
    ['mail', { ...realHmrc, ...realTrueLayer, ...realMail, SMTP_URL: 'smtp://localhost:3025' }],
    ['identity', { ...production, IDENTITY_CHECK_API_URL: 'http://localhost:3001/identity', ...withNames('IDENTITY_CHECK_') }],
    ['gocardless', { ...production, GOCARDLESS_API_URL: 'http://localhost:3001/gocardless', ...withNames('GOCARDLESS_') }],
  ])('reject %s simulated beside a real provider unless they are named', (names, environment) => {
    const mixedSettings = { ...otherRealSettings, ...environment };
    const setting = names.replace(' ', '');
    const isOrAre = names.includes(',') ? 'are' : 'is';
    expect(getProblems(mixedSettings).join()).toContain(`${names.replace(', ', ' and ')} ${isOrAre} simulated`);
    expect(getProblems({ ...mixedSettings, SIMULATED_PROVIDERS: setting })).toEqual([]);
    expect(getProblems({ ...mixedSettings, SIMULATED_PROVIDERS: `${setting},companies_house` })).toHaveLength(1);
  });

  it('say on every page what is simulated', () => {
    expect(describeSandbox(getStartSettings({}))).toBe('Sandbox: no real money moves and nothing is sent to HMRC.');
    expect(describeSandbox(getStartSettings(realHmrcOnly))).toBe('Test system. Simulated: the bank and email. Everything else is real.');
    expect(describeSandbox(getStartSettings(production))).toBe('');
  });

  it('reject a name of a simulated provider where no provider is real, or all are', () => {
    for (const environment of [{}, production]) {
      expect(getProblems({ ...environment, SIMULATED_PROVIDERS: 'bank' })).toEqual([
        'SIMULATED_PROVIDERS is “bank”, but no provider is simulated alongside a real one. Remove it.',
      ]);
    }
  });

  it.each([
    ['the embedded database', { DATABASE_URL: '' }, /^DATABASE_URL is not set/],
    [
      'an unencrypted database elsewhere',
      { DATABASE_URL: 'postgres://a:hush@db.example/portal' },
      /^DATABASE_URL connects to another computer/,
    ],
    [
      'a certificate that isn’t checked',
      { DATABASE_URL: 'postgres://db.example/portal?sslmode=require' },
      /^DATABASE_URL connects to another/,
    ],
    [
      'a mode that a second one replaces',
      { DATABASE_URL: 'postgres://db.example/portal?sslmode=verify-full&sslmode=no-verify' },
      /^DATABASE_URL connects to another/,
    ],
    [
      'a local database that a second host replaces',
      { DATABASE_URL: 'postgres:///portal?host=localhost&host=db.example' },
      /^DATABASE_URL connects to another/,
    ],
    [
      'a database elsewhere that only PGHOST names',
      { DATABASE_URL: 'postgres:///portal', PGHOST: 'db.example' },
      /^DATABASE_URL connects to another/,
    ],
    ['a mail server without encryption', { SMTP_URL: 'smtp://mail.example:587' }, /^SMTP_URL sends sign-in links without encryption/],
    ...['ignoreTLS=true', 'opportunisticTLS=true', 'tls.rejectUnauthorized=false'].map((option): [string, Environment, RegExp] => [
      `a mail server with ${option}`,
      { SMTP_URL: `smtp://mail.example:587?requireTLS=true&${option}` },
      /^SMTP_URL sends sign-in links without encryption, or without checking/,
    ]),
    ['certificates that Node doesn’t check', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /^NODE_TLS_REJECT_UNAUTHORIZED is 0/],
    ['HMRC without encryption', { HMRC_API_URL: 'http://api.service.hmrc.gov.uk' }, /^HMRC_API_URL is “http:.* must start with https/],
    ['the bank without encryption', { TRUELAYER_AUTH_URL: 'http://auth.truelayer.com' }, /^TRUELAYER_AUTH_URL is “http:/],
    ['an unknown proxy', { TRUST_PROXY: '' }, /^TRUST_PROXY is not set, but PUBLIC_URL starts with https/],
  ])('reject %s with a real provider', (_name, environment, problem) => {
    expect(getProblems({ ...production, ...environment })).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    { DATABASE_URL: 'postgres://a:hush@db.example/portal?sslmode=verify-full' },
    { DATABASE_URL: 'postgres:///portal?host=/var/run/postgresql' },
    { SMTP_URL: 'smtp://mail.example:587?requireTLS=true' },
    { SMTP_URL: 'smtp://localhost:25' },
    { SMTP_URL: 'smtp://localhost:25?tls.rejectUnauthorized=false' },
    { SCREENING_API_URL: 'http://localhost:8000', SCREENING_API_KEY: 'self-hosted' },
  ])('accept an encrypted or local connection: %j', (environment) => {
    expect(getProblems({ ...production, ...environment })).toEqual([]);
  });

  it("treat a provider as simulated only on loopback and at the sandbox's port", () => {
    const otherProviders = {
      HMRC_API_URL: 'http://localhost:3002/hmrc',
      HMRC_WWW_URL: 'http://localhost:3002/hmrc-www',
      HMRC_CLIENT_ID: 'a',
      HMRC_CLIENT_SECRET: 'b',
    };
    expect(getStartSettings({ ...otherProviders, TOKEN_ENCRYPTION_KEYS: otherRealSettings.TOKEN_ENCRYPTION_KEYS }).sandbox).toMatchObject({
      hmrc: false,
      truelayer: true,
      isComplete: false,
    });
  });

  it('trust no proxy unless set, then by address; with the sandbox they trust this computer', () => {
    expect(getSettings({}).trustProxy).toBe('loopback');
    expect(getSettings(realHmrcOnly).trustProxy).toBe('loopback');
    expect(getSettings({ ...realHmrcOnly, TRUST_PROXY: '0' }).trustProxy).toBe(false);
    expect(getSettings({ TRUST_PROXY: '0' }).trustProxy).toBe(false);
    expect(getSettings({ TRUST_PROXY: 'loopback, 192.0.2.7' }).trustProxy).toBe('loopback, 192.0.2.7');
    expect(getSettings({ TRUST_PROXY: '10.0.0.0/8' }).trustProxy).toBe('10.0.0.0/8');
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/4', '2000::/3', '10.0.0.0/33', '10.0.0.999', 'loopback, 0.0.0.0/1'])(
    'reject %s as a proxy: other people’s computers, or none',
    (TRUST_PROXY) => {
      expect(getProblems({ TRUST_PROXY })).toEqual([expect.stringMatching(/^TRUST_PROXY is “/)]);
    },
  );

  it('say whether other computers can reach the portal', () => {
    expect(getStartSettings({}).isPublic).toBe(false);
    expect(getStartSettings({ HOST: '0.0.0.0', SANDBOX_PUBLIC: '1' }).isPublic).toBe(true);
    expect(getStartSettings({ PUBLIC_URL: 'https://portal.example', SANDBOX_PUBLIC: '1' }).isPublic).toBe(true);
  });

  it('give a real provider no sandbox settings, and leave optional providers unset beside it', () => {
    const { hmrc, truelayer, identity, chat, vendorPublicIp } = getSettings(realHmrcOnly);
    expect(hmrc).toMatchObject({ apiUrl: realHmrc.HMRC_API_URL, clientId: 'id', clientSecret: 'hush' });
    expect(truelayer).toMatchObject({ apiUrl: 'http://localhost:3001/truelayer', signing: { kid: signingKey.kid } });
    expect({ identity, chat, vendorPublicIp }).toEqual({
      identity: { signIn: {}, twilio: undefined, companiesHouse: undefined, identityCheck: undefined },
      chat: undefined,
      vendorPublicIp: undefined,
    });
  });

  it('use a configured provider, and simulate the optional ones that are not configured', () => {
    const { identity } = getSettings({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'hush', ...otherRealSettings });
    expect(identity.signIn.google).toEqual({ clientId: 'id', clientSecret: 'hush', browserUrl: undefined, serverUrl: undefined });
    expect(identity.signIn.xero).toMatchObject({ browserUrl: 'http://localhost:3001/xero', serverUrl: 'http://localhost:3001/xero' });
    expect(identity.twilio?.apiUrl).toBe('http://localhost:3001/twilio');
  });

  it('from the sandbox are all known, and a missing one is reported by name', () => {
    const sandboxValues = createProviderSettings({ url: 'http://localhost:3001', smtpPort: 3025, signingKey });
    expect(Object.keys(sandboxValues).filter((name) => !(name in settingTable))).toEqual([]);
    const { HMRC_CLIENT_ID: _missing, ...rest } = sandboxValues;
    expect(() => completeSettings(getStartSettings({}), {}, rest)).toThrow(/HMRC_CLIENT_ID is not set/);
  });

  it('cover the email domains of all seeded sandbox accounts', () => {
    const { people } = seedSchema.parse(createPortalSeed(plainDate('2026-11-21')));
    expect(new Set(people.map(({ email }) => email.split('@')[1]))).toEqual(new Set(SANDBOX_DOMAINS));
  });

  it('with a real provider allow no operator with a sandbox account’s address, because no portal would start again', () => {
    for (const domain of SANDBOX_DOMAINS) {
      expect(() => rejectSandboxAddress(`Ada@${domain.toUpperCase()}`, getStartSettings(production))).toThrow(/Use another address/);
      expect(() => rejectSandboxAddress(`ada@${domain}`, getStartSettings({}))).not.toThrow();
    }
    expect(() => rejectSandboxAddress('ada@operator.example.org', getStartSettings(production))).not.toThrow();
  });

  it('are all documented in the help and on the page', () => {
    for (const name of Object.keys(settingTable)) expect(explainSettings()).toContain(`  ${name} `);
    expect(readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')).toBe(renderSettingsPage());
  });
});
