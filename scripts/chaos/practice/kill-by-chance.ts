/** One death of a living portal: at a step of its work, at a moment, or while it starts again, as chance has it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MortalPortal } from '../mortal-portal.ts';
import type { Chance } from '../shake.ts';

/** The latest death of a life: after so many points (a commit, a call, a job, each before and after), or so long after it was ready. */
export type Latest = { readonly points: number; readonly ms: number };

/** From the spawn: a start takes about so long. */
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

/** Where it passes too few points, because its work is done, it is killed from outside. */
async function killAtPoint(portal: MortalPortal, point: number): Promise<void> {
  await portal.arm({ killAtPoint: point });
  for (let waited = 0; waited < POINT_LIMIT_MS && portal.isAlive(); waited += 10) await pause(10);
  if (portal.isAlive()) await portal.kill();
}
