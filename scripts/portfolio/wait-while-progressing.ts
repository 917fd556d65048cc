/** Waits for work of unknown length for as long as it makes progress. */
import { setTimeout as pause } from 'node:timers/promises';
import { NotReachedError } from '../smoke/wait-until.ts';

const POLL_MS = 500;
/** Longer than any pause in a run: a failed refresh is retried after ten minutes. */
const STALL_TIMEOUT_MS = 15 * 60_000;

/** Polls until `isDone`; throws if `progress` hasn't changed for `stallMs`. */
export async function waitWhileProgressing<Found>(
  poll: () => Promise<Found>,
  isDone: (found: Found) => boolean,
  progress: (found: Found) => unknown,
  { everyMs: pollMs = POLL_MS, stillMs: stallMs = STALL_TIMEOUT_MS } = {},
): Promise<Found> {
  let lastProgress: unknown;
  let progressedAt = performance.now();
  for (;;) {
    const polledValue = await poll();
    if (isDone(polledValue)) return polledValue;
    if (progress(polledValue) !== lastProgress) {
      lastProgress = progress(polledValue);
      progressedAt = performance.now();
    } else if (performance.now() - progressedAt > stallMs) {
      throw new NotReachedError(`no progress since ${String(lastProgress)} for ${Math.round(stallMs / 1000)} s`);
    }
    await pause(pollMs);
  }
}
