/** The types and guarantees of jobs. job-kinds.ts lists the kinds. */
import type { Db } from '@portal/db/database.ts';

/** The payload of each kind: plain JSON with IDs rather than copies of rows. */
export type Payloads = Readonly<Record<string, object>>;

export type JobRule = {
  /** How often a failed job is retried before it is stored as failed, for an operator to handle. */
  readonly retryLimit: number;
  /** The first delay. Each further delay is twice as long, up to `retryMaxSeconds`. */
  readonly retrySeconds: number;
  readonly retryMaxSeconds: number;
  /** A run that takes longer is aborted and retried. */
  readonly expireSeconds: number;
  /** Has separate workers, so that imports and refreshes can't delay it. For short jobs only. */
  readonly isUrgent?: boolean;
  /**
   * Periodic: runs once in this many seconds across all instances, never concurrently. A failed run isn't retried before the next one is
   * due.
   */
  readonly every?: number;
};

export type JobTable<P extends Payloads> = { readonly [Kind in keyof P]: JobRule };

const defaultRule: JobRule = { retryLimit: 12, retrySeconds: 2, retryMaxSeconds: 900, expireSeconds: 120 };

/** Defines every kind with its rule. By default, a job is tried a dozen times over an hour and a half. */
export function defineJobs<P extends Payloads>(rules: { readonly [Kind in keyof P]: Partial<JobRule> }): JobTable<P> {
  const entries = Object.entries<Partial<JobRule>>(rules).map(([kind, rule]) => [kind, { ...defaultRule, ...rule }]);
  return Object.fromEntries(entries) as JobTable<P>;
}

export type EnqueueOptions = {
  /** A new UUID, if something in the payload is bound to it. By default, one is generated. */
  readonly id?: string;
  /**
   * Jobs with the same key never run concurrently. Enqueueing one while another is queued adds nothing, and the earlier of the two times
   * applies. So the key must identify the whole payload, for example "payout.submit:ID".
   */
  readonly singletonKey?: string;
  /** A delay in real time. For business deadlines, use periodic kinds, which follow the product's clock. */
  readonly delaySeconds?: number;
  /**
   * Replaces a job with this key that was parked because its process died or hung too often. Use it when a user starts the work again.
   * Without it nothing is enqueued until the parked job is an hour old, so that a sweep does not restart a job that crashes the server.
   */
  readonly shouldReplaceParked?: boolean;
};

/** Joins the caller's transaction: the job exists only if the transaction commits, and then starts immediately. */
export type EnqueueFunction<P extends Payloads> = <Kind extends keyof P & string>(
  db: Db,
  kind: Kind,
  payload: P[Kind],
  options?: EnqueueOptions,
) => Promise<void>;

export type JobRun = {
  readonly id: string;
  /** The ID with which the job was enqueued, if an operator has retried it since and it has a new one. */
  readonly retryOf?: string;
  /** The number of this attempt, starting at 1. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /**
   * The number of earlier runs that were lost with their process. After a lost run, work that can continue in a new job should do so soon,
   * because the count of a new job starts at 0.
   */
  readonly lostRuns: number;
  /** Aborted when the process is stopping or the job has been given to another instance. */
  readonly signal: AbortSignal;
};

/** A handler may run twice for one job (a process can die after the work but before its result is stored), so it must be idempotent. */
export type JobHandlers<P extends Payloads> = { readonly [Kind in keyof P]: (payload: P[Kind], run: JobRun) => Promise<void> };

/** Called once for a parked job, so that users don't see its work as "in progress" forever. */
export type ParkedHandlers<P extends Payloads> = {
  readonly [Kind in keyof P]?: (payload: P[Kind], run: Pick<JobRun, 'id' | 'retryOf'>) => Promise<void>;
};

export type FailedJob = {
  readonly id: string;
  readonly kind: string;
  readonly payload: object;
  readonly failedAt: Date;
  readonly reason: string;
};
