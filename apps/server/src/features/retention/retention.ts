import type { AppDeps } from '../../app-deps.ts';

export type Retention = {
  readonly data: string;
  readonly tables: readonly string[];
  readonly reason: string;
  readonly kept: string;
  /** Deletes what is older. Absent where closing the account deletes it, where another entry's purge does, or where nothing is deleted. */
  readonly purge?: (deps: AppDeps) => Promise<void>;
};
