/** The sandbox's process: started if none is running, restarted if it dies, and stopped last. */
import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@portal/domain/app-error.ts';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Environment } from '../setting-values.ts';
import type { StartSettings } from '../settings.ts';

export type SandboxProcess = {
  isAnswering(): Promise<boolean>;
  /** Resolves once the sandbox responds; rejects if it can't start. */
  waitUntilResponding(signal: AbortSignal): Promise<void>;
  /** URLs and credentials of the simulated providers, by setting name. */
  readSettings(): Promise<Environment>;
  /** The users and companies to seed in the portal's database. */
  readSeed(): Promise<unknown>;
  stop(): Promise<void>;
};

const settingsSchema = z.record(z.string(), z.string());

const START_TIMEOUT_MS = 20_000;
const WATCH_INTERVAL_MS = 1000;
const REQUEST_TIMEOUT_MS = 5000;

/** Starts the process from its main file if needed. Resolves without waiting until it is ready. */
export async function startSandboxProcess(
  mainFile: string,
  settings: StartSettings,
  environment: NodeJS.ProcessEnv,
  logger: Logger,
): Promise<SandboxProcess> {
  let child: ChildProcess | undefined;
  let isStopping = false;
  let startError: AppError | undefined;
  let endedAt = 0;
  const isResponding = (): Promise<boolean> => isOurSandboxResponding(settings);

  const spawnChild = (): void => {
    // Send its output to stderr, because stdout must contain nothing but the line that announces that the portal is ready.
    const sandboxProcess = spawn(process.execPath, [mainFile], {
      env: { ...environment, ...createSandboxEnvironment(settings) },
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    child = sandboxProcess;
    sandboxProcess.once('error', (error) => logger.error({ err: error }, 'sandbox: failed to start'));
    sandboxProcess.once('exit', (code, killedBy) => {
      if (child === sandboxProcess) child = undefined;
      if (isStopping) return;
      endedAt = Date.now();
      startError = new AppError(
        'upstream',
        'sandbox.ended',
        `The sandbox stopped (${killedBy ?? `exit code ${code}`}). Its own messages are above.`,
      );
      logger.error({ code, killedBy }, 'sandbox: the process ended');
    });
  };

  if (!(await isListening(settings.sandbox.port))) spawnChild();
  // If its portal was just killed, a sandbox still responds for a moment, so check twice.
  const settled = child ? Promise.resolve() : pause(200).then(async () => void ((await isResponding()) || child || spawnChild()));
  const watch = settled.then(async () => {
    while (!isStopping) {
      await pause(WATCH_INTERVAL_MS, undefined, { ref: false });
      if (!isStopping && !child && !(await isResponding())) spawnChild();
    }
  });
  watch.catch((error: unknown) => logger.error({ err: error }, 'sandbox: stopped watching the process'));

  return {
    isAnswering: isResponding,
    waitUntilResponding: async (signal) => {
      await settled;
      const deadline = Date.now() + START_TIMEOUT_MS;
      while (!(await isResponding())) {
        signal.throwIfAborted();
        // Another portal's sandbox may be using the folder and be about to respond.
        if (startError && Date.now() > endedAt + 2000) throw startError;
        if (Date.now() > deadline)
          throw new AppError('upstream', 'sandbox.silent', `The sandbox isn’t responding at ${settings.sandbox.url}.`);
        await pause(30);
      }
    },
    readSettings: async () => settingsSchema.parse(await getJson(`${settings.sandbox.url}/control/settings`)),
    readSeed: () => getJson(`${settings.sandbox.url}/control/seed`),
    stop: async () => {
      isStopping = true;
      if (child) await endProcess(child);
    },
  };
}

function createSandboxEnvironment(settings: StartSettings): Record<string, string> {
  const { port, smtpPort, dataDir } = settings.sandbox;
  return {
    HOST: 'localhost',
    SANDBOX_PORT: String(port),
    SANDBOX_SMTP_PORT: String(smtpPort),
    SANDBOX_DATA_DIR: dataDir,
    PORTAL_URL: settings.publicUrl,
  };
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  if (response.ok) return response.json();
  throw new AppError(
    'upstream',
    'sandbox.refused',
    `The sandbox returned ${response.status} at ${url}. Restart it: it may be an older version.`,
  );
}

/** Throws if the sandbox uses another folder, because its clock and data are different. */
async function isOurSandboxResponding({ sandbox }: StartSettings): Promise<boolean> {
  const response = await fetch(`${sandbox.url}/healthz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  if (!response?.ok) return false;
  const health: unknown = await response.json().catch(() => undefined);
  const dataDir = typeof health === 'object' && health !== null && 'data_dir' in health ? health.data_dir : sandbox.dataDir;
  if (dataDir === sandbox.dataDir) return true;
  const message = `A sandbox for another folder (${String(dataDir)}) is running on SANDBOX_PORT ${sandbox.port}. Stop it, or set SANDBOX_PORT to a free port.`;
  throw new AppError('conflict', 'sandbox.foreign', message);
}

/** While everything else is starting, a port check is cheaper than an HTTP request. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}

/** The child stops when its channel is closed. It leaves signals to this process. */
async function endProcess(child: ChildProcess): Promise<void> {
  const exitPromise = new Promise((resolve) => child.once('exit', resolve));
  if (child.connected) child.disconnect();
  const isInTime = await Promise.race([exitPromise.then(() => true), pause(3000, false, { ref: false })]);
  if (!isInTime) child.kill('SIGKILL');
}
