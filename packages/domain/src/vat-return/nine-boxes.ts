/** The nine boxes of a VAT return, computed from the exact sums of its rows. */
import type { Pence, WholePounds } from '../money.ts';
import { pence, toWholePounds } from '../money.ts';
import type { SummedBox } from './treatment-table.ts';

/** The exact pence of the boxes that rows add to. */
export type BoxSums = Readonly<Record<SummedBox, Pence>>;

/** Boxes 1 to 5 in pence, 6 to 9 in whole pounds. Box 5 carries no sign: the direction says who pays. */
export type NineBoxes = {
  readonly box1: Pence;
  readonly box2: Pence;
  readonly box3: Pence;
  readonly box4: Pence;
  readonly box5: Pence;
  readonly box6: WholePounds;
  readonly box7: WholePounds;
  readonly box8: WholePounds;
  readonly box9: WholePounds;
};

/** Who pays: the trader (`payment`, box 3 above box 4), HMRC (`repayment`), or nobody (`nil`). */
export type Direction = 'payment' | 'repayment' | 'nil';

/** Box 3 = 1 + 2, box 5 = |3 - 4| (Notice 700/12). HMRC publishes no rule for the pounds of 6 to 9: the exact sum is rounded once, half away from zero. */
export function computeNineBoxes(sums: BoxSums): NineBoxes {
  const box3 = pence(sums[1] + sums[2]);
  return {
    box1: sums[1],
    box2: sums[2],
    box3,
    box4: sums[4],
    box5: pence(Math.abs(box3 - sums[4])),
    box6: toWholePounds(sums[6], 'half-away'),
    box7: toWholePounds(sums[7], 'half-away'),
    box8: toWholePounds(sums[8], 'half-away'),
    box9: toWholePounds(sums[9], 'half-away'),
  };
}

/** The direction of the money, from boxes 3 and 4. */
export function directionOf(boxes: Pick<NineBoxes, 'box3' | 'box4'>): Direction {
  if (boxes.box3 === boxes.box4) return 'nil';
  return boxes.box3 > boxes.box4 ? 'payment' : 'repayment';
}
