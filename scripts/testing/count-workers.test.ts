import { expect, it } from 'vitest';
import { countWorkers } from './count-workers.ts';

const GIBIBYTE = 1024 ** 3;

it('runs a file for each core and a few more, as far as the memory lasts', () => {
  expect(countWorkers(2, 2, 16 * GIBIBYTE)).toBe(4);
  expect(countWorkers(1, 4, 16 * GIBIBYTE)).toBe(5);
  expect(countWorkers(2, 64, 256 * GIBIBYTE)).toBe(8);
  expect(countWorkers(2, 8, 8 * GIBIBYTE)).toBe(5);
  expect(countWorkers(0, 1, GIBIBYTE)).toBe(2);
});
