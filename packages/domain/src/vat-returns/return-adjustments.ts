/** Changes that a user makes to a return's boxes before filing, each with a reason. */
import { formatPounds, type Pence, pence, type WholePounds } from '../money.ts';
import { BOX_LIMITS } from '../uk-tax/vat/nine-boxes.ts';
import type { SummedBox } from './treatment-table.ts';

/** Adds `amount` (pence; whole pounds in boxes 6 to 9; may be negative) to a box. */
export type BoxAmount = { readonly box: SummedBox; readonly amount: Pence };

/** The boxes that rows add to: pence in boxes 1, 2 and 4, whole pounds in 6 to 9. */
export type SummedBoxes = {
  readonly box1: Pence;
  readonly box2: Pence;
  readonly box4: Pence;
  readonly box6: WholePounds;
  readonly box7: WholePounds;
  readonly box8: WholePounds;
  readonly box9: WholePounds;
};

/** Adds exact amounts to the boxes. Throws a RangeError for pence in boxes 6 to 9. */
export function addToBoxes(boxes: SummedBoxes, amounts: readonly BoxAmount[]): SummedBoxes {
  const sumAdjustments = (box: SummedBox) => amounts.reduce((sum, entry) => sum + (entry.box === box ? entry.amount : 0), 0);
  const adjustPounds = (box: SummedBox, current: WholePounds): WholePounds => {
    const amount = sumAdjustments(box);
    if (amount % 100 !== 0) throw new RangeError(`box ${box} is in whole pounds`);
    return (current + amount / 100) as WholePounds;
  };
  return {
    box1: pence(boxes.box1 + sumAdjustments(1)),
    box2: pence(boxes.box2 + sumAdjustments(2)),
    box4: pence(boxes.box4 + sumAdjustments(4)),
    box6: adjustPounds(6, boxes.box6),
    box7: adjustPounds(7, boxes.box7),
    box8: adjustPounds(8, boxes.box8),
    box9: adjustPounds(9, boxes.box9),
  };
}

/** Explains in a sentence why an amount can't be added to a box; undefined if it can. `current`: the box's current pence. */
export function explainAdjustment({ box, amount }: BoxAmount, current: Pence): string | undefined {
  if (amount === 0) return 'Enter an amount other than zero.';
  if (box >= 6 && amount % 100 !== 0) return `Box ${box} is in whole pounds. Enter the amount without pence.`;
  const limit = box >= 6 ? BOX_LIMITS.boxes6To9Pounds * 100 : BOX_LIMITS.boxes1To4;
  if (Math.abs(current + amount) > limit)
    return `Box ${box} would be larger than HMRC accepts. Enter an amount smaller than ${formatPounds(amount)}.`;
  return undefined;
}

/** Boxes whose amount is included in another box: 8 in 6, and 9 in 7 (VAT Notice 700/12 sections 3.7 and 3.8). */
export const BOX_INCLUDED_IN: Readonly<Partial<Record<SummedBox, SummedBox>>> = { 8: 6, 9: 7 };

/**
 * Returns the adjustment for the net error of earlier returns: box 1 if it is owed to HMRC, box 4 if it is owed to the trader, undefined if
 * nothing is owed. Boxes 6 to 9 contain only the period's own amounts. Source: GOV.UK "Correct errors in your VAT Return".
 */
export function toErrorCorrection(netError: Pence): BoxAmount | undefined {
  if (netError === 0) return undefined;
  return netError > 0 ? { box: 1, amount: netError } : { box: 4, amount: pence(-netError) };
}
