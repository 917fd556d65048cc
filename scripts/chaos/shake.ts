/** Kills the portal during one seller's run: at a named step, or at random moments. */
import { setTimeout as pause } from 'node:timers/promises';
import { inspect, listViolations, readPostedPence, type Findings } from './judge.ts';
import { readKillPoints, type KillPoint } from './kill-plan.ts';
import { liveToSettlement, type Life, type LifeOptions } from './live.ts';
import type { World } from './world.ts';

export type Outcome = {
  readonly findings: Findings;
  readonly life: Life;
  readonly deaths: number;
  readonly violations: readonly string[];
};

/** The points that a run without kills passes, in order. */
export async function recordKillPoints(world: World, limitMs: number): Promise<{ points: KillPoint[]; outcome: Outcome }> {
  const outcome = await shakeOnce(world, { limitMs, repeatsKeys: false }, () => world.arm({}));
  await waitForTheRest(world);
  return { points: readKillPoints(world.readTrace()), outcome };
}

/** The portal still finishes webhooks and jobs for a moment after the seller sees the advance as settled. */
const REST_MS = 1_500;

async function waitForTheRest(world: World): Promise<void> {
  for (let waited = 0; waited < REST_MS && world.isAlive(); waited += 50) await pause(50);
}

/** Runs one new seller and kills the portal at the point. `deaths` is 0 if the run never reached the point. */
export async function killAt(world: World, point: KillPoint, options: LifeOptions): Promise<Outcome> {
  return shakeOnce(world, options, () => world.arm({ killAt: point }), waitForTheRest);
}

export type Chance = () => number;

/** Seeded random numbers from 0 to 1 (mulberry32). */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const MOST_KILLS = 3;
/** The first kill happens during the seller's run. The others happen after a restart, sometimes during it. */
const FIRST_WITHIN_MS = 1_200;
const NEXT_WITHIN_MS = 5_000;

/** Runs one new seller who sends every click twice, while the portal is killed one to three times, sometimes while starting. */
export async function killAtRandom(world: World, chance: Chance, limitMs: number): Promise<Outcome> {
  const kills = 1 + Math.floor(chance() * MOST_KILLS);
  const waits = Array.from({ length: kills }, (_, index) => chance() * (index === 0 ? FIRST_WITHIN_MS : NEXT_WITHIN_MS));
  const over = new AbortController();
  let killing: Promise<void> = Promise.resolve();
  const options = { limitMs, repeatsKeys: chance() < 0.5, clicks: 2 };
  const begin = async (): Promise<void> => {
    killing = killAfter(world, waits, over.signal);
  };
  return shakeOnce(world, options, begin, async () => {
    over.abort();
    await killing;
  });
}

async function killAfter(world: World, waitsMs: readonly number[], over: AbortSignal): Promise<void> {
  for (const waitMs of waitsMs) {
    await pause(waitMs, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    await world.kill();
  }
}

async function shakeOnce(
  world: World,
  options: LifeOptions,
  begin: () => Promise<void>,
  end: (world: World) => Promise<void> = async () => undefined,
): Promise<Outcome> {
  await world.revive();
  const seller = await world.makeSeller();
  const postedBefore = await readPostedPence(world);
  const deathsBefore = world.countDeaths();
  await begin();
  const life = await liveToSettlement(world, seller, options);
  await end(world);
  await world.revive();
  const findings = await inspect(world, seller, postedBefore);
  return { findings, life, deaths: world.countDeaths() - deathsBefore, violations: listViolations(findings, life) };
}
