/** Checks whether this instance is ready for requests, with the status of each dependency. */
import type { Database } from '@portal/db/database.ts';

export type HealthParts = {
  readonly database: Database;
  readonly jobs: { isRunning(): boolean };
  /** Undefined if every provider is real. */
  readonly sandbox: { isAnswering(): Promise<boolean> } | undefined;
  readonly isDraining: () => boolean;
};

/** Returns the status of each part by name. The instance is ready if all are true. */
export async function checkReady({ database, jobs, sandbox, isDraining }: HealthParts): Promise<Record<string, boolean>> {
  const [isDatabaseUp, isSandboxUp] = await Promise.all([respondsInTime(database), sandbox?.isAnswering().catch(() => false)]);
  return {
    database: isDatabaseUp,
    jobs: jobs.isRunning(),
    ...(isSandboxUp === undefined ? {} : { sandbox: isSandboxUp }),
    serving: !isDraining(),
  };
}

async function respondsInTime(database: Database): Promise<boolean> {
  const isUp = database.ping().then(
    () => true,
    () => false,
  );
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, 2000, false).unref());
  return Promise.race([isUp, timeout]);
}
