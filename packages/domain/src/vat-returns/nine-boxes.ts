/** The nine boxes of a VAT return, calculated from the exact sums of its rows. */
import type { Pence, WholePounds } from '../money.ts';
import { toWholePounds } from '../money.ts';
import type { VatDirection } from '../uk-tax/vat/nine-boxes.ts';
import { computeBoxes3And5 } from '../uk-tax/vat/nine-boxes.ts';
import type { SummedBox } from './treatment-table.ts';

/** Exact sums, in pence, of the boxes that rows add to. */
export type BoxSums = Readonly<Record<SummedBox, Pence>>;

/** Boxes 1 to 5 in pence, 6 to 9 in whole pounds. Box 5 is never negative: `direction` shows who pays. */
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

/**
 * Calculates the nine boxes. HMRC publishes no rounding rule for the whole pounds in boxes 6 to 9, so each exact sum is rounded once, half
 * away from zero.
 */
export function computeNineBoxes(sums: BoxSums): { boxes: NineBoxes; direction: VatDirection } {
  const summedBoxes = { box1: sums[1], box2: sums[2], box4: sums[4] };
  const { box3, box5, direction } = computeBoxes3And5(summedBoxes);
  const boxes = {
    box1: sums[1],
    box2: sums[2],
    box3,
    box4: sums[4],
    box5,
    box6: toWholePounds(sums[6], 'half-away'),
    box7: toWholePounds(sums[7], 'half-away'),
    box8: toWholePounds(sums[8], 'half-away'),
    box9: toWholePounds(sums[9], 'half-away'),
  };
  return { boxes, direction };
}
