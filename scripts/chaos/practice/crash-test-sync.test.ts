import { expect, it } from 'vitest';
import { countMaxCallsInOneSecond } from './crash-test-sync.ts';

it('counts the most calls within any one second, even when they cluster', () => {
  expect(countMaxCallsInOneSecond([])).toBe(0);
  expect(countMaxCallsInOneSecond([0, 1_000, 2_000])).toBe(1);
  expect(countMaxCallsInOneSecond([0, 900, 950, 1_500, 1_899, 1_900, 4_000])).toBe(4);
});
