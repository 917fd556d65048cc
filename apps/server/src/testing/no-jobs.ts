import type { JobOverview } from '../app-deps.ts';

/** For test servers that don't run jobs. */
export const NO_JOBS: JobOverview = {
  listFailedJobs: async () => [],
  retryFailedJob: async () => false,
  discardFailedJob: async () => false,
};
