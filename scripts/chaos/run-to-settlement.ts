/** Takes one trader from filing to settlement, restarting the portal after each kill. */
import { setTimeout as pause } from 'node:timers/promises';
import { PortalError } from '../smoke/caller.ts';
import { createKeys, DeadEndError, takeNextStep } from './take-next-step.ts';
import type { FilingTrader, FilingTestBed } from './filing-test-bed.ts';

export type TraderRun = {
  readonly isSettled: boolean;
  /** The reason why the run didn't settle. */
  readonly failureReason: string | undefined;
  /** The first state seen after each restart. */
  readonly statesAfterRestart: readonly string[];
  readonly elapsedMs: number;
};

/**
 * On PostgreSQL, a restarted portal waits until no other instance can be filing (60 s), and until a dead worker's heartbeat expires. On the
 * embedded database, a run takes ten seconds, or more than a minute on a busy machine.
 */
export const RUN_TIMEOUT_MS = 180_000;
const POLL_MS = 40;

export type TraderRunOptions = {
  readonly limitMs: number;
  readonly shouldRepeatKeys: boolean;
  readonly clicks?: number;
  /** The interval between two reads of a page. */ readonly pollMs?: number;
};

export async function runToSettlement(
  testBed: FilingTestBed,
  trader: FilingTrader,
  { limitMs, shouldRepeatKeys, clicks = 1, pollMs = POLL_MS }: TraderRunOptions,
): Promise<TraderRun> {
  const keys = createKeys(shouldRepeatKeys);
  const startedAt = performance.now();
  const statesAfterRestart: string[] = [];
  const toResult = (failureReason?: string): TraderRun => {
    return { isSettled: failureReason === undefined, failureReason, statesAfterRestart, elapsedMs: performance.now() - startedAt };
  };
  let isAfterRestart = false;
  let lastSeen = 'nothing';
  while (performance.now() - startedAt < limitMs) {
    try {
      const { pageState, pressedButton, isSettled } = await takeNextStep(testBed, trader, keys, clicks);
      lastSeen = pressedButton === undefined ? pageState : `${pageState}, pressed ${pressedButton}`;
      if (isAfterRestart) statesAfterRestart.push(pageState);
      isAfterRestart = false;
      if (isSettled) return toResult();
      if (pressedButton === undefined) await pause(pollMs);
    } catch (error) {
      if (error instanceof DeadEndError) return toResult(error.message);
      // Reloads the page, because the portal asked for a retry or the page has changed.
      if (error instanceof PortalError && error.status !== 500) await pause(pollMs * 5);
      else if (isConnectionLost(error)) isAfterRestart = (await reviveAfterExit(testBed)) || isAfterRestart;
      else return toResult(`${lastSeen}; then ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return toResult(`not settled in ${limitMs / 1000} s; last seen: ${lastSeen}`);
}

/** Returns true if the portal died during a request. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

/** A dying process closes its connections shortly before its exit event arrives. */
export async function reviveAfterExit(testBed: Pick<FilingTestBed, 'isAlive' | 'revive'>): Promise<boolean> {
  for (let wait = 0; wait < 100 && testBed.isAlive(); wait += 1) await pause(10);
  if (testBed.isAlive()) return false;
  await testBed.revive();
  return true;
}
