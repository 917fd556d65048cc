import { describe, expect, it } from 'vitest';
import { describePayoutFailure } from './payout-failure.ts';

describe('why a payout failed', () => {
  it.each([
    ['scheme_error', 'Faster Payments couldn’t make it'],
    ['unknown', 'the payments provider gave no reason'],
    ['new_code', 'the payments provider gave the reason “new_code”'],
  ])('is in words for the code %s', (code, text) => {
    expect(describePayoutFailure(code)).toBe(text);
  });
});
