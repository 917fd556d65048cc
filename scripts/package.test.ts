/** Unpacks the archive made by `npm run package` and starts it against PostgreSQL, as in a deployment. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createTestPostgresDatabase } from '@portal/db/testing/test-postgres.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage, type BuiltPackage } from './package/make-package.ts';
import { startOwnSimulators, unpackPackage, type OwnSimulators, type UnpackedPackage } from './package/packaged-portal.ts';

let folder: string;
let madePackage: BuiltPackage;
let unpacked: UnpackedPackage;
let simulators: OwnSimulators;
let url: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-package-test-'));
  madePackage = await buildPackage(folder);
  unpacked = await unpackPackage(madePackage.file);
  simulators = await startOwnSimulators('http://localhost:1');
  ({ url, drop } = await createTestPostgresDatabase('empty'));
  const { exitCode, output } = await unpacked.run('migrate', { MIGRATION_DATABASE_URL: url });
  if (exitCode !== 0) throw new Error(output);
});
afterAll(async () => {
  await simulators.stop();
  await drop();
  unpacked.remove();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns a firm's settings. Every provider is real, but at names that never resolve (RFC 2606), so that jobs polling a provider don't
 * reach one.
 */
const createRealSettings = (): Record<string, string> => ({
  HMRC_API_URL: 'https://api.hmrc.invalid',
  HMRC_WWW_URL: 'https://www.hmrc.invalid',
  HMRC_CLIENT_ID: 'id',
  HMRC_CLIENT_SECRET: 'hush',
  TRUELAYER_AUTH_URL: 'https://auth.truelayer.invalid',
  TRUELAYER_API_URL: 'https://api.truelayer.invalid',
  TRUELAYER_CLIENT_ID: 'id',
  TRUELAYER_CLIENT_SECRET: 'hush',
  TRUELAYER_MERCHANT_ACCOUNT_ID: '0f3c6e52-8a3b-4b1c-9f52-6d7f2a1e4c91',
  TRUELAYER_SIGNING_KID: '0f3c6e52-8a3b-4b1c-9f52-6d7f2a1e4c92',
  TRUELAYER_SIGNING_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\n',
  SMTP_URL: 'smtps://portal:hush@mail.invalid:465',
  MAIL_FROM: 'no-reply@portal.example',
  TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
  PUBLIC_URL: 'https://portal.example',
  TRUST_PROXY: 'loopback',
  DATABASE_URL: url,
  LOG_LEVEL: 'silent',
});

