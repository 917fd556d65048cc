/** The portal's process. The only file that reads the environment, opens the database and listens. */
import { enableCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createLogger, describeError } from './start/create-logger.ts';
import { findAppError } from './start/find-app-error.ts';
import { startSandboxProcess, type SandboxProcess } from './start/sandbox-process.ts';
import { createStopOrder, type StopOrder } from './start/stop-in-order.ts';
import { completeSettings } from './provider-settings.ts';
import { readRelease } from './release.ts';
import { parseSettings, type StartSettings } from './settings.ts';

// Later starts then load compiled code, including most of the modules below.
enableCompileCache();

const release = readRelease();

if (process.argv.includes('--version')) {
  process.stdout.write(`portal ${release.version}${release.commit === undefined ? '' : ` (commit ${release.commit})`}\n`);
  process.exit(0);
}
if (process.argv.includes('--help')) {
  const { explainSettings } = await import('./explain-settings.ts');
  process.stdout.write(explainSettings());
  process.exit(0);
}
const parsed = parseSettings(process.env, release);
if (parsed.ok) await run(parsed.settings);
else exitWithProblems([...parsed.problems, '`npm start -- --help` explains every setting.']);

async function run(settings: StartSettings): Promise<void> {
  const logger = createLogger(settings);
  logger.info({ version: release.version, commit: release.commit }, 'portal: starting');
  const stopOrder = createStopOrder(logger);
  const stopRequest = new AbortController();
  // The handlers are never removed, so a second signal has no effect.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopRequest.abort());
  try {
    const address = await start(settings, logger, stopOrder, stopRequest.signal);
    if (!stopRequest.signal.aborted) process.stdout.write(`ready ${address}\n`);
  } catch (error) {
    await stopOrder.run();
    if (!stopRequest.signal.aborted) exitWithProblems([describeStartFailure(error, settings)]);
  }
  if (!stopRequest.signal.aborted) await new Promise((resolve) => stopRequest.signal.addEventListener('abort', resolve, { once: true }));
  // The proxy sees at /portal/readyz that this portal is stopping, and sends new requests elsewhere.
  await pause(settings.stopDelayMs);
  await stopOrder.run();
  process.exit(0);
}

/** The sandbox's process and the database's thread start first, while this thread loads the server's code. */
async function start(settings: StartSettings, logger: Logger, stopOrder: StopOrder, stopRequest: AbortSignal): Promise<string> {
  const sandbox = await startSandbox(settings, logger);
  // Added first, so stopped last: the sandbox keeps responding until the portal has drained.
  if (sandbox) stopOrder.push({ name: 'sandbox', stop: () => sandbox.stop() });
  const { version } = release;
  if (settings.tracing) {
    const { startTracing } = await import('./start/start-tracing.ts');
    const tracing = startTracing(settings.tracing, { logger, version });
    // Stopped after everything it observes, so that the last spans are sent.
    stopOrder.push({ name: 'tracing', stop: () => tracing.stop() });
  }
  const { openDatabase } = await import('@portal/db/open-database.ts');
  const opening = openDatabase(settings.database, (error) => onDatabaseProblem(error, settings, logger, stopOrder));
  const [database, { migrateDatabase }, { requireMigrated }, { serve }, { openJobs }, { jobTable }, { createMetrics }] = await Promise.all([
    opening,
    import('@portal/db/migrate-database.ts'),
    import('./start/migrate-portal.ts'),
    import('./serve.ts'),
    import('./jobs/open-jobs.ts'),
    import('./jobs/job-kinds.ts'),
    import('./observability/metrics.ts'),
  ]);
  stopOrder.push({ name: 'database', stop: () => database.close() });
  const isShared = database.kind === 'postgres';
  if (isShared) await requireMigrated(database);
  else await migrateDatabase(database);
  const metrics = createMetrics();
  const jobs = await openJobs({ database, table: jobTable, logger, metrics, migratesTables: !isShared });
  await sandbox?.waitUntilResponding(stopRequest);
  stopRequest.throwIfAborted();
  const complete = completeSettings(settings, process.env, (await sandbox?.readSettings()) ?? {});
  return serve({ settings: complete, database, jobs, sandbox, logger, metrics, stopOrder, stopSignal: stopRequest, version });
}

async function startSandbox(settings: StartSettings, logger: Logger): Promise<SandboxProcess | undefined> {
  const { hmrc, truelayer, mail } = settings.sandbox;
  if (!hmrc && !truelayer && !mail) return undefined;
  const { PATH, SystemRoot } = process.env;
  const mainFile = fileURLToPath(new URL('../../sandbox/src/main.ts', import.meta.url));
  return startSandboxProcess(mainFile, settings, { PATH, SystemRoot }, logger);
}

/** The embedded engine can't be reopened in this process, so the process must end. A connection pool reconnects automatically. */
function onDatabaseProblem(error: Error, settings: StartSettings, logger: Logger, stopOrder: StopOrder): void {
  logger.error({ err: error }, 'database: connection lost');
  if (settings.database.kind === 'embedded') void stopOrder.run().then(() => process.exit(1));
}

function describeStartFailure(error: unknown, { port }: StartSettings): string {
  const appError = findAppError(error);
  if (appError) return appError.message;
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') return `Port ${port} is already in use. Stop the other process, or set PORT to a free port.`;
    if (error.code === 'EACCES') return `You don’t have permission to use port ${port}. Set PORT to a number above 1023.`;
    if (error.code === 'ECONNREFUSED') return 'We couldn’t connect to PostgreSQL at DATABASE_URL. Start PostgreSQL, or correct the URL.';
  }
  const { message, stack } = describeError(error);
  return stack ?? message;
}

function exitWithProblems(sentences: readonly string[]): never {
  process.stderr.write(`The portal did not start.\n${sentences.map((sentence) => `  ${sentence}\n`).join('')}`);
  process.exit(1);
}
