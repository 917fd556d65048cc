import { describe, expect, it } from 'vitest';
import { type Pence, pence, type WholePounds } from '../money.ts';
import { addToBoxes, explainAdjustment, type SummedBoxes, toErrorCorrection } from './return-adjustments.ts';
import type { SummedBox } from './treatment-table.ts';

const toWholePounds = (amount: number) => amount as WholePounds;
const BOXES: SummedBoxes = {
  box1: pence(280_895),
  box2: pence(0),
  box4: pence(100),
  box6: toWholePounds(14_000),
  box7: toWholePounds(5),
  box8: toWholePounds(0),
  box9: toWholePounds(0),
};
const createAmount = (box: SummedBox, value: number) => ({ box, amount: pence(value) });

describe('adjustments of a return', () => {
  it('add to their boxes to the penny and leave the others', () => {
    expect(addToBoxes(BOXES, [createAmount(1, 1), createAmount(1, -34_589), createAmount(6, -100_000)])).toEqual({
      ...BOXES,
      box1: 246_307,
      box6: 13_000,
    });
    expect(() => addToBoxes(BOXES, [createAmount(7, 150)])).toThrow(RangeError);
  });

  it.each([
    [createAmount(1, 0), 'other than zero'],
    [createAmount(6, 150), 'whole pounds'],
    [createAmount(9, -99), 'whole pounds'],
    [createAmount(4, 999_999_999_999_900), 'larger than HMRC accepts'],
    [createAmount(8, 999_999_999_999_900), undefined],
    [createAmount(2, -1), undefined],
  ])('%j: %s', (entry, reason) => {
    const explanation = explainAdjustment(entry, (entry.box === 4 ? 100 : 0) as Pence);
    if (reason === undefined) expect(explanation).toBeUndefined();
    else expect(explanation).toContain(reason);
  });

  // GOV.UK: "add the net value to box 1 for tax due to HMRC, or to box 4 for tax due to you".
  it.each([
    [1_234, createAmount(1, 1_234)],
    [-1_234, createAmount(4, 1_234)],
    [0, undefined],
  ])('put a net error of %i pence into %j', (net, expected) => {
    expect(toErrorCorrection(pence(net))).toEqual(expected);
  });
});
