/** One seller's way from the filing to the settlement through every death of the portal. */
import { setTimeout as pause } from 'node:timers/promises';
import { PortalRefusal } from '../smoke/caller.ts';
import { createKeys, DeadEnd, goOn } from './go-on.ts';
import type { Seller, World } from './world.ts';

export type Life = {
  readonly settled: boolean;
  /** Why it did not settle. */
  readonly trouble: string | undefined;
  /** What people found at their first look after each death. */
  readonly foundAfterDeath: readonly string[];
  readonly elapsedMs: number;
};

/** On PostgreSQL the portal waits until no instance can be filing any more (60 s), and for a dead worker's heartbeat. */
export const LIFE_LIMIT_MS = { embedded: 60_000, postgres: 180_000 } as const;
const BETWEEN_LOOKS_MS = 40;

export type LifeOptions = { readonly limitMs: number; readonly repeatsKeys: boolean; readonly clicks?: number };

export async function liveToSettlement(world: World, seller: Seller, { limitMs, repeatsKeys, clicks = 1 }: LifeOptions): Promise<Life> {
  const keys = createKeys(repeatsKeys);
  const startedAt = performance.now();
  const foundAfterDeath: string[] = [];
  const end = (trouble?: string): Life => {
    return { settled: trouble === undefined, trouble, foundAfterDeath, elapsedMs: performance.now() - startedAt };
  };
  let isFirstLook = false;
  let last = 'nothing';
  while (performance.now() - startedAt < limitMs) {
    try {
      const { found, pressed, isSettled } = await goOn(world, seller, keys, clicks);
      last = pressed === undefined ? found : `${found}, pressed ${pressed}`;
      if (isFirstLook) foundAfterDeath.push(found);
      isFirstLook = false;
      if (isSettled) return end();
      if (pressed === undefined) await pause(BETWEEN_LOOKS_MS);
    } catch (error) {
      if (error instanceof DeadEnd) return end(error.message);
      // Told to try again, or that the page has moved on: people look again.
      if (error instanceof PortalRefusal && error.status !== 500) await pause(BETWEEN_LOOKS_MS * 5);
      else if (isConnectionLost(error)) isFirstLook = (await reviveOnceDead(world)) || isFirstLook;
      else return end(`${last}; then ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return end(`not settled in ${limitMs / 1000} s; last seen: ${last}`);
}

/** The portal died under a call. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

/** A dying process closes its connections a moment before its parent is told. */
export async function reviveOnceDead(world: Pick<World, 'isAlive' | 'revive'>): Promise<boolean> {
  for (let wait = 0; wait < 100 && world.isAlive(); wait += 1) await pause(10);
  if (world.isAlive()) return false;
  await world.revive();
  return true;
}
