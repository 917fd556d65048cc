import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { type BooksKind, type Treatment, BOOKS_KINDS, TREATMENTS } from '../books/books-row.ts';
import { listBoxContributions } from './box-contributions.ts';
import { findBoxRule } from './treatment-table.ts';

const NET_PENCE = pence(1_000_00);
const VAT = pence(200_00);

/**
 * Every cell of the published table, as [box, 'net' | 'vat']; undefined means "-". Notice 700/12; Notice 735 for the domestic reverse
 * charge.
 */
const PUBLISHED_TREATMENTS: Readonly<Record<Treatment, Record<BooksKind, string | undefined>>> = {
  standard: { sale: '1 vat, 6 net', purchase: '4 vat, 7 net' },
  reduced: { sale: '1 vat, 6 net', purchase: '4 vat, 7 net' },
  zero: { sale: '6 net', purchase: '7 net' },
  exempt: { sale: '6 net', purchase: '7 net' },
  no_vat: { sale: '', purchase: '' },
  outside_uk: { sale: '6 net', purchase: '7 net' },
  domestic_reverse_charge: { sale: '6 net', purchase: '1 vat, 4 vat, 7 net' },
  imported_services: { sale: undefined, purchase: '1 vat, 4 vat, 6 net, 7 net' },
  postponed_import_vat: { sale: undefined, purchase: '1 vat, 4 vat, 7 net' },
  import_vat_paid: { sale: undefined, purchase: '4 vat, 7 net' },
  ni_acquisition: { sale: undefined, purchase: '2 vat, 4 vat, 7 net, 9 net' },
  ni_dispatch: { sale: '6 net, 8 net', purchase: undefined },
  capital: { sale: '1 vat, 6 net', purchase: '4 vat, 7 net' },
  blocked: { sale: undefined, purchase: '7 net' },
  bad_debt_relief: { sale: undefined, purchase: '4 vat' },
  adjustment_output: { sale: '1 vat', purchase: '4 vat' },
  adjustment_input: { sale: '1 vat', purchase: '4 vat' },
};
const TREATMENT_CELLS = TREATMENTS.flatMap((treatment) =>
  BOOKS_KINDS.map((kind) => ({ treatment, kind, cell: PUBLISHED_TREATMENTS[treatment][kind] })),
);

describe('the treatment table', () => {
  it.each(TREATMENT_CELLS.filter(({ cell }) => cell !== undefined))(
    'adds "$cell" for a $kind that is $treatment',
    ({ treatment, kind, cell = '' }) => {
      const addedBoxes = listBoxContributions({ kind, treatment, net_pence: NET_PENCE, vat_pence: VAT });
      expect(addedBoxes.map(({ box, amount_pence }) => `${box} ${amount_pence === NET_PENCE ? 'net' : 'vat'}`).join(', ')).toBe(cell);
    },
  );

  it.each(TREATMENT_CELLS.filter(({ cell }) => cell === undefined))('has no $kind that is $treatment', ({ treatment, kind }) => {
    expect(findBoxRule(kind, treatment)).toBeUndefined();
    expect(() => listBoxContributions({ kind, treatment, net_pence: NET_PENCE, vat_pence: VAT })).toThrow(RangeError);
  });
});
