/** Kills the portal during one trader's run: at a named step, or at random moments. */
import { setTimeout as pause } from 'node:timers/promises';
import { collectFindings, listViolations, readPostedPence, type Findings } from './findings.ts';
import { readKillPoints, type KillPoint } from './kill-plan.ts';
import { runToSettlement, type TraderRun, type TraderRunOptions } from './run-to-settlement.ts';
import type { RandomSource } from './random.ts';
import type { FilingTestBed } from './filing-test-bed.ts';

export type Outcome = {
  readonly findings: Findings;
  readonly traderRun: TraderRun;
  readonly killCount: number;
  readonly violations: readonly string[];
};

/** Returns the points that a run without kills passes, in order. */
export async function recordKillPoints(testBed: FilingTestBed, limitMs: number): Promise<{ points: KillPoint[]; outcome: Outcome }> {
  const outcome = await runSaleWithKills(testBed, { limitMs, shouldRepeatKeys: false }, () => testBed.setKillPlan({}));
  await waitForPendingWork(testBed);
  return { points: readKillPoints(testBed.readTrace()), outcome };
}

/** The portal finishes webhooks and jobs for a moment after the trader sees the advance as settled. */
const PENDING_WORK_MS = 1_500;

async function waitForPendingWork(testBed: FilingTestBed): Promise<void> {
  for (let waited = 0; waited < PENDING_WORK_MS && testBed.isAlive(); waited += 50) await pause(50);
}

/** Runs one new trader and kills the portal at the point. `killCount` is 0 if the run never reached the point. */
export async function killAt(testBed: FilingTestBed, point: KillPoint, options: TraderRunOptions): Promise<Outcome> {
  return runSaleWithKills(testBed, options, () => testBed.setKillPlan({ killAt: point }), waitForPendingWork);
}

const MAX_KILLS = 3;
/** The first kill happens during the trader's run. The others happen after a restart, sometimes during it. */
const MAX_FIRST_WAIT_MS = 1_200;
const MAX_NEXT_WAIT_MS = 5_000;

/** Runs one new trader who sends every click twice, while the portal is killed one to three times, sometimes while starting. */
export async function killAtRandom(testBed: FilingTestBed, random: RandomSource, limitMs: number): Promise<Outcome> {
  const kills = 1 + Math.floor(random() * MAX_KILLS);
  const waits = Array.from({ length: kills }, (_, index) => random() * (index === 0 ? MAX_FIRST_WAIT_MS : MAX_NEXT_WAIT_MS));
  const finished = new AbortController();
  let killing: Promise<void> = Promise.resolve();
  const options = { limitMs, shouldRepeatKeys: random() < 0.5, clicks: 2 };
  const begin = async (): Promise<void> => {
    killing = killAfter(testBed, waits, finished.signal);
  };
  return runSaleWithKills(testBed, options, begin, async () => {
    finished.abort();
    await killing;
  });
}

async function killAfter(testBed: FilingTestBed, waitsMs: readonly number[], finished: AbortSignal): Promise<void> {
  for (const waitMs of waitsMs) {
    await pause(waitMs, undefined, { signal: finished }).catch(() => undefined);
    if (finished.aborted) return;
    await testBed.kill();
  }
}

async function runSaleWithKills(
  testBed: FilingTestBed,
  options: TraderRunOptions,
  begin: () => Promise<void>,
  end: (testBed: FilingTestBed) => Promise<void> = async () => undefined,
): Promise<Outcome> {
  await testBed.revive();
  const trader = await testBed.createTrader();
  const postedBefore = await readPostedPence(testBed);
  const killsBefore = testBed.countKills();
  await begin();
  const traderRun = await runToSettlement(testBed, trader, options);
  await end(testBed);
  await testBed.revive();
  const findings = await collectFindings(testBed, trader, postedBefore);
  return { findings, traderRun, killCount: testBed.countKills() - killsBefore, violations: listViolations(findings, traderRun) };
}
