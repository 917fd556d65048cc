import { setTimeout as pause } from 'node:timers/promises';

export type TrackedWork = {
  /** Returns the work's own result. */
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits up to this long for the work in progress. */
  wait(maxMs: number): Promise<void>;
};

/** Tracks work that a shutdown must wait for, because a provider doesn't repeat the response that it stores. */
export function createTrackedWork(): TrackedWork {
  const inProgress = new Set<Promise<unknown>>();
  return {
    track: async (work) => {
      inProgress.add(work);
      try {
        return await work;
      } finally {
        inProgress.delete(work);
      }
    },
    wait: async (maxMs) => {
      const controller = new AbortController();
      const timeout = pause(maxMs, undefined, { signal: controller.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled(inProgress), timeout]);
      controller.abort();
    },
  };
}
