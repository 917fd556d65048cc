/** Compares a return as HMRC holds it with the books of today. */
import { type Pence, pence } from '../money.ts';
import type { NineBoxes } from './nine-boxes.ts';

/** The numbers of the boxes, as they are printed on the return. */
const BOX_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export type BoxNumber = (typeof BOX_NUMBERS)[number];

/** One box that differs, in pence. `difference` is what the return has more than the books. */
export type BoxDifference = { readonly box: BoxNumber; readonly filed: Pence; readonly books: Pence; readonly difference: Pence };

/**
 * The boxes that differ, in the order of the return. Box 5 counts with its direction: a refund is less than a payment, so that one of each
 * never looks equal.
 */
export function listBoxDifferences(filed: NineBoxes, books: NineBoxes): BoxDifference[] {
  return BOX_NUMBERS.flatMap((box) => {
    const [filedAmount, booksAmount] = [toPence(filed, box), toPence(books, box)];
    return filedAmount === booksAmount
      ? []
      : [{ box, filed: filedAmount, books: booksAmount, difference: pence(filedAmount - booksAmount) }];
  });
}

function toPence(boxes: NineBoxes, box: BoxNumber): Pence {
  if (box === 5) return pence(boxes.box3 - boxes.box4);
  return box >= 6 ? pence(boxes[`box${box}`] * 100) : pence(boxes[`box${box}`]);
}
