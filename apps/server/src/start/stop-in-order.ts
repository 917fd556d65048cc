import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

export type Step = { readonly name: string; readonly stop: () => Promise<void> };

export type StopOrder = {
  /** What was opened last is stopped first. */
  push(step: Step): void;
  run(): Promise<void>;
};

const limitMs = 9500;

/** Stops every part although one may fail, and gives up in time: whoever asked for the end kills what is still there after 10 s. */
export function createStopOrder(logger: Logger): StopOrder {
  const steps: Step[] = [];
  let running: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (const { name, stop } of steps.toReversed()) {
      await stop().catch((error: unknown) => logger.error({ err: error }, `stop: ${name} did not stop well`));
    }
  };
  return {
    push: (step) => void steps.push(step),
    run: () =>
      (running ??= Promise.race([runAll(), pause(limitMs, undefined, { ref: false }).then(() => logger.error('stop: gave up waiting'))])),
  };
}
