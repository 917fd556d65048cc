import type { Database } from '@portal/db/database.ts';
import { refreshStatistics } from '@portal/db/refresh-statistics.ts';
import type { Logger } from 'pino';

/** An import of thousands of clients takes seconds, and what follows it is slow until the planner knows of them. */
const EVERY_MS = 3_000;

/** Keeps the planner's statistics near the truth while the process lives. A look that fails is told and tried again. */
export function watchStatistics(database: Database, logger: Logger): { stop(): Promise<void> } {
  let look: Promise<unknown> = Promise.resolve();
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look = refreshStatistics(database)
      .catch((error: unknown) => logger.warn({ err: error }, 'the planner could not be told of grown tables'))
      .finally(() => (isLooking = false));
  }, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await look;
    },
  };
}
