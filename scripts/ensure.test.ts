import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ensureScript = fileURLToPath(new URL('./ensure.mjs', import.meta.url));

/** A fake npm that records its calls and writes the same files as `npm ci`. */
const fakeNpm = `
const { appendFileSync, mkdirSync, writeFileSync, copyFileSync, existsSync } = require('node:fs');
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
if (existsSync('npm-fails')) { console.error('npm says no'); process.exit(1); }
setTimeout(() => { mkdirSync('node_modules', { recursive: true }); copyFileSync('package-lock.json', 'node_modules/.package-lock.json'); console.log('added 1 package'); }, 300);
`;
const fakeServerBuild = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('../../server-builds', 'built\\n');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/main.js', '');
`;
const fakeBuild = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('../../builds', 'built\\n');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.html', '<!doctype html>');
`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'portal-ensure-'));
  write('package-lock.json', lockFile('1.0.0'));
  write('fake-npm.js', fakeNpm);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function read(file: string): string {
  return existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
}

function lockFile(version: string): string {
  return JSON.stringify({
    packages: { '': {}, 'node_modules/thing': { version }, 'node_modules/for-another-system': { version: '1.0.0', optional: true } },
  });
}

function run(...args: string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    ENSURE_ROOT: root,
    npm_execpath: join(root, 'fake-npm.js'),
    npm_node_execpath: process.execPath,
  };
  const child = spawn(process.execPath, [ensureScript, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (exitCode) => resolve({ exitCode, ...output })));
}

const countNpmCalls = (): number => read('npm-calls').split('\n').length - 1;

describe('ensure', () => {
  it('installs what is missing, prints to stderr only, and then has nothing to do', async () => {
    const firstRun = await run();
    expect(firstRun).toMatchObject({ exitCode: 0, stdout: '' });
    expect(firstRun.stderr).toMatch(/installing packages[^]*added 1 package[^]*done/);
    expect(read('npm-calls')).toBe('ci --include=dev --ignore-scripts --no-progress\n');
    expect(await run()).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(countNpmCalls()).toBe(1);
  });

  it('installs again when the lock file has changed or node_modules is gone', async () => {
    await run();
    write('package-lock.json', lockFile('1.0.1'));
    await run();
    expect(countNpmCalls()).toBe(2);
    rmSync(join(root, 'node_modules'), { recursive: true });
    await run();
    expect(countNpmCalls()).toBe(3);
  });

  it('keeps packages that were installed by hand', async () => {
    write('node_modules/.package-lock.json', lockFile('1.0.0'));
    expect(await run()).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    write('node_modules/.package-lock.json', lockFile('0.9.0'));
    rmSync(join(root, 'node_modules/.portal-installed'));
    await run();
    expect(countNpmCalls()).toBe(1);
  });

  it('installs once when two processes start at the same time', async () => {
    const results = await Promise.all([run(), run()]);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(countNpmCalls()).toBe(1);
    expect(results.some(({ stderr }) => stderr.includes('waiting for it'))).toBe(true);
  });

  it('takes over the lock of a process that died', async () => {
    // Linux process ids end at 4194304, so this one can't exist.
    write('.stamps/ensure.lock/pid', '4194305');
    expect(await run()).toMatchObject({ exitCode: 0 });
    expect(countNpmCalls()).toBe(1);
    expect(existsSync(join(root, '.stamps/ensure.lock'))).toBe(false);
  });

  it("ends with a one-sentence error below npm's output when the installation fails", async () => {
    write('npm-fails', '');
    const { exitCode, stderr } = await run();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/npm says no\n.*installing packages failed \(exit code 1\)/);
    rmSync(join(root, 'npm-fails'));
    expect(await run()).toMatchObject({ exitCode: 0 });
  });

  it('builds the web app when its sources have changed, but not with --no-build', async () => {
    write('apps/web/build.ts', fakeBuild);
    write('packages/contract/src/pages.ts', '1');
    await run('--no-build');
    expect(read('builds')).toBe('');
    await run();
    await run();
    expect(read('builds')).toBe('built\n');
    write('packages/contract/src/pages.ts', '2');
    write('packages/contract/src/pages.test.ts', 'tests are not part of the app');
    await run();
    expect(read('builds')).toBe('built\nbuilt\n');
    write('packages/contract/src/pages.test.ts', 'changed');
    await run();
    expect(read('builds')).toBe('built\nbuilt\n');
  });

  it('builds the server when its sources, the sandbox’s or a package’s have changed', async () => {
    write('apps/server/build.ts', fakeServerBuild);
    for (const source of ['apps/server/src/main.ts', 'apps/sandbox/src/main.ts', 'packages/domain/src/clock.ts']) {
      write(source, 'changed');
      await run();
      await run();
    }
    expect(read('server-builds')).toBe('built\nbuilt\nbuilt\n');
  });
});
