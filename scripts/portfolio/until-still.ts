/** Waits for work of unknown length, as long as it makes progress. */
import { setTimeout as pause } from 'node:timers/promises';
import { NotReached } from '../smoke/until.ts';

const LOOK_EVERY_MS = 500;
/** Longer than any pause of a run: a failed refresh is retried after ten minutes. */
const STILL_LIMIT_MS = 15 * 60_000;

/** Polls until `isDone`; throws when `progress` has not changed for `stallMs`. */
export async function untilStill<Found>(
  look: () => Promise<Found>,
  isDone: (found: Found) => boolean,
  progress: (found: Found) => unknown,
  { everyMs = LOOK_EVERY_MS, stillMs = STILL_LIMIT_MS } = {},
): Promise<Found> {
  let seen: unknown;
  let movedAt = performance.now();
  for (;;) {
    const found = await look();
    if (isDone(found)) return found;
    if (progress(found) !== seen) {
      seen = progress(found);
      movedAt = performance.now();
    } else if (performance.now() - movedAt > stillMs) {
      throw new NotReached(`it stands still at ${String(seen)} since ${Math.round(stillMs / 1000)} s`);
    }
    await pause(everyMs);
  }
}
