import { expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { getAdvanceTerms } from './advance-terms.ts';
import { isMandateRequired } from './mandate-rule.ts';

it.each([
  [50_000_00, false, false],
  [50_000_01, false, true],
  [100_00, true, true],
])('a refund of %d pence with an earlier shortfall (%s) needs a mandate: %s', (refund, hadShortfall, expected) => {
  expect(isMandateRequired({ refund: pence(refund), hadShortfall }, getAdvanceTerms(plainDate('2026-11-10')))).toBe(expected);
});
