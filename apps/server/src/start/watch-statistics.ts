import type { Database } from '@portal/db/database.ts';
import { refreshStatistics } from '@portal/db/refresh-statistics.ts';
import type { Logger } from 'pino';

/** Importing thousands of clients takes seconds, and queries are slow afterwards until the planner knows the new sizes. */
const REFRESH_INTERVAL_MS = 3_000;

/** Keeps the planner's statistics up to date while the process is running. Logs and retries a failed refresh. */
export function watchStatistics(database: Database, logger: Logger): { stop(): Promise<void> } {
  let refresh: Promise<unknown> = Promise.resolve();
  let isRefreshing = false;
  const timer = setInterval(() => {
    if (isRefreshing) return;
    isRefreshing = true;
    refresh = refreshStatistics(database)
      .catch((error: unknown) => logger.warn({ err: error }, "failed to refresh the planner's statistics"))
      .finally(() => (isRefreshing = false));
  }, REFRESH_INTERVAL_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await refresh;
    },
  };
}
