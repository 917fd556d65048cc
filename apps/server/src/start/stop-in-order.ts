import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

export type Step = { readonly name: string; readonly stop: () => Promise<void> };

export type StopOrder = {
  /** Steps run in reverse order: the part opened last stops first. */
  push(step: Step): void;
  run(): Promise<void>;
};

const STOP_TIMEOUT_MS = 9500;

/** Stops every part even if one fails, and gives up before the 10 s after which process managers kill the process. */
export function createStopOrder(logger: Logger): StopOrder {
  const steps: Step[] = [];
  let running: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (const { name, stop } of steps.toReversed()) {
      await stop().catch((error: unknown) => logger.error({ err: error }, `stop: ${name} failed to stop`));
    }
  };
  return {
    push: (step) => void steps.push(step),
    run: () =>
      (running ??= Promise.race([
        runAll(),
        pause(STOP_TIMEOUT_MS, undefined, { ref: false }).then(() => logger.error('stop: gave up waiting')),
      ])),
  };
}
