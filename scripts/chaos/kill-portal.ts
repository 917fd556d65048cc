/** Kills the portal at a named step in one trader's run. */
import { setTimeout as pause } from 'node:timers/promises';
import { collectFindings, listViolations, readPostedPence, type Findings } from './findings.ts';
import type { KillPoint } from './kill-plan.ts';
import { runToSettlement, type TraderRun, type TraderRunOptions } from './run-to-settlement.ts';
import type { FilingTestBed } from './filing-test-bed.ts';

export type Outcome = {
  readonly findings: Findings;
  readonly traderRun: TraderRun;
  readonly killCount: number;
  readonly violations: readonly string[];
};

/** The portal still processes webhooks and jobs for a moment after the trader sees the advance as settled. */
const PENDING_WORK_MS = 1_500;

async function waitForPendingWork(testBed: FilingTestBed): Promise<void> {
  for (let waitedMs = 0; waitedMs < PENDING_WORK_MS && testBed.isAlive(); waitedMs += 50) await pause(50);
}

/** Runs one new trader and kills the portal at the point. `killCount` is 0 if the run never reached it. */
export async function killAt(testBed: FilingTestBed, point: KillPoint, options: TraderRunOptions): Promise<Outcome> {
  await testBed.revive();
  const trader = await testBed.createTrader();
  const postedBefore = await readPostedPence(testBed);
  const killsBefore = testBed.countKills();
  await testBed.setKillPlan({ killAt: point });
  const traderRun = await runToSettlement(testBed, trader, options);
  await waitForPendingWork(testBed);
  await testBed.revive();
  const findings = await collectFindings(testBed, trader, postedBefore);
  return { findings, traderRun, killCount: testBed.countKills() - killsBefore, violations: listViolations(findings, traderRun) };
}
