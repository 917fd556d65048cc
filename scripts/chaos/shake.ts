/** Kills: at one named step of one seller's life, or at moments that chance chooses. */
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

/** What a seller's life passes when nothing is killed, in its order. */
export async function recordKillPoints(world: World, limitMs: number): Promise<{ points: KillPoint[]; outcome: Outcome }> {
  const outcome = await shakeOnce(world, { limitMs, repeatsKeys: false }, () => world.arm({}));
  await waitForTheRest(world);
  return { points: readKillPoints(world.readTrace()), outcome };
}

/** The portal still works for a moment after the trader sees it settled: the last notes of webhooks and jobs. */
const REST_MS = 1_500;

async function waitForTheRest(world: World): Promise<void> {
  for (let waited = 0; waited < REST_MS && world.isAlive(); waited += 50) await pause(50);
}

/** One new seller whose portal dies at the point. A life that did not pass the point has no deaths. */
export async function killAt(world: World, point: KillPoint, options: LifeOptions): Promise<Outcome> {
  return shakeOnce(world, options, () => world.arm({ killAt: point }), waitForTheRest);
}

export type Chance = () => number;

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
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
/** The first death falls into the seller's life, the others into that of the portal after it, its start included. */
const FIRST_WITHIN_MS = 1_200;
const NEXT_WITHIN_MS = 5_000;

/** One new seller who clicks everything twice, while the portal dies one to three times, also while it starts. */
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
