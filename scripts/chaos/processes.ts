/** The real processes: the doubles, which stay up, and the portal, which is killed and started again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@portal/sandbox/testing/free-port.ts';
import { repositoryRoot } from '../testing/run-command.ts';
import type { Answered, Arming } from './kill-plan.ts';

/** Where one run of chaos lives: folder, ports, database. */
export type Site = {
  readonly folder: string;
  readonly portalUrl: string;
  readonly sandboxUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly traceFile: string;
  /** When calls left for HMRC, of all processes: milliseconds, a line each. */
  readonly departuresFile: string;
  readonly logFile: string;
};

export type PortalProcess = {
  readonly isAlive: () => boolean;
  /** Begins to count the steps anew. */
  arm(arming: Arming): Promise<void>;
  /** A query of its embedded database. */
  ask(query: string): Promise<readonly unknown[]>;
  /** SIGKILL, from outside; resolves once it is dead. */
  kill(): Promise<void>;
  readonly ended: Promise<void>;
};

/** A process that ended before it was ready. */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly';
}

/** A start takes two seconds; on a machine that is busy with ten other things, minutes. */
const START_LIMIT_MS = 240_000;
/** A start is mostly the loading of code: it is compiled once for all of them. */
const COMPILED = join(repositoryRoot, 'node_modules/.cache/compiled');
const PRELOAD = fileURLToPath(new URL('./kill-at.ts', import.meta.url));

/** `settings` come on top of those that every run has. */
export async function chooseSite(databaseUrl: string | undefined, settings: Readonly<Record<string, string>> = {}): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-chaos-'));
  const [port, sandboxPort, smtpPort] = [await freePort(), await freePort(), await freePort()];
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
      NODE_COMPILE_CACHE: COMPILED,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...settings,
    },
  };
}

export function forgetSite({ folder }: Site): void {
  // What the processes started may still be writing its last.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** Its channel ties it to us: it ends when we do. */
export async function startSandbox(site: Site): Promise<{ stop(): Promise<void> }> {
  const child = start(site, [join(repositoryRoot, 'apps/sandbox/src/main.ts')], site.environment);
  await untilSaid(child, 'sandbox ready', site);
  return {
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Resolves when it is ready; rejects where it ends before. `onSpawned` gets the process at once, to be killed while it starts. */
export async function startPortal(site: Site, onSpawned?: (child: ChildProcess) => void): Promise<PortalProcess> {
  const child = start(site, ['--import', PRELOAD, join(repositoryRoot, 'apps/server/src/main.ts')], {
    ...site.environment,
    CHAOS_TRACE: site.traceFile,
    CHAOS_DEPARTURES: site.departuresFile,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onSpawned?.(child);
  await untilSaid(child, 'ready ', site);
  return {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ended,
    arm: async (arming) => {
      writeFileSync(site.traceFile, '');
      const armed = once(child, 'message');
      child.send(arming);
      await armed;
    },
    ask: async (query) => {
      const answered = once(child, 'message');
      child.send({ ask: query });
      const [{ rows }] = (await answered) as [Answered];
      return rows;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function start(site: Site, given: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  const log = openSync(site.logFile, 'a');
  const child = spawn(process.execPath, given, { env: environment, stdio: ['ignore', 'pipe', log, 'ipc'] });
  closeSync(log);
  return child;
}

async function untilSaid(child: ChildProcess, words: string, site: Site): Promise<void> {
  let said = '';
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`it did not say "${words}" in time: ${lastWords(site)}`)), START_LIMIT_MS);
      child.once('exit', (code, signal) => reject(new EndedEarly(`it ended (${signal ?? code}) before it was ready: ${lastWords(site)}`)));
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes(words)) resolve();
      });
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The end of the log, for a failure that must be explained. */
export function lastWords({ logFile }: Site): string {
  return existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(-1500) : '';
}
