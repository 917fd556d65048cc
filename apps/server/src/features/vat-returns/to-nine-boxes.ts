import type { FiledBoxes } from '@portal/db/schema/schema.ts';
import type { Pence, WholePounds } from '@portal/domain/money.ts';
import { computeBoxes3And5 } from '@portal/domain/uk-tax/vat/nine-boxes.ts';

type SummedColumns = {
  box1Pence: Pence;
  box2Pence: Pence;
  box4Pence: Pence;
  box6Pounds: WholePounds;
  box7Pounds: WholePounds;
  box8Pounds: WholePounds;
  box9Pounds: WholePounds;
};

/** The nine boxes. Boxes 3 and 5 are always computed, never stored. */
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
