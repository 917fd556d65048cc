import { describe, expect, it } from 'vitest';
import { type Pence, pence } from '../money.ts';
import { listBoxDifferences } from './compare-boxes.ts';
import { type BoxSums, computeNineBoxes } from './nine-boxes.ts';

const createBoxes = (sums: Partial<BoxSums>) => {
  const zero: Pence = pence(0);
  return computeNineBoxes({ 1: zero, 2: zero, 4: zero, 6: zero, 7: zero, 8: zero, 9: zero, ...sums }).boxes;
};

describe('a return compared with the books', () => {
  it('lists the boxes that differ, to the penny', () => {
    const filedBoxes = createBoxes({ 1: pence(315_483), 4: pence(50_000), 6: pence(1_577_400) });
    const books = createBoxes({ 1: pence(280_895), 4: pence(50_000), 6: pence(1_404_475) });
    expect(listBoxDifferences(filedBoxes, books)).toEqual([
      { box: 1, filed: 315_483, books: 280_895, difference: 34_588 },
      { box: 3, filed: 315_483, books: 280_895, difference: 34_588 },
      { box: 5, filed: 265_483, books: 230_895, difference: 34_588 },
      { box: 6, filed: 1_577_400, books: 1_404_500, difference: 172_900 },
    ]);
  });

  it('does not take a refund for a payment of the same amount', () => {
    const foundDifferences = listBoxDifferences(createBoxes({ 4: pence(1_000) }), createBoxes({ 1: pence(1_000) }));
    expect(foundDifferences.find(({ box }) => box === 5)).toEqual({ box: 5, filed: -1_000, books: 1_000, difference: -2_000 });
  });

  it('is empty when nothing differs', () => {
    expect(listBoxDifferences(createBoxes({ 1: pence(1) }), createBoxes({ 1: pence(1) }))).toEqual([]);
  });
});
