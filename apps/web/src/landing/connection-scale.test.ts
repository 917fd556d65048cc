import { expect, it } from 'vitest';
import { findStop, getConnections, LAST_STOP } from './connection-scale.ts';

it('goes from 0 to 10,000 connections, and finds each stop again', () => {
  expect([getConnections(0), getConnections(LAST_STOP)]).toEqual([0, 10_000]);
  for (let stop = 0; stop <= LAST_STOP; stop += 1) {
    expect(findStop(getConnections(stop))).toBe(stop);
    if (stop > 0) expect(getConnections(stop)).toBeGreaterThan(getConnections(stop - 1));
  }
});

it('places a typed number at the stop before it', () => {
  expect(getConnections(findStop(51))).toBe(50);
  expect(findStop(100_000)).toBe(LAST_STOP);
});
