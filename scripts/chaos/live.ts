/** Takes one seller from filing to settlement, restarting the portal after each kill. */
import { setTimeout as pause } from 'node:timers/promises';
import { PortalRefusal } from '../smoke/caller.ts';
import { createKeys, DeadEnd, goOn } from './go-on.ts';
import type { Seller, World } from './world.ts';

export type Life = {
  readonly settled: boolean;
  /** Why the run did not settle. */
  readonly trouble: string | undefined;
  /** The state seen first after each restart. */
  readonly foundAfterDeath: readonly string[];
  readonly elapsedMs: number;
};

/** On PostgreSQL a restarted portal waits until no other instance can be filing (60 s), and until a dead worker's heartbeat expires. */
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
      // The portal asked to try again, or the page has changed: load it again.
      if (error instanceof PortalRefusal && error.status !== 500) await pause(BETWEEN_LOOKS_MS * 5);
      else if (isConnectionLost(error)) isFirstLook = (await reviveOnceDead(world)) || isFirstLook;
      else return end(`${last}; then ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return end(`not settled in ${limitMs / 1000} s; last seen: ${last}`);
}

/** True when the portal died during a request. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

/** A dying process closes its connections shortly before its exit event arrives. */
export async function reviveOnceDead(world: Pick<World, 'isAlive' | 'revive'>): Promise<boolean> {
  for (let wait = 0; wait < 100 && world.isAlive(); wait += 1) await pause(10);
  if (world.isAlive()) return false;
  await world.revive();
  return true;
}
