/** The unpacked archive as deployed: its entry points run with Node alone, outside the repository, with simulators started separately. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, findFreeSmtpPort } from '@portal/sandbox/testing/find-free-port.ts';
import { extract } from 'tar';
import { repositoryRoot } from '../testing/run-command.ts';

export type PackagedPortal = {
  readonly process: ChildProcess;
  /** The time from the start of the process to its ready line. */
  readonly startMs: number;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
};

export type UnpackedPackage = {
  /** The folder that contains package.json. */
  readonly root: string;
  /** Runs one of the package's entry points until it exits. */
  run(program: string, environment: Readonly<Record<string, string>>): Promise<{ exitCode: number; output: string }>;
  /** Starts a portal. Rejects with its error output if it ends before it is ready. */
  start(environment: Readonly<Record<string, string>>): Promise<PackagedPortal>;
  remove(): void;
};

export async function unpackPackage(archive: string): Promise<UnpackedPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-unpacked-'));
  await extract({ file: archive, cwd: folder });
  const root = join(folder, readdirSync(folder)[0] ?? '');
  const toArgs = (program: string): string[] => [
    '--max-semi-space-size=16',
    '--heap-growing-percent=15',
    join(root, `apps/server/dist/${program}.js`),
  ];
  return {
    root,
    run: async (program, environment) => {
      // An empty PATH: no shell and no other programs.
      const processPromise = promisify(execFile)(process.execPath, toArgs(program), { cwd: root, env: { PATH: '', ...environment } });
      try {
        const { stdout, stderr } = await processPromise;
        return { exitCode: 0, output: stdout + stderr };
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { exitCode: code, output: stdout + stderr };
      }
    },
    start: async (environment) => {
      const startedAt = performance.now();
      const child = spawn(process.execPath, toArgs('main'), {
        cwd: root,
        env: { PATH: '', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4000)));
      await new Promise<void>((resolve, reject) => {
        child.stdout.once('data', () => resolve());
        child.once('exit', () => reject(new Error(errors)));
      });
      const startMs = performance.now() - startedAt;
      // From now on, its log is shown in the output of the test or drill.
      child.stderr.pipe(process.stderr);
      return {
        process: child,
        startMs,
        stop: async () => {
          const exitPromise = once(child, 'exit');
          child.kill('SIGTERM');
          const [code] = (await exitPromise) as [number | null];
          return code;
        },
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

export type OwnSimulators = {
  readonly url: string;
  /** Settings that point a portal at the simulators, as if they were providers that an engineer had configured. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
};

/** Starts the simulators as separate providers: a portal with these settings doesn't start its own and has no sandbox accounts. */
export async function startOwnSimulators(portalUrl: string): Promise<OwnSimulators> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-simulators-'));
  const [port, smtpPort] = [await findFreePort(), await findFreeSmtpPort()];
  mkdirSync(join(folder, 'sandbox'));
  const child = spawn(process.execPath, [join(repositoryRoot, 'apps/sandbox/dist/main.js')], {
    env: {
      HOST: 'localhost',
      SANDBOX_PORT: String(port),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_DATA_DIR: join(folder, 'sandbox'),
      PORTAL_URL: portalUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout) await once(child.stdout, 'data');
  const url = `http://localhost:${port}`;
  const settings = (await (await fetch(`${url}/control/settings`)).json()) as Record<string, string>;
  return {
    url,
    settings: {
      ...settings,
      SANDBOX_PORT: String(await findFreePort()),
      MAIL_FROM: 'no-reply@portal.example',
      TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    },
    stop: async () => {
      const exitPromise = once(child, 'exit');
      // The sandbox exits when its IPC channel closes.
      child.disconnect();
      await exitPromise;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
