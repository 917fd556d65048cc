/** The real processes: the simulators, which keep running, and the portal, which is killed and restarted. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort, findFreeSmtpPort } from '@portal/sandbox/testing/find-free-port.ts';
import { repositoryRoot } from '../testing/run-command.ts';
import type { QueryResponse, KillPlan } from './kill-plan.ts';

/** A chaos run's folder, ports and database. */
export type Site = {
  readonly folder: string;
  readonly portalUrl: string;
  readonly sandboxUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly traceFile: string;
  /** The file with the time, in milliseconds, when each call to HMRC was sent by any process, one per line. */
  readonly departuresFile: string;
  readonly logFile: string;
};

export type PortalProcess = {
  readonly isAlive: () => boolean;
  /** Returns true if the process ended without a signal. */
  readonly hasCrashed: () => boolean;
  /** Sets the kill plan and restarts the step count. */
  setKillPlan(killPlan: KillPlan): Promise<void>;
  /** Runs a query on its embedded database. */
  query(query: string): Promise<readonly unknown[]>;
  /** Sends SIGKILL and resolves once the process has exited. */
  kill(): Promise<void>;
  readonly ended: Promise<void>;
};

/** The process exited before it was ready. */
export class ProcessExitedError extends Error {
  override readonly name = 'EndedEarly';
}

/** A start takes two seconds on an idle machine. At a load of 46 on two processors, it took more than four minutes. */
const START_TIMEOUT_MS = 600_000;
/** Most of the start-up time is spent loading code, so all starts share one compile cache. */
const COMPILE_CACHE_FOLDER = join(repositoryRoot, 'node_modules/.cache/compiled');
export const PRELOAD_SCRIPT = fileURLToPath(new URL('./kill-at.ts', import.meta.url));

/** `settings` override a run's default environment. */
export async function createSite(databaseUrl: string | undefined, settings: Readonly<Record<string, string>> = {}): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-chaos-'));
  const [port, sandboxPort, smtpPort] = [await findFreePort(), await findFreePort(), await findFreeSmtpPort()];
  const { PATH = '', SystemRoot = '' } = process.env;
  return {
    folder,
    portalUrl: `http://localhost:${port}/portal`,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    traceFile: join(folder, 'steps.jsonl'),
    departuresFile: join(folder, 'departures.txt'),
    logFile: join(folder, 'portal.log'),
    environment: {
      PATH,
      SystemRoot,
      HOST: 'localhost',
      DATA_DIR: folder,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_DATA_DIR: join(folder, 'sandbox'),
      PORTAL_URL: `http://localhost:${port}`,
      TRUST_PROXY: 'loopback',
      VENDOR_PUBLIC_IP: '203.0.113.6',
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...settings,
    },
  };
}

export function removeSite({ folder }: Site): void {
  // The child processes may still be writing their last files.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** The sandbox exits when its IPC channel to this process closes. */
export async function startSandbox(site: Site): Promise<{ stop(): Promise<void> }> {
  const child = spawnProcess(site, [join(repositoryRoot, 'apps/sandbox/dist/main.js')], site.environment);
  await waitForOutput(child, 'sandbox ready', site);
  return {
    stop: async () => {
      const exitPromise = once(child, 'exit');
      child.disconnect();
      await exitPromise;
    },
  };
}

/**
 * Resolves when the portal is ready, and rejects if it exits earlier. `onSpawned` receives the process immediately, so that it can be
 * killed while starting.
 */
export async function startPortal(
  site: Site,
  onSpawned?: (child: ChildProcess) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<PortalProcess> {
  const child = spawnProcess(site, ['--import', PRELOAD_SCRIPT, join(repositoryRoot, 'apps/server/dist/main.js')], {
    ...site.environment,
    CHAOS_TRACE: site.traceFile,
    CHAOS_DEPARTURES: site.departuresFile,
    ...settings,
  });
  const exitPromise = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onSpawned?.(child);
  await waitForOutput(child, 'ready ', site);
  return {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    hasCrashed: () => child.exitCode !== null,
    ended: exitPromise,
    setKillPlan: async (killPlan) => {
      writeFileSync(site.traceFile, '');
      const acknowledgement = once(child, 'message');
      child.send(killPlan, () => undefined);
      await Promise.race([acknowledgement, exitPromise]);
    },
    query: async (query) => {
      const messagePromise = once(child, 'message');
      child.send({ query });
      const [{ rows }] = (await messagePromise) as [QueryResponse];
      return rows;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exitPromise;
    },
  };
}

function spawnProcess(site: Site, args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  const log = openSync(site.logFile, 'a');
  // Runs in a separate process group, because Ctrl-C would stop it before the test has ended.
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', log, 'ipc'], detached: true });
  closeSync(log);
  return child;
}

async function waitForOutput(child: ChildProcess, text: string, site: Site): Promise<void> {
  let output = '';
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`"${text}" did not appear in the output in time: ${readLogTail(site)}`)), START_TIMEOUT_MS);
      child.once('exit', (code, signal) =>
        reject(new ProcessExitedError(`it ended (${signal ?? code}) before it was ready: ${readLogTail(site)}`)),
      );
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes(text)) resolve();
      });
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the end of the log, to explain a failure. */
export function readLogTail({ logFile }: Site): string {
  return existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(-1500) : '';
}
