/** Compares a return in HMRC's records with the current books. */
import { type Pence, pence } from '../money.ts';
import type { NineBoxes } from './nine-boxes.ts';

/** Box numbers, as printed on the return. */
const BOX_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export type BoxNumber = (typeof BOX_NUMBERS)[number];

/** A box that differs, in pence. `difference` is the return's amount less the books' amount. */
export type BoxDifference = { readonly box: BoxNumber; readonly filed: Pence; readonly books: Pence; readonly difference: Pence };

/** Lists the boxes that differ, in return order. Box 5 is compared together with its direction, so a refund never equals a payment. */
export function listBoxDifferences(filedBoxes: NineBoxes, books: NineBoxes): BoxDifference[] {
  return BOX_NUMBERS.flatMap((box) => {
    const [filedAmount, booksAmount] = [toPence(filedBoxes, box), toPence(books, box)];
    return filedAmount === booksAmount
      ? []
      : [{ box, filed: filedAmount, books: booksAmount, difference: pence(filedAmount - booksAmount) }];
  });
}

function toPence(boxes: NineBoxes, box: BoxNumber): Pence {
  if (box === 5) return pence(boxes.box3 - boxes.box4);
  return box >= 6 ? pence(boxes[`box${box}`] * 100) : pence(boxes[`box${box}`]);
}
