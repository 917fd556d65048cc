import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { compareVat, VAT_FIGURE_PROBLEMS, type VatComparison } from './compare-vat.ts';

const zero = pence(0);
const compare = (facts: Partial<VatComparison>) =>
  compareVat({
    program: 'xero',
    stated: pence(-400_000),
    problem: null,
    boxes: pence(-400_000),
    adjustments: zero,
    corrections: zero,
    lateRows: zero,
    unapproved: zero,
    otherBasisVat: null,
    ...facts,
  });

describe('the software’s own VAT figure', () => {
  it('agrees up to a pound of rounding', () => {
    expect(compare({ stated: pence(-400_100) })).toEqual({
      code: 'vat_agrees',
      severity: 'info',
      sentence: 'Xero’s VAT account agrees with these boxes: £4,001.00 to reclaim.',
    });
    expect(compare({ stated: pence(-400_101) }).code).toBe('vat_differs');
  });

  it('is shown with both amounts and their difference if nothing explains it', () => {
    expect(compare({ program: 'quickbooks', stated: pence(10_000), boxes: pence(-5_000) })).toEqual({
      code: 'vat_differs',
      severity: 'warn',
      sentence:
        'QuickBooks’ VAT control account shows £100.00 to pay, these boxes show £50.00 to reclaim: a difference of £150.00. Check in QuickBooks for journals posted to the VAT control account without a VAT code: they aren’t included in a return.',
    });
  });

  it.each([
    [
      'adjustments',
      { boxes: pence(-390_000), adjustments: pence(10_000) },
      'vat_explained',
      'Your adjustments change the return by £100.00.',
    ],
    [
      'corrections, which an account has on their dates',
      { boxes: pence(-390_000), corrections: pence(10_000) },
      'vat_explained',
      'Corrections to earlier returns',
    ],
    [
      'corrections in FreeAgent, which has them too',
      { program: 'freeagent', boxes: pence(-390_000), corrections: pence(10_000) },
      'vat_differs',
      'manual adjustments',
    ],
    [
      'late rows in FreeAgent',
      { program: 'freeagent', boxes: pence(-410_000), lateRows: pence(10_000) },
      'vat_explained',
      'FreeAgent includes £100.00 from earlier periods',
    ],
    ['late rows, which an account has on their dates', { boxes: pence(-410_000), lateRows: pence(10_000) }, 'vat_differs', ''],
    ['documents that aren’t approved', { boxes: pence(-390_000), unapproved: pence(10_000) }, 'vat_explained', 'aren’t approved in Xero'],
    [
      'the other basis',
      { program: 'freeagent', boxes: pence(-1_000), otherBasisVat: pence(-400_000) },
      'vat_explained',
      'the other VAT accounting',
    ],
    ['a part only', { boxes: pence(-380_000), adjustments: pence(10_000) }, 'vat_differs', '£100.00 remains unexplained'],
    ['two reasons that cancel out', { adjustments: pence(10_000), corrections: pence(-10_000) }, 'vat_agrees', ''],
  ] as const)('is explained by %s', (_reason, facts, code, text) => {
    const { code: foundCode, sentence } = compare(facts);
    expect([foundCode, sentence]).toEqual([code, expect.stringContaining(text)]);
  });

  it.each(VAT_FIGURE_PROBLEMS)('says why it couldn’t be read: %s', (problem) => {
    const { code, sentence } = compare({ stated: null, problem });
    expect([code, sentence]).toEqual([
      'vat_not_compared',
      expect.stringMatching(/^We couldn’t compare these boxes with Xero’s VAT account: .+\.$/),
    ]);
  });
});
