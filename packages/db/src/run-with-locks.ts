import { setTimeout as pause } from 'node:timers/promises';
import type { Db, Tx } from './database.ts';
import { sql } from './sql.ts';
import { getSqlState } from './sql-errors.ts';

export type LockOptions = {
  /**
   * The maximum time a change waits for a table's lock. The portal's statements on that table queue behind the change, so after this time
   * it gives up, lets them pass and retries. If undefined, it waits until it has the lock.
   */
  readonly lockTimeoutMs?: number;
  /** How many times a change tries to get its locks. */
  readonly lockAttempts?: number;
  /** Receives a line for each completed action or wait. */
  readonly report?: (line: string) => void;
};

const DEFAULT_LOCK_ATTEMPTS = 30;

/** 55P03 lock_not_available, 40P01 deadlock_detected: another transaction blocked the change, and nothing was changed. */
const LOCK_STATES: readonly (string | undefined)[] = ['55P03', '40P01'];

/** Changes tables in one transaction, retrying until it gets its locks. `name` is reported while the change waits. */
export async function runWithLocks(db: Db, name: string, change: (tx: Tx) => Promise<void>, options: LockOptions): Promise<void> {
  const { lockTimeoutMs, lockAttempts = DEFAULT_LOCK_ATTEMPTS, report } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction(async (tx) => {
        if (lockTimeoutMs !== undefined) await tx.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}`));
        await change(tx);
      });
      return;
    } catch (error) {
      if (!LOCK_STATES.includes(getSqlState(error)) || attempt >= lockAttempts) throw error;
      report?.(`waiting for a lock: ${name} (attempt ${attempt} of ${lockAttempts})`);
      // Gives the statements that waited behind the change as much time as they lost.
      await pause(lockTimeoutMs ?? 0);
    }
  }
}