describe('the package', () => {
  it('has the same bytes when it is built again, with its checksum next to it', async () => {
    const rebuiltPackage = await buildPackage(mkdtempSync(join(folder, 'again-')));
    expect(rebuiltPackage.sha256).toBe(madePackage.sha256);
    expect(readFileSync(`${madePackage.file}.sha256`, 'utf8')).toMatch(new RegExp(`^${madePackage.sha256}  portal-\\d.*\\.tar\\.gz\n$`));
  });

  it('contains no simulator, no embedded database, no test and no path of the computer that made it', () => {
    const files = readdirSync(unpacked.root, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /sandbox|simulator|pglite|\.test\.|\.map$/.test(file))).toEqual([]);
    const programs = files.filter((file) => /^apps\/server\/dist\/[^/]+\.js$/.test(file));
    // The bundler names each source file before its code.
    const sources = programs.flatMap((file) => readFileSync(join(unpacked.root, file), 'utf8').match(/^\/\/ \S+\.[jt]s$/gm) ?? []);
    expect(sources).toContain('// apps/server/src/build-app.ts');
    expect(sources.filter((source) => /apps\/sandbox|\/testing\/|\.\.\//.test(source))).toEqual([]);
    const programSources = programs.map((file) => readFileSync(join(unpacked.root, file), 'utf8')).join('');
    const unwantedTexts = ['Sandbox-2026', "from '@electric-sql/pglite", 'from "@electric-sql/pglite', import.meta.dirname];
    expect(unwantedTexts.filter((text) => programSources.includes(text))).toEqual([]);
  });

  it('names its version and commit, and the licence of every package it contains', async () => {
    const release = JSON.parse(readFileSync(join(unpacked.root, 'release.json'), 'utf8')) as Record<string, string>;
    expect(release).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/), commit: expect.stringMatching(/^[0-9a-f]{40}\+?$/) });
    expect((await unpacked.run('main', { args: '' })).output).toContain('The portal did not start.');
    const licencesText = readFileSync(join(unpacked.root, 'LICENCES.txt'), 'utf8');
    for (const name of ['fastify', 'react', 'pg', 'pdfkit', '@node-rs/argon2', 'zod'])
      expect(licencesText).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('starts on PostgreSQL with real providers, serves its pages and readiness, and stops', async () => {
    const port = await findFreePort();
    const portal = await unpacked.start({ ...createRealSettings(), PORT: String(port), HOST: '127.0.0.1' });
    const readyResponse = await fetch(`http://127.0.0.1:${port}/portal/readyz`);
    expect(await readyResponse.json()).toEqual({ ready: true, parts: { database: true, jobs: true, serving: true } });
    const pageResponse = await fetch(`http://127.0.0.1:${port}/portal/login`, { headers: { accept: 'text/html' } });
    expect(pageResponse.status).toBe(200);
    expect(await portal.stop()).toBe(0);
  });

  it('runs its commands with the settings of the systemd unit, which hands the signing key over itself', async () => {
    const { TRUELAYER_SIGNING_PRIVATE_KEY: key = '', ...settings } = createRealSettings();
    const etc = mkdtempSync(join(folder, 'etc-'));
    writeFileSync(
      join(etc, 'portal.env'),
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    writeFileSync(join(etc, 'truelayer.pem'), key);
    const script = join(unpacked.root, 'deploy/portal-command.sh');
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, PORTAL_ROOT: unpacked.root, PORTAL_SETTINGS: etc };
    const { stdout } = await promisify(execFile)('sh', [script, 'operator', 'list'], { env });
    expect(stdout).toMatch(/^No operators yet/);
    await expect(promisify(execFile)('sh', [script, 'operators'], { env })).rejects.toMatchObject({ code: 64 });
  });

  it.each([
    ['simulators', { HMRC_API_URL: '', HMRC_WWW_URL: '' }, /HMRC_API_URL is not set\. This package has no simulators/],
    ['the embedded database', { DATABASE_URL: '' }, /DATABASE_URL is not set\. This package has no embedded database/],
    ['an unencrypted database elsewhere', { DATABASE_URL: 'postgres://a:hush@db.example/portal' }, /without verifying its certificate/],
    ['a proxy that isn’t named', { TRUST_PROXY: '' }, /TRUST_PROXY is not set/],
    [
      'a simulator that isn’t named',
      {
        SCREENING_API_URL: 'http://localhost:9',
        SCREENING_API_KEY: 'x',
        MODULR_API_URL: 'http://localhost:9',
        MODULR_KEY_ID: 'a',
        MODULR_SECRET: 'b',
        MODULR_PAYMENT_ACCOUNT_ID: 'c',
      },
      /set SIMULATED_PROVIDERS=modulr/,
    ],
  ])('rejects %s', async (_case, changed, message) => {
    const { exitCode, output } = await unpacked.run('main', { ...createRealSettings(), ...changed });
    expect(exitCode).toBe(1);
    expect(output).toMatch(message);
    expect(output).not.toContain('hush');
  });

  it('has the doctor, which accepts providers that are set up, and the operators’ command', async () => {
    // The portal creates its folder when it first starts, but the doctor runs earlier. The sandbox's bounce domain has no DNS entry.
    const noBounceSettings = { BOUNCE_DOMAIN: '', BOUNCE_PORT: '' };
    const settings = { ...simulators.settings, ...noBounceSettings, DATABASE_URL: url, AUDIT_HEADS_FILE: '/tmp/audit-heads.jsonl' };
    const doctorResult = await unpacked.run('doctor', settings);
    expect(doctorResult.output).toMatch(/Everything is ready\.\n$/);
    expect((await unpacked.run('operator', settings)).output).toContain('npm run operator');
  });
});
