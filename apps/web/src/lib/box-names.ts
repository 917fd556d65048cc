/** The nine boxes with HMRC's names (VAT Notice 700/12, section 3), in the order of the return. */
import type { BOXES } from '@portal/contract/return-transactions.ts';
import type { NineBoxesOutput } from '@portal/contract/vat-returns.ts';
import { BOX_TITLES } from '@portal/domain/vat-returns/box-titles.ts';

export type OpenableBox = (typeof BOXES)[number];

export type BoxName = {
  readonly number: '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
  readonly field: Exclude<keyof NineBoxesOutput, 'direction'>;
  readonly unit: 'pence' | 'pounds';
  readonly name: string;
  /** How the box is calculated. Undefined for boxes that add up transactions. */
  readonly computed?: string;
};

export const BOX_NAMES: readonly BoxName[] = [
  { number: '1', field: 'box1_pence', unit: 'pence', name: BOX_TITLES[1] },
  {
    number: '2',
    field: 'box2_pence',
    unit: 'pence',
    name: BOX_TITLES[2],
  },
  { number: '3', field: 'box3_pence', unit: 'pence', name: BOX_TITLES[3], computed: 'Box 1 plus box 2' },
  {
    number: '4',
    field: 'box4_pence',
    unit: 'pence',
    name: BOX_TITLES[4],
  },
  {
    number: '5',
    field: 'box5_pence',
    unit: 'pence',
    name: BOX_TITLES[5],
    computed: 'The difference between box 3 and box 4',
  },
  {
    number: '6',
    field: 'box6_pounds',
    unit: 'pounds',
    name: BOX_TITLES[6],
  },
  {
    number: '7',
    field: 'box7_pounds',
    unit: 'pounds',
    name: BOX_TITLES[7],
  },
  {
    number: '8',
    field: 'box8_pounds',
    unit: 'pounds',
    name: BOX_TITLES[8],
  },
  {
    number: '9',
    field: 'box9_pounds',
    unit: 'pounds',
    name: BOX_TITLES[9],
  },
];

/** Returns the box, or null for a calculated one (3 and 5), which has no transactions to open. */
export function toOpenableBox(box: BoxName): OpenableBox | null {
  return box.number === '3' || box.number === '5' ? null : box.number;
}
