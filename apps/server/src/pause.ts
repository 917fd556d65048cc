import { setTimeout } from 'node:timers/promises';

/** Waits so long by the computer's own time; an abort ends the wait early. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export const realPause: Pause = async (ms, signal) => {
  await setTimeout(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
};
