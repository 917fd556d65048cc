/** What a kind of job is, and the promises made to it. The kinds themselves stand in job-kinds.ts. */
import type { Db } from '@portal/db/database.ts';

/** Each kind with what it carries: plain JSON, ids rather than copies of rows. */
export type Payloads = Readonly<Record<string, object>>;

export type JobRule = {
  /** How often a failed job is tried again before it is kept as failed for an operator. */
  readonly retryLimit: number;
  /** The first pause; each further one doubles, up to `retryMaxSeconds`. */
  readonly retrySeconds: number;
  readonly retryMaxSeconds: number;
  /** A run that takes longer is given up and tried again. */
  readonly expireSeconds: number;
  /** Periodic: runs once per so many seconds over all instances, never beside itself; a failed tick is left to the next. */
  readonly every?: number;
};

export type JobTable<P extends Payloads> = { readonly [Kind in keyof P]: JobRule };

const patient: JobRule = { retryLimit: 12, retrySeconds: 2, retryMaxSeconds: 900, expireSeconds: 120 };

/** Names every kind with its rule; what a rule leaves out is patient: a dozen tries over an hour and a half. */
export function defineJobs<P extends Payloads>(rules: { readonly [Kind in keyof P]: Partial<JobRule> }): JobTable<P> {
  const entries = Object.entries<Partial<JobRule>>(rules).map(([kind, rule]) => [kind, { ...patient, ...rule }]);
  return Object.fromEntries(entries) as JobTable<P>;
}

export type EnqueueOptions = {
  /**
   * Jobs of one key never run beside each other, and while one waits a further one is that one (run at the earlier of the two
   * times). A key must therefore say the whole payload, "payout.submit:ID".
   */
  readonly singletonKey?: string;
  /** Not before so many seconds of real time; business deadlines are found by periodic kinds, which ask the product's clock. */
  readonly delaySeconds?: number;
  /**
   * A job of the key that was parked because it kept killing its process makes room for this one: for what a person starts again. Without
   * it the job is not enqueued until the parked one is an hour old, so that a sweep does not bring back what takes the server down.
   */
  readonly replacesParked?: boolean;
};

/** Joins the caller's transaction: the job exists if and only if it commits, and starts at once then. */
export type EnqueueOf<P extends Payloads> = <Kind extends keyof P & string>(
  db: Db,
  kind: Kind,
  payload: P[Kind],
  options?: EnqueueOptions,
) => Promise<void>;

export type JobRun = {
  readonly id: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /** How many earlier runs ended with their process. Work that can hand over to a new job does so soon after one, because that starts from 0. */
  readonly lostRuns: number;
  /** Aborted when the process stops for good or the job was given to another instance. */
  readonly signal: AbortSignal;
};

/** A handler may run twice for one job (a process can die after the work and before the note): it must find its own work done. */
export type JobHandlers<P extends Payloads> = { readonly [Kind in keyof P]: (payload: P[Kind], run: JobRun) => Promise<void> };

/** Called once for a job that is parked, so that what people see does not stay "in progress". */
export type ParkedHandlers<P extends Payloads> = { readonly [Kind in keyof P]?: (payload: P[Kind]) => Promise<void> };

export type FailedJob = {
  readonly id: string;
  readonly kind: string;
  readonly payload: object;
  readonly failedAt: Date;
  readonly reason: string;
};
