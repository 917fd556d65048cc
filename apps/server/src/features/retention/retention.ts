import type { AppDeps } from '../../app-deps.ts';

export type Retention = {
  readonly data: string;
  readonly tables: readonly string[];
  readonly reason: string;
  readonly kept: string;
  /** Deletes older rows. Absent where closing the account deletes them, where another entry's purge does, or where nothing is deleted. */
  readonly purge?: (deps: AppDeps) => Promise<void>;
};
