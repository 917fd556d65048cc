/** The nine boxes with HMRC's names (VAT Notice 700/12, section 3), in the order of the return. */
import type { BOXES, NineBoxesOutput } from '@portal/contract/vat-returns.ts';

export type OpenableBox = (typeof BOXES)[number];

export type BoxName = {
  readonly number: '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
  readonly field: Exclude<keyof NineBoxesOutput, 'direction'>;
  readonly unit: 'pence' | 'pounds';
  readonly name: string;
  /** How the box is calculated; undefined for boxes that add up transactions. */
  readonly computed?: string;
};

export const BOX_NAMES: readonly BoxName[] = [
  { number: '1', field: 'box1_pence', unit: 'pence', name: 'VAT due in the period on sales and other outputs' },
  {
    number: '2',
    field: 'box2_pence',
    unit: 'pence',
    name: 'VAT due in the period on acquisitions of goods made in Northern Ireland from EU Member States',
  },
  { number: '3', field: 'box3_pence', unit: 'pence', name: 'Total VAT due', computed: 'Box 1 plus box 2' },
  {
    number: '4',
    field: 'box4_pence',
    unit: 'pence',
    name: 'VAT reclaimed in the period on purchases and other inputs (including acquisitions in Northern Ireland from EU Member States)',
  },
  {
    number: '5',
    field: 'box5_pence',
    unit: 'pence',
    name: 'Net VAT to pay to HMRC or reclaim',
    computed: 'The difference between box 3 and box 4',
  },
  {
    number: '6',
    field: 'box6_pounds',
    unit: 'pounds',
    name: 'Total value of sales and all other outputs excluding any VAT (including your box 8 figure)',
  },
  {
    number: '7',
    field: 'box7_pounds',
    unit: 'pounds',
    name: 'Total value of purchases and all other inputs excluding any VAT (including your box 9 figure)',
  },
  {
    number: '8',
    field: 'box8_pounds',
    unit: 'pounds',
    name: 'Total value of dispatches of goods and related costs (excluding VAT) from Northern Ireland to EU Member States',
  },
  {
    number: '9',
    field: 'box9_pounds',
    unit: 'pounds',
    name: 'Total value of acquisitions of goods and related costs (excluding VAT) made in Northern Ireland from EU Member States',
  },
];

/** Boxes 3 and 5 are calculated, so they have no transactions to open. */
export function openableBox(box: BoxName): OpenableBox | null {
  return box.number === '3' || box.number === '5' ? null : box.number;
}
