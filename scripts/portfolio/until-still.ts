/** Waits for work whose length nobody knows, as long as it moves. */
import { setTimeout as pause } from 'node:timers/promises';
import { NotReached } from '../smoke/until.ts';

const LOOK_EVERY_MS = 500;
/** Longer than the longest pause of a run: a failed reading is tried again after ten minutes. */
const STILL_LIMIT_MS = 15 * 60_000;

/** Looks until it is done; throws where `progress` has stood still for long. */
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
