/** Kills the running portal once, at random: at a step of its work, at a moment in time, or while it restarts. */
import { setTimeout as pause } from 'node:timers/promises';
import type { KillPlan } from '../kill-plan.ts';
import type { KillablePortal } from '../killable-portal.ts';
import type { RandomSource } from '../random.ts';

/**
 * Upper limits for a random kill: points passed (before and after each commit, call and job), or milliseconds since the portal was ready.
 */
export type KillLimits = { readonly points: number; readonly ms: number };

/** How long a start usually takes, counted from the spawn. */
const TYPICAL_START_MS = 2_000;
const POINT_TIMEOUT_MS = 3_000;

const SHARE_AT_POINT = 0.5;
const SHARE_AT_MOMENT = 0.4;

export async function killRandomly(portal: KillablePortal, random: RandomSource, limits: KillLimits): Promise<void> {
  await portal.revive();
  const choice = random();
  if (choice < SHARE_AT_POINT) return killAtPoint(portal, { killAtPoint: 1 + Math.floor(random() * limits.points) });
  // Records the steps, to identify the last one.
  await portal.setKillPlan({});
  await pause(random() * limits.ms);
  await portal.kill();
  if (choice < SHARE_AT_POINT + SHARE_AT_MOMENT) return;
  const revival = portal.revive();
  await pause(random() * TYPICAL_START_MS);
  await portal.kill();
  await revival;
}

/** Kills the portal from outside if it finishes its work before reaching the point. */
export async function killAtPoint(portal: KillablePortal, plan: KillPlan): Promise<void> {
  await portal.setKillPlan(plan);
  for (let waitedMs = 0; waitedMs < POINT_TIMEOUT_MS && portal.isAlive(); waitedMs += 10) await pause(10);
  if (portal.isAlive()) await portal.kill();
}
