import { setTimeout as pause } from 'node:timers/promises';

/** Thrown if a stage failed; the message is printed in the terminal. */
export class NotReachedError extends Error {
  override readonly name = 'NotReached';
}

/** A temporary failure that is worth retrying. */
export class NotYetError extends Error {
  override readonly name = 'NotYet';
}

/** Long enough for a busy machine, short enough for a waiting user. */
export const STAGE_TIMEOUT_MS = 30_000;

/** Polls with increasing delays until `poll` returns a value. `missing` is the message on timeout. */
export async function waitUntil<Found>(
  poll: () => Promise<Found | undefined>,
  missing: string,
  limitMs = STAGE_TIMEOUT_MS,
): Promise<Found> {
  const deadline = performance.now() + limitMs;
  for (let waitMs = 25; ; waitMs = Math.min(waitMs * 1.5, 400)) {
    const polledValue = await poll();
    if (polledValue !== undefined) return polledValue;
    if (performance.now() > deadline) throw new NotReachedError(`${missing} (waited ${Math.round(limitMs / 1000)} s)`);
    await pause(waitMs);
  }
}

const SECOND_MS = 1_000;

/** Retries as long as `isTemporary` says that the error is temporary, such as HMRC's limit of three calls a second. */
export async function retry<Result>(attempt: () => Promise<Result>, isTemporary: (error: unknown) => boolean): Promise<Result> {
  const deadline = performance.now() + STAGE_TIMEOUT_MS - 5 * SECOND_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTemporary(error) || performance.now() > deadline) throw error;
      await pause(SECOND_MS);
    }
  }
}
