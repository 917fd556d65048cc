import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort, findFreeSmtpPort } from '@portal/sandbox/testing/find-free-port.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot, runCommand } from './testing/run-command.ts';

let folder: string;
let sandbox: ChildProcess;
/** Uses the simulators as manually configured providers, because the portal wouldn't start its own. */
let configuredSettings: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-doctor-'));
  const [port, smtpPort] = [await findFreePort(), await findFreeSmtpPort()];
  sandbox = spawn(process.execPath, [join(repositoryRoot, 'apps/sandbox/src/main.ts')], {
    env: { HOST: 'localhost', SANDBOX_PORT: String(port), SANDBOX_SMTP_PORT: String(smtpPort), SANDBOX_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (sandbox.stdout) await once(sandbox.stdout, 'data');
  const response = await fetch(`http://localhost:${port}/control/settings`);
  configuredSettings = {
    ...((await response.json()) as Record<string, string>),
    SANDBOX_PORT: String(await findFreePort()),
    MAIL_FROM: 'no-reply@portal.example',
    // This domain is reserved for documentation, so it can't be resolved.
    BOUNCE_DOMAIN: '',
    BOUNCE_PORT: '',
    TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
  };
});

afterAll(() => {
  sandbox.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const runDoctor = (environment: Record<string, string>) => runCommand(process.execPath, ['scripts/doctor.ts'], { environment });

describe('npm run doctor', () => {
  it('calls every configured provider once and says that everything is ready', async () => {
    const { exitCode, output } = await runDoctor(configuredSettings);
    expect(output).not.toContain('✗');
    for (const name of [
      'HMRC',
      'TrueLayer',
      'the mail server',
      'GoCardless',
      'Stripe',
      'Companies House',
      'screening',
      'Modulr',
      'the language model',
      'Twilio',
      'HubSpot',
    ]) {
      expect(output).toContain(`✓ ${name}: `);
    }
    expect(output).toContain('✓ the identity provider: accepts the key');
    expect(output).toContain('✓ sign-in with google: ');
    expect(output).toMatch(/Everything is ready\.\n$/);
    expect(exitCode).toBe(0);
  });

  it('names the bounce domain if it isn’t in the DNS', async () => {
    const { exitCode, output } = await runDoctor({ ...configuredSettings, BOUNCE_DOMAIN: 'bounces.portal.invalid', BOUNCE_PORT: '2525' });
    expect(output).toMatch(/✗ the bounce domain: .*Check the MX and SPF records of BOUNCE_DOMAIN/);
    expect(exitCode).toBe(1);
  });

  it.each([
    ['HMRC', 'HMRC_CLIENT_SECRET'],
    ['TrueLayer', 'TRUELAYER_CLIENT_SECRET'],
    ['GoCardless', 'GOCARDLESS_ACCESS_TOKEN'],
    ['Stripe', 'STRIPE_SECRET_KEY'],
    ['Companies House', 'COMPANIES_HOUSE_API_KEY'],
    ['screening', 'SCREENING_API_KEY'],
    ['the identity provider', 'IDENTITY_CHECK_API_KEY'],
    ['Modulr', 'MODULR_SECRET'],
    ['the language model', 'LANGUAGE_MODEL_KEY'],
    ['Twilio', 'TWILIO_AUTH_TOKEN'],
    ['HubSpot', 'HUBSPOT_ACCESS_TOKEN'],
  ])('names %s if its secret is wrong, and what to check', async (name, setting) => {
    const { exitCode, output } = await runDoctor({ ...configuredSettings, [setting]: 'wrong' });
    const failures = output.split('\n').filter((line) => line.startsWith('✗'));
    expect(failures).toEqual([expect.stringMatching(new RegExp(`^✗ ${name}: .*Check .*(${setting}|${setting.split('_')[0] ?? ''}_)`))]);
    expect(output).not.toContain('wrong');
    expect(exitCode).toBe(1);
  });

  it('names TrueLayer’s signing key if it isn’t the one that TrueLayer has', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp521r1' });
    const wrongKey = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { exitCode, output } = await runDoctor({ ...configuredSettings, TRUELAYER_SIGNING_PRIVATE_KEY: wrongKey });
    const failures = output.split('\n').filter((line) => line.startsWith('✗'));
    expect(failures).toEqual([expect.stringMatching(/^✗ TrueLayer: it refuses our signature .*TRUELAYER_SIGNING_KID/)]);
    expect(exitCode).toBe(1);
  });

  it('names a model that the endpoint doesn’t have', async () => {
    const { exitCode, output } = await runDoctor({ ...configuredSettings, LANGUAGE_MODEL_NAME: 'another' });
    expect(output).toMatch(/✗ the language model: it has no model “another”.*LANGUAGE_MODEL_NAME/);
    expect(exitCode).toBe(1);
  });

  it('names what is missing without calling any provider', async () => {
    const { exitCode, output } = await runDoctor({ ...configuredSettings, HMRC_CLIENT_ID: '', PUBLIC_URL: 'https://portal.example' });
    expect(output).toMatch(/^✗ settings: HMRC_CLIENT_ID is not set/);
    expect(output).toContain('nothing was called');
    expect(output).not.toContain('✓');
    expect(exitCode).toBe(1);
  });

  it('says that a mail server can’t be reached', async () => {
    const { output } = await runDoctor({ ...configuredSettings, SMTP_URL: `smtp://localhost:${await findFreePort()}` });
    expect(output).toMatch(/✗ the mail server: .*Check SMTP_URL/);
  });
});
