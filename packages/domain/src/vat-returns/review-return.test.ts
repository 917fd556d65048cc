import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { pence } from '../money.ts';
import { computeNineBoxes } from './nine-boxes.ts';
import type { NineBoxes } from './nine-boxes.ts';
import { reviewReturn } from './review-return.ts';

function createBoxes(box1: number, box4: number, box6: number, box7: number): NineBoxes {
  const zero = pence(0);
  return computeNineBoxes({
    1: pence(box1 * 100),
    2: zero,
    4: pence(box4 * 100),
    6: pence(box6 * 100),
    7: pence(box7 * 100),
    8: zero,
    9: zero,
  }).boxes;
}

const usualBoxes = createBoxes(10_000, 4_000, 50_000, 25_000);
const earlierReturns = [usualBoxes, createBoxes(11_000, 5_000, 55_000, 26_000), createBoxes(9_000, 3_500, 45_000, 24_000)];
const listCodes = (facts: Partial<Parameters<typeof reviewReturn>[0]>) =>
  reviewReturn({ boxes: usualBoxes, history: earlierReturns, flaggedRows: 0, lateRows: 0, ...facts }).map(({ code }) => code);

describe('the review of a return before filing', () => {
  it('finds nothing in a usual return', () => {
    expect(listCodes({})).toEqual([]);
  });

  it.each([
    ['repeated rows', { flaggedRows: 2 }, ['repeated_rows']],
    ['rows of a filed period', { lateRows: 1 }, ['late_rows']],
    [
      'books of part of the period',
      {
        gap: {
          periodStart: plainDate('2026-04-01'),
          periodEnd: plainDate('2026-06-30'),
          first: plainDate('2026-04-01'),
          last: plainDate('2026-05-12'),
        },
      },
      ['partial_books'],
    ],
    ['a box below zero', { boxes: createBoxes(10_000, -10, 50_000, 25_000) }, ['negative_box4', 'low_box4']],
    ['a nil return after active ones', { boxes: createBoxes(0, 0, 0, 0) }, ['nil_after_active']],
    ['a reclaim above the rate', { boxes: createBoxes(10_000, 5_002, 50_000, 25_000) }, ['reclaim_above_rate']],
    ['a first repayment', { boxes: createBoxes(10_000, 10_001, 50_000, 55_000) }, ['first_repayment', 'high_box4', 'high_box7']],
    ['sales far above the median', { boxes: createBoxes(21_000, 4_000, 101_000, 25_000) }, ['high_box1', 'high_box6']],
    ['sales far below the median', { boxes: createBoxes(4_900, 4_000, 24_000, 25_000) }, ['low_box1', 'low_box6']],
    ['too little history', { history: [usualBoxes] }, ['little_history']],
  ])('reports %s', (_, facts, expected) => {
    expect(listCodes(facts)).toEqual(expected);
  });

  it('shows boxes 1 and 4 to the penny and boxes 6 and 7 in whole pounds, as on the return (VAT Notice 700/12)', () => {
    const history = [createBoxes(4_000, 4_000, 20_000, 25_000), createBoxes(4_000, 4_000, 20_001, 25_000)];
    const sentences = reviewReturn({ boxes: createBoxes(10_000, 4_000, 50_000, -5), history, flaggedRows: 0, lateRows: 0 }).map(
      ({ sentence }) => sentence,
    );
    expect(sentences).toEqual(
      expect.arrayContaining([
        'Box 1 (VAT on sales) is more than twice the usual amount: £10,000.00, compared with a typical £4,000.00 in the last 2 returns.',
        'Box 6 (sales) is more than twice the usual amount: £50,000, compared with a typical £20,000 in the last 2 returns.',
        'Box 7 (purchases) is negative (−£5): credit notes exceed everything else.',
      ]),
    );
  });

  it('ignores small changes', () => {
    const smallBoxes = [createBoxes(10, 4, 50, 25), createBoxes(10, 4, 50, 25)];
    expect(listCodes({ boxes: createBoxes(40, 4, 200, 25), history: smallBoxes })).toEqual([]);
  });

  it('compares with at most eight returns', () => {
    const pastBoxes = Array.from({ length: 8 }, () => createBoxes(100_000, 4_000, 500_000, 25_000));
    expect(listCodes({ history: [...Array.from({ length: 8 }, () => usualBoxes), ...pastBoxes] })).toEqual([]);
  });
});
