import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

export type StopStep = { readonly name: string; readonly stop: () => Promise<void> };

export type StopOrder = {
  /** Steps run in reverse order: the part that was opened last stops first. */
  push(step: StopStep): void;
  run(): Promise<void>;
};

/**
 * Requests and jobs get 7 s, new tokens and receipts from HMRC that aren't stored yet 30 s. A process manager must wait for longer than this before it kills the process.
 */
const STOP_TIMEOUT_MS = 45_000;

/** Stops every part even if one fails, and gives up after a timeout. If no response from HMRC waits to be stored, stopping takes less than 10 s. */
export function createStopOrder(logger: Logger): StopOrder {
  const steps: StopStep[] = [];
  let stopPromise: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (const { name, stop } of steps.toReversed()) {
      await stop().catch((error: unknown) => logger.error({ err: error }, `stop: ${name} failed to stop`));
    }
  };
  return {
    push: (step) => void steps.push(step),
    run: () =>
      (stopPromise ??= Promise.race([
        runAll(),
        pause(STOP_TIMEOUT_MS, undefined, { ref: false }).then(() => logger.error('stop: gave up waiting')),
      ])),
  };
}
