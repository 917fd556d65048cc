/** Three portals on one PostgreSQL database, and one sandbox, as in a deployment. Their logs are kept until the run ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import pg from 'pg';
import { createSite, removeSite, startSandbox, type Site } from '../../chaos/processes.ts';
import { repositoryRoot, runCommand } from '../../testing/run-command.ts';
import { findPostgresBinaries, startPostgres } from '../../testing/start-postgres.ts';

export type ThreePortals = {
  /** Without a trailing slash and without `/portal`. */
  readonly origins: readonly string[];
  readonly sandboxUrl: string;
  readonly database: pg.Pool;
  /** Returns lines that the portals logged as errors, or that aren't log lines at all, such as an unhandled rejection. */
  readErrors(): string[];
  /** Returns the output of `npm run audit -- verify`; undefined if the trail is intact. */
  verifyAudit(): Promise<string | undefined>;
  close(): Promise<void>;
};

const PORTAL_COUNT = 3;
const START_TIMEOUT_MS = 900_000;
/** The portals write them every 10 minutes. */
const HASHES_WRITTEN_WITHIN_MS = 660_000;
/** Pino's level for errors. */
const ERROR_LEVEL = 50;
/**
 * Node's own warnings about an algorithm that a library requests, and a portal that started a second sandbox because the first was slow to
 * respond. Neither happens in production.
 */
const EXPECTED = /^\(node:\d+\) ExperimentalWarning|^\(Use `node --trace-warnings|^Another sandbox is using|sandbox: the process ended/;
/** Stops a user's steps from waiting for HMRC's limit of three calls a second. */
const HMRC_CALLS_PER_SECOND = '10000';

/** `webhookKeys` is the URL of additional keys that may sign the bank's webhooks. */
export async function openThreePortals(webhookKeys: string): Promise<ThreePortals> {
  const cleanups: (() => void | Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of cleanups.toReversed()) await closeOne();
  };
  try {
    return { ...(await open(webhookKeys, (closeOne) => cleanups.push(closeOne))), close };
  } catch (error) {
    // A running child process would keep this process alive.
    await close();
    throw error;
  }
}

/** Passes each close function to `addCleanup` as soon as its resource is open. */
async function open(webhookKeys: string, addCleanup: (close: () => void | Promise<void>) => void): Promise<Omit<ThreePortals, 'close'>> {
  const postgresBinaries = findPostgresBinaries();
  if (!postgresBinaries) throw new Error('PostgreSQL is not installed. Install its server programs (Debian: apt-get install postgresql).');
  const server = await startPostgres(postgresBinaries);
  addCleanup(() => server.stop());
  const site = await createSite(server.url, { HMRC_CALLS_PER_SECOND, DATABASE_POOL_SIZE: '8' });
  addCleanup(() => removeSite(site));
  const environment: Readonly<Record<string, string>> = {
    ...site.environment,
    TRUELAYER_WEBHOOK_JKU: `${site.sandboxUrl}/truelayer/.well-known/jwks,${webhookKeys}`,
  };
  const run = (script: string, args: readonly string[] = []) =>
    runCommand(process.execPath, [join(repositoryRoot, script), ...args], { environment });
  const migrationResult = await run('scripts/migrate.ts');
  if (migrationResult.exitCode !== 0) throw new Error(migrationResult.output);
  const sandbox = await startSandbox(site);
  addCleanup(() => sandbox.stop());
  const ports = [Number(environment['PORT']), ...(await Promise.all(Array.from({ length: PORTAL_COUNT - 1 }, findFreePort)))];
  // They start one after another, because the first one seeds the sandbox's users.
  for (const port of ports) {
    const portal = await startPortal(site, { ...environment, ...createOwnSettings(port, ports) });
    addCleanup(() => stop(portal));
  }
  const database = new pg.Pool({ connectionString: server.url, max: 2 });
  addCleanup(() => database.end());
  return {
    origins: ports.map((port) => `http://localhost:${port}`),
    sandboxUrl: site.sandboxUrl,
    database,
    readErrors: () => readFileSync(site.logFile, 'utf8').split('\n').filter(isError),
    verifyAudit: async () => {
      for (const deadline = Date.now() + HASHES_WRITTEN_WITHIN_MS; ; await pause(10_000)) {
        const { exitCode, output } = await run('scripts/audit.ts', ['verify']);
        if (exitCode === 0) return undefined;
        // A short run ends before the portals have written any hash to their file.
        if (!output.includes('no hashes yet') || Date.now() > deadline) return output;
      }
    },
  };
}

/** Links and providers lead to the first portal. One of the three validates its responses against the contract. */
function createOwnSettings(port: number, [first]: readonly number[]): Record<string, string> {
  const isFirst = port === first;
  return { PORT: String(port), PUBLIC_URL: `http://localhost:${first}`, NODE_ENV: isFirst ? 'test' : 'production' };
}

async function startPortal(site: Site, environment: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const log = openSync(site.logFile, 'a');
  const child = spawn(process.execPath, [join(repositoryRoot, 'apps/server/dist/main.js')], {
    env: environment,
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const firstOutput = child.stdout ? once(child.stdout, 'data') : Promise.resolve();
  const exitPromise = once(child, 'exit').then(() => {
    throw new Error(`a portal did not start: ${readFileSync(site.logFile, 'utf8').slice(-1500)}`);
  });
  await Promise.race([firstOutput, exitPromise]);
  exitPromise.catch(() => appendFileSync(site.logFile, `portal ${child.pid} ended with ${child.exitCode ?? child.signalCode}\n`));
  clearTimeout(timer);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exitPromise = once(child, 'exit');
  child.kill('SIGKILL');
  await exitPromise;
}

function isError(line: string): boolean {
  if (line.trim() === '' || EXPECTED.test(line)) return false;
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level !== 'number' || level >= ERROR_LEVEL;
  } catch {
    return true;
  }
}
