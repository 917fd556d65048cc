import { defineJobs } from '../jobs/job-table.ts';

export type FatalJobs = { fatal: { name: string }; sound: { name: string } };

/** `fatal` is retried a hundred times after ordinary failures, like a payout. */
export const fatalJobs = defineJobs<FatalJobs>({ fatal: { retryLimit: 100, retrySeconds: 1, retryMaxSeconds: 1 }, sound: {} });
