/** Seeded random choices, so that a run can be repeated. */

export type RandomSource = () => number;

/** Returns a seeded source of random numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedState = Math.imul(state ^ (state >>> 15), state | 1);
    mixedState ^= mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61);
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<Item>(random: RandomSource, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('there is nothing to choose from');
  return item;
}

/** Picks by weight; a heavier item is chosen more often. */
export function pickWeighted<Item extends { readonly weight: number }>(random: RandomSource, items: readonly Item[]): Item {
  let remainingWeight = random() * items.reduce((sum, { weight }) => sum + weight, 0);
  for (const item of items) {
    remainingWeight -= item.weight;
    if (remainingWeight < 0) return item;
  }
  return pick(random, items);
}
