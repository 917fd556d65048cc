import { defineJobs } from '../jobs/job-table.ts';

export type FatalJobs = { fatal: { name: string }; sound: { name: string } };

/** Like a payout, `fatal` is retried a hundred times after ordinary failures. */
export const fatalJobs = defineJobs<FatalJobs>({ fatal: { retryLimit: 100, retrySeconds: 1, retryMaxSeconds: 1 }, sound: {} });
