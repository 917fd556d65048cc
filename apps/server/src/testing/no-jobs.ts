import type { JobOverview } from '../app-deps.ts';

/** For test servers that run no jobs. */
export const NO_JOBS: JobOverview = {
  listFailedJobs: async () => [],
  retryFailedJob: async () => false,
  discardFailedJob: async () => false,
};
