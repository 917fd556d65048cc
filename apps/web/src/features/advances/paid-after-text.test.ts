import { describe, expect, it } from 'vitest';
import { describePaidAfter } from './paid-after-text.ts';

describe('the time from acceptance to payout', () => {
  it.each([
    [0, 'within an hour of you accepting'],
    [0.9, 'within an hour of you accepting'],
    [1, 'about an hour after you accepted'],
    [1.4, 'about an hour after you accepted'],
    [1.5, '2 hours after you accepted'],
    [23.4, '23 hours after you accepted'],
  ])('%d hours: "%s"', (hours, text) => {
    expect(describePaidAfter(hours)).toBe(text);
  });
});
