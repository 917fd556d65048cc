import type { FiledBoxes } from '@portal/db/schema/schema.ts';
import type { Pence, WholePounds } from '@portal/domain/money.ts';
import { computeBoxes3And5 } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import { addToBoxes, type BoxAmount } from '@portal/domain/vat-returns/return-adjustments.ts';

export type SummedColumns = {
  box1Pence: Pence;
  box2Pence: Pence;
  box4Pence: Pence;
  box6Pounds: WholePounds;
  box7Pounds: WholePounds;
  box8Pounds: WholePounds;
  box9Pounds: WholePounds;
};

/** Returns the nine boxes. Boxes 3 and 5 are always computed, never stored. */
export function toNineBoxes(row: SummedColumns): FiledBoxes {
  const { box3, box5, direction } = computeBoxes3And5({ box1: row.box1Pence, box2: row.box2Pence, box4: row.box4Pence });
  return {
    box1_pence: row.box1Pence,
    box2_pence: row.box2Pence,
    box3_pence: box3,
    box4_pence: row.box4Pence,
    box5_pence: box5,
    box6_pounds: row.box6Pounds,
    box7_pounds: row.box7Pounds,
    box8_pounds: row.box8Pounds,
    box9_pounds: row.box9Pounds,
    direction,
  };
}

/** Returns the nine boxes with the manual adjustments added. */
export function toAdjustedBoxes(row: SummedColumns, adjustments: readonly BoxAmount[]): FiledBoxes {
  if (adjustments.length === 0) return toNineBoxes(row);
  const { box1, box2, box4, box6, box7, box8, box9 } = addToBoxes(
    {
      box1: row.box1Pence,
      box2: row.box2Pence,
      box4: row.box4Pence,
      box6: row.box6Pounds,
      box7: row.box7Pounds,
      box8: row.box8Pounds,
      box9: row.box9Pounds,
    },
    adjustments,
  );
  return toNineBoxes({
    box1Pence: box1,
    box2Pence: box2,
    box4Pence: box4,
    box6Pounds: box6,
    box7Pounds: box7,
    box8Pounds: box8,
    box9Pounds: box9,
  });
}

/** Maps stored boxes to the domain's names. */
export function toDomainBoxes(boxes: FiledBoxes) {
  return {
    box1: boxes.box1_pence,
    box2: boxes.box2_pence,
    box3: boxes.box3_pence,
    box4: boxes.box4_pence,
    box5: boxes.box5_pence,
    box6: boxes.box6_pounds,
    box7: boxes.box7_pounds,
    box8: boxes.box8_pounds,
    box9: boxes.box9_pounds,
  };
}
