import { describe, expect, it } from 'vitest';
import { type Pence, pence, type WholePounds } from '../money.ts';
import { addToBoxes, explainAdjustment, type SummedBoxes, toErrorCorrection } from './return-adjustments.ts';
import type { SummedBox } from './treatment-table.ts';

const pounds = (amount: number) => amount as WholePounds;
const BOXES: SummedBoxes = {
  box1: pence(280_895),
  box2: pence(0),
  box4: pence(100),
  box6: pounds(14_000),
  box7: pounds(5),
  box8: pounds(0),
  box9: pounds(0),
};
const amount = (box: SummedBox, value: number) => ({ box, amount: pence(value) });

describe('adjustments of a return', () => {
  it('add to their boxes to the penny and leave the others', () => {
    expect(addToBoxes(BOXES, [amount(1, 1), amount(1, -34_589), amount(6, -100_000)])).toEqual({
      ...BOXES,
      box1: 246_307,
      box6: 13_000,
    });
    expect(() => addToBoxes(BOXES, [amount(7, 150)])).toThrow(RangeError);
  });

  it.each([
    [amount(1, 0), 'other than zero'],
    [amount(6, 150), 'whole pounds'],
    [amount(9, -99), 'whole pounds'],
    [amount(4, 999_999_999_999_900), 'larger than HMRC accepts'],
    [amount(8, 999_999_999_999_900), undefined],
    [amount(2, -1), undefined],
  ])('%j: %s', (entry, reason) => {
    const explained = explainAdjustment(entry, (entry.box === 4 ? 100 : 0) as Pence);
    if (reason === undefined) expect(explained).toBeUndefined();
    else expect(explained).toContain(reason);
  });

  // GOV.UK: "add the net value to box 1 for tax due to HMRC, or to box 4 for tax due to you".
  it.each([
    [1_234, amount(1, 1_234)],
    [-1_234, amount(4, 1_234)],
    [0, undefined],
  ])('put a net error of %i pence into %j', (net, expected) => {
    expect(toErrorCorrection(pence(net))).toEqual(expected);
  });
});
