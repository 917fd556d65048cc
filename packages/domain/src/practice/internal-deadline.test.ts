import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { getInternalDeadline } from './internal-deadline.ts';

describe('a practice’s internal deadline', () => {
  it.each([
    // 7 December 2026 is a Monday.
    ['goes back over a weekend', 'return', 2, '2026-12-07', '2026-12-03'],
    // Christmas Day is a Friday, and Monday 28 December is the substitute for Boxing Day (gov.uk/bank-holidays).
    ['goes back over bank holidays', 'payment', 1, '2026-12-29', '2026-12-24'],
  ] as const)('%s', (_name, kind, days, due, expected) => {
    expect(getInternalDeadline({ [`vat_${kind}`]: days }, 'vat', kind, plainDate(due))).toBe(expected);
  });

  it('is undefined when the practice set none, for another tax, and for a refund', () => {
    const due = plainDate('2026-12-07');
    expect(getInternalDeadline({}, 'vat', 'return', due)).toBeUndefined();
    expect(getInternalDeadline({ vat_return: 3 }, 'ct', 'return', due)).toBeUndefined();
    expect(getInternalDeadline({ vat_return: 3 }, 'vat', 'refund', due)).toBeUndefined();
  });
});
