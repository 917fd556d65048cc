/** Kills the running portal once, chosen at random: at a step of its work, at a moment in time, or while it restarts. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MortalPortal } from '../mortal-portal.ts';
import type { Chance } from '../shake.ts';

/** Upper limits for the random kill: points passed (before and after each commit, call and job), or milliseconds since it was ready. */
export type Latest = { readonly points: number; readonly ms: number };

/** Typical duration of a start, counted from the spawn. */
const START_MS = 2_000;
const POINT_LIMIT_MS = 3_000;

const SHARE_AT_POINT = 0.5;
const SHARE_AT_MOMENT = 0.4;

export async function killByChance(portal: MortalPortal, chance: Chance, latest: Latest): Promise<void> {
  await portal.revive();
  const way = chance();
  if (way < SHARE_AT_POINT) return killAtPoint(portal, 1 + Math.floor(chance() * latest.points));
  await pause(chance() * latest.ms);
  await portal.kill();
  if (way < SHARE_AT_POINT + SHARE_AT_MOMENT) return;
  const reviving = portal.revive();
  await pause(chance() * START_MS);
  await portal.kill();
  await reviving;
}

/** If the portal finishes its work before it reaches the point, it is killed from outside. */
async function killAtPoint(portal: MortalPortal, point: number): Promise<void> {
  await portal.arm({ killAtPoint: point });
  for (let waited = 0; waited < POINT_LIMIT_MS && portal.isAlive(); waited += 10) await pause(10);
  if (portal.isAlive()) await portal.kill();
}
