import { expect, it } from 'vitest';
import { mostInOneSecond } from './sync-under-fire.ts';

it('counts the most calls within any one second, even when they cluster', () => {
  expect(mostInOneSecond([])).toBe(0);
  expect(mostInOneSecond([0, 1_000, 2_000])).toBe(1);
  expect(mostInOneSecond([0, 900, 950, 1_500, 1_899, 1_900, 4_000])).toBe(4);
});
