/** The nine boxes in words that a client understands. */
import type { NineBoxesOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';

type PlainBox = { readonly box: number; readonly text: string; readonly amount: string; readonly isTotal: boolean };

/** Boxes about trade between Northern Ireland and the EU, which are nil for most businesses. */
const RARE_BOXES = [2, 8, 9];

const TEXTS: Readonly<Record<number, string>> = {
  1: 'VAT you charged on sales',
  2: 'VAT on goods bought from the EU into Northern Ireland',
  3: 'All VAT you owe (box 1 plus box 2)',
  4: 'VAT you reclaim on purchases',
  5: 'The difference',
  6: 'Your sales, without VAT',
  7: 'Your purchases, without VAT',
  8: 'Goods sold from Northern Ireland to the EU',
  9: 'Goods bought from the EU into Northern Ireland',
};

function getAmount(boxes: NineBoxesOutput, box: number): number {
  const { box1_pence, box2_pence, box3_pence, box4_pence, box5_pence, box6_pounds, box7_pounds, box8_pounds, box9_pounds } = boxes;
  const amounts = [box1_pence, box2_pence, box3_pence, box4_pence, box5_pence, box6_pounds, box7_pounds, box8_pounds, box9_pounds];
  return (amounts[box - 1] ?? 0) * (box > 5 ? 100 : 1);
}

/** All boxes in their order; those of the EU trade of Northern Ireland apart if they are nil, because almost everyone's are. */
export function listPlainBoxes(boxes: NineBoxesOutput): { readonly main: readonly PlainBox[]; readonly nil: readonly PlainBox[] } {
  const all = Array.from({ length: 9 }, (_, index) => index + 1).map((box) => ({
    box,
    text: TEXTS[box] ?? '',
    amount: box > 5 ? formatPounds(pence(getAmount(boxes, box))).replace(/\.00$/, '') : formatPounds(pence(getAmount(boxes, box))),
    isTotal: box === 5,
    isHidden: RARE_BOXES.includes(box) && getAmount(boxes, box) === 0,
  }));
  return { main: all.filter(({ isHidden }) => !isHidden), nil: all.filter(({ isHidden }) => isHidden) };
}

/** Box 5 in words. */
export const RESULT_LABELS: Readonly<Record<NineBoxesOutput['direction'], string>> = {
  repayment: 'HMRC owes you',
  payment: 'You owe HMRC',
  nil: 'Nothing to pay or reclaim',
};
