import { expect, it } from 'vitest';
import { formatStepPosition } from './step-bar.tsx';

it.each([
  [0, 0, 'Step 1 of 6'],
  [2, 2, 'Step 3 of 6'],
  [1, 4, 'Step 2 of 6, 4 done'],
  [4, 6, 'All 6 steps done'],
])('at step index %i with %i done: %s', (position, doneCount, text) => {
  expect(formatStepPosition(position, doneCount, 6)).toBe(text);
});
