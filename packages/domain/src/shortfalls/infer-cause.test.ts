import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { inferCause, sumDebtsCleared } from './infer-cause.ts';

const inferCauseFrom = (original: number, outstanding: number, debtsCleared = 0) =>
  inferCause({
    refund: pence(400_000),
    charge: { original: pence(original), outstanding: pence(outstanding) },
    wasListed: true,
    debtsCleared: pence(debtsCleared),
  });

describe('the cause of a shortfall', () => {
  it.each([
    ['owes the refund in full', -400_000, -400_000, 0, undefined, undefined],
    ['owes more than we bought', -450_000, -450_000, 0, undefined, undefined],
    ['reduced the refund', -300_000, -300_000, 0, 'reduced', 100_000],
    ['reduced the refund and paid it', -300_000, 0, 0, 'reduced', 100_000],
    ['refused the refund', 0, 0, 0, 'reduced', 400_000],
    ['claims VAT instead', 25_000, 25_000, 0, 'charge', 400_000],
    ['used part of it for a debt', -400_000, -310_000, 0, 'set_off', 90_000],
    ['cleared it while a debt fell', -400_000, 0, 90_000, 'set_off', 90_000],
    ['cleared it and no debt fell', -400_000, 0, 0, 'cleared', 0],
  ] as const)('is inferred when HMRC %s', (_case, original, outstanding, debtsCleared, cause, missing) => {
    const inferredCause = inferCauseFrom(original, outstanding, debtsCleared);
    expect(inferredCause?.cause).toBe(cause);
    expect(inferredCause?.missing).toBe(missing);
    if (inferredCause) expect(inferredCause.text).toMatch(/^HMRC’s figures suggest /);
  });

  it('is unknown while HMRC has not shown a charge for the return yet, and investigated once it is no longer listed', () => {
    const figures = { refund: pence(400_000), charge: undefined, debtsCleared: pence(90_000) };
    expect(inferCause({ ...figures, wasListed: false })).toBeUndefined();
    expect(inferCause({ ...figures, wasListed: true })).toMatchObject({
      cause: 'cleared',
      missing: 0,
      text: expect.stringContaining('no longer listed'),
    });
  });

  it('counts a fallen debt as a set-off only beyond what the trader paid', () => {
    const before = [
      { key: 'VAT Return Debit Charge 2026-01', outstanding: pence(90_000) },
      { key: 'VAT Default Interest', outstanding: pence(5_000) },
      { key: 'refund', outstanding: pence(-400_000) },
    ];
    const after = [{ key: 'VAT Default Interest', outstanding: pence(5_000) }];
    expect(sumDebtsCleared(before, after, pence(0))).toBe(90_000);
    expect(sumDebtsCleared(before, after, pence(60_000))).toBe(30_000);
    expect(sumDebtsCleared(before, after, pence(95_000))).toBe(0);
    expect(sumDebtsCleared(after, before, pence(0))).toBe(0);
  });
});
