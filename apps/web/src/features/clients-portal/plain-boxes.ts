/** The nine boxes in words that clients understand. */
import type { NineBoxesOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';

type PlainBox = { readonly box: number; readonly text: string; readonly amount: string; readonly isTotal: boolean };

/** Boxes about trade between Northern Ireland and the EU, which are nil for most businesses. */
const RARE_BOXES = [2, 8, 9];

const BOXES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

function getAmount(boxes: NineBoxesOutput, box: number): number {
  const { box1_pence, box2_pence, box3_pence, box4_pence, box5_pence, box6_pounds, box7_pounds, box8_pounds, box9_pounds } = boxes;
  const amounts = [box1_pence, box2_pence, box3_pence, box4_pence, box5_pence, box6_pounds, box7_pounds, box8_pounds, box9_pounds];
  return (amounts[box - 1] ?? 0) * (box > 5 ? 100 : 1);
}

/**
 * Lists all boxes in order. The boxes for Northern Ireland's EU trade are listed separately if they are nil, as they are for most
 * businesses.
 */
export function listPlainBoxes(boxes: NineBoxesOutput): { readonly main: readonly PlainBox[]; readonly nil: readonly PlainBox[] } {
  const plainBoxes = BOXES.map((box) => ({
    box,
    text: clientText(`box.${box}`),
    amount: box > 5 ? formatPounds(pence(getAmount(boxes, box))).replace(/\.00$/, '') : formatPounds(pence(getAmount(boxes, box))),
    isTotal: box === 5,
    isHidden: RARE_BOXES.includes(box) && getAmount(boxes, box) === 0,
  }));
  return { main: plainBoxes.filter(({ isHidden }) => !isHidden), nil: plainBoxes.filter(({ isHidden }) => isHidden) };
}
