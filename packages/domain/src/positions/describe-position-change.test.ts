import { describe, expect, it } from 'vitest';
import { pence, ZERO } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { describePositionChange, hasPositionChanged, type PositionFigures } from './describe-position-change.ts';

const FIGURES: PositionFigures = {
  isKnown: true,
  owed: ZERO,
  overdue: ZERO,
  refund: ZERO,
  overdueReturns: 0,
  penalty: ZERO,
  penaltyPoints: 0,
  nextDueOn: plainDate('2026-12-07'),
  nextDueWhat: 'return',
};
const describeChange = (before: Partial<PositionFigures>, after: Partial<PositionFigures>) =>
  describePositionChange({ ...FIGURES, ...before }, { ...FIGURES, ...after }).map(({ text }) => text);

describe('a change of a position', () => {
  it('names every figure with its earlier value, in pounds and pence', () => {
    expect(describeChange({ owed: pence(100) }, { owed: pence(123_456), overdue: pence(50) })).toEqual([
      'Overdue: £0.50 (was £0.00)',
      'Owed: £1,234.56 (was £1.00)',
    ]);
    expect(describeChange({}, { refund: pence(999), overdueReturns: 1, penaltyPoints: 1 })).toEqual([
      'Refund due: £9.99 (was £0.00)',
      'Overdue returns: 1 (was 0)',
      'Penalty points: 1 (was 0)',
    ]);
    expect(describeChange({ overdueUpdates: 1 }, { overdueUpdates: 2 })).toEqual(['Overdue quarterly updates: 2 (was 1)']);
    expect(describeChange({}, { nextDueOn: plainDate('2027-03-07') })).toEqual(['Next return: 7 March 2027']);
  });

  it('is kept even if it isn’t described, so that the next one starts from the current figures', () => {
    expect(hasPositionChanged(FIGURES, { ...FIGURES, nextDueOn: null, nextDueWhat: null })).toBe(true);
    expect(hasPositionChanged(FIGURES, { ...FIGURES, overdueUpdates: 1 })).toBe(true);
    expect(hasPositionChanged(FIGURES, FIGURES)).toBe(false);
    const unknownFigures = { ...FIGURES, isKnown: false };
    expect(hasPositionChanged(unknownFigures, { ...unknownFigures, nextDueOn: null })).toBe(false);
  });

  it('never shows unknown figures as nil', () => {
    expect(describeChange({ isKnown: false }, { owed: pence(500), overdue: pence(200) })).toEqual([
      'First figures: £2.00 overdue, £5.00 owed',
    ]);
    expect(describeChange({ isKnown: false }, { isKnown: false, owed: pence(500) })).toEqual([]);
  });

  it('is nothing when the figures are the same', () => {
    expect(describeChange({}, {})).toEqual([]);
  });
});
