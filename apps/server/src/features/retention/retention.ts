import type { AppDeps } from '../../app-deps.ts';

export type Retention = {
  readonly data: string;
  /** Empty for the job queue, whose tables belong to pg-boss. */
  readonly tables: readonly string[];
  readonly reason: string;
  readonly kept: string;
  /** Deletes old rows. Omitted where closing the account or another entry's purge deletes them, or where nothing is deleted. */
  readonly purge?: (deps: AppDeps) => Promise<void>;
};
