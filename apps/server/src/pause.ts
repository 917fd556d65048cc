import { setTimeout } from 'node:timers/promises';

/** Waits for `ms` of real time. Aborting ends the wait early. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export const pauseWithTimer: Pause = async (ms, signal) => {
  await setTimeout(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
};
