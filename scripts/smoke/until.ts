import { setTimeout as pause } from 'node:timers/promises';

/** Why a stage was not reached, in a sentence for the person at the terminal. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}

/** What a person would try again in a moment, because the portal said so. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
}

/** Long enough for a loaded machine, short enough for a person who waits. */
export const STAGE_LIMIT_MS = 30_000;

/** Looks again, soon at first and then more calmly, until there is something to see; `missing` says what never came. */
export async function until<Found>(look: () => Promise<Found | undefined>, missing: string, limitMs = STAGE_LIMIT_MS): Promise<Found> {
  const deadline = performance.now() + limitMs;
  for (let waitMs = 25; ; waitMs = Math.min(waitMs * 1.5, 400)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new NotReached(`${missing} (waited ${Math.round(limitMs / 1000)} s)`);
    await pause(waitMs);
  }
}

const SECOND_MS = 1_000;

/** Presses again after a moment as long as `isPassing` calls the trouble a passing one (HMRC takes three calls a second, and refuses the fourth). */
export async function tryAgain<Result>(press: () => Promise<Result>, isPassing: (error: unknown) => boolean): Promise<Result> {
  const deadline = performance.now() + STAGE_LIMIT_MS - 5 * SECOND_MS;
  for (;;) {
    try {
      return await press();
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
      await pause(SECOND_MS);
    }
  }
}
