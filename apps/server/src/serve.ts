/** The last part of startup, once the database is open: seeds, starts the jobs and listens. Loaded while the database is opening. */
import type { Database } from '@portal/db/database.ts';
import type { Logger } from 'pino';
import { buildApp, WEB_DIST } from './build-app.ts';
import { waitForTokenRefreshes } from './features/hmrc-connection/with-access-token.ts';
import { waitForFilingOutcomes } from './features/vat-returns/store-filing-outcome.ts';
import { receiveReports } from './features/mail-reports/receive-reports.ts';
import { seedSandboxData } from './features/sandbox-seed/seed-sandbox-data.ts';
import { jobHandlers, parkedJobHandlers } from './job-handlers.ts';
import type { JobPayloads } from './jobs/job-kinds.ts';
import type { Jobs } from './jobs/open-jobs.ts';
import { watchProcess, type Metrics } from './observability/metrics.ts';
import { runAsSystem } from './run-as-system.ts';
import type { Settings } from './settings.ts';
import { checkReady } from './start/health.ts';
import { assertKeysOpenDatabase } from './secrets/sealed-values.ts';
import { createDeps } from './start/create-deps.ts';
import { watchStatistics } from './start/watch-statistics.ts';
import { rejectSandboxPeople } from './start/reject-sandbox-people.ts';
import type { SandboxProcess } from './start/sandbox-process.ts';
import type { StopOrder } from './start/stop-in-order.ts';

/**
 * HMRC has 15 seconds to respond to a token refresh, and each refresh token works only once: if the response isn't stored, the connection
 * is lost. The receipt of a filing isn't repeated either.
 */
const HMRC_RESPONSES_TIMEOUT_MS = 30_000;

type OpenedServer = {
  readonly settings: Settings;
  readonly database: Database;
  readonly jobs: Jobs<JobPayloads>;
  readonly sandbox: SandboxProcess | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly stopOrder: StopOrder;
  readonly stopSignal: AbortSignal;
  readonly version: string;
};

/** Returns the portal's URL once it is listening. */
export async function serve({
  settings,
  database,
  jobs,
  sandbox,
  logger,
  metrics,
  stopOrder,
  stopSignal,
  version,
}: OpenedServer): Promise<string> {
  await runAsSystem('start', () => rejectSandboxPeople(database.db, settings));
  const deps = createDeps(settings, { database, enqueue: jobs.enqueue, logger, metrics, version });
  await runAsSystem('start', () => assertKeysOpenDatabase(database.db, deps.tokenCipher, logger));
  watchProcess(metrics, version);
  const app = await buildApp(deps, {
    trustProxy: settings.trustProxy,
    validateOutputs: settings.validateOutputs,
    metricsToken: settings.metricsToken,
    distDir: WEB_DIST,
    checkReady: () => checkReady({ database, jobs, sandbox, isDraining: () => stopSignal.aborted }),
    listFailedJobs: () => jobs.listFailed(1_000),
    retryFailedJob: jobs.retryFailed,
    discardFailedJob: jobs.discardFailed,
  });
  stopOrder.push({
    name: 'requests and jobs',
    stop: async () => {
      // Let active requests finish, but close those that take too long, so that the remaining parts can stop in time.
      const cutOff = setTimeout(() => app.server.closeAllConnections(), 6000);
      // Close keep-alive connections, which otherwise wait for another request.
      const idleTimer = setInterval(() => app.server.closeIdleConnections(), 100);
      await Promise.all([app.close(), jobs.stop(7000)]);
      clearInterval(idleTimer);
      await Promise.all([waitForTokenRefreshes(HMRC_RESPONSES_TIMEOUT_MS), waitForFilingOutcomes(HMRC_RESPONSES_TIMEOUT_MS)]);
      clearTimeout(cutOff);
      deps.mailer.close();
    },
  });
  if (settings.mailReports) {
    const reports = await receiveReports(deps, settings.mailReports);
    stopOrder.push({ name: 'reports about our mail', stop: () => reports.stop() });
  }
  const statistics = watchStatistics(database, logger);
  stopOrder.push({ name: 'statistics', stop: () => statistics.stop() });
  await jobs.start(jobHandlers(deps), parkedJobHandlers(deps));
  // If several instances start at the same time, one seeds and the rest find it already done.
  if (sandbox && settings.sandbox.isComplete) {
    const seed = await sandbox.readSeed();
    await database.runExclusively('sandbox seed', () => runAsSystem('start', () => seedSandboxData(deps, seed)));
  }
  await app.listen({ host: settings.host, port: settings.port });
  return `${settings.publicUrl}/portal`;
}
