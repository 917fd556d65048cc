/** Repeats work that a database outage interrupted, if it must not stay half done until a timeout ends it. */
import { findDatabaseOutage } from '@portal/db/database-outage.ts';
import type { AppDeps } from './app-deps.ts';

const RETRY_MS = 500;

/**
 * Does the work. If the database is unavailable, throws and repeats the work in the background for up to `forMs`. The work must have no
 * further effect if an earlier attempt succeeded after all.
 */
export async function repeatAfterOutage<Result>(
  deps: Pick<AppDeps, 'pause'>,
  forMs: number,
  work: () => PromiseLike<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (findDatabaseOutage(error) !== undefined) void repeatUntilDone(deps, forMs, work);
    throw error;
  }
}

async function repeatUntilDone({ pause }: Pick<AppDeps, 'pause'>, forMs: number, work: () => PromiseLike<unknown>): Promise<void> {
  for (let waitedMs = 0; waitedMs < forMs; waitedMs += RETRY_MS) {
    await pause(RETRY_MS);
    try {
      await work();
      return;
    } catch (error) {
      if (findDatabaseOutage(error) === undefined) return;
    }
  }
}
