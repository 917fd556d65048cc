import { describe, expect, it } from 'vitest';
import type { BooksRow, RowError } from './books-row.ts';
import { BOOKS_COLUMNS } from './books-row.ts';
import { calculateStandardRateVat, createRowParser } from './parse-books-row.ts';
import { parseHeader } from './parse-header.ts';

function read(cells: readonly string[], header: readonly string[] = BOOKS_COLUMNS) {
  const parsed = parseHeader(header);
  if (!parsed.ok) throw new Error('the test needs a header');
  const errors: RowError[] = [];
  const notes: RowError[] = [];
  const parse = createRowParser(parsed.positions, {
    reject: (line, column, explain) => errors.push({ line, column, reason: explain() }),
    note: (line, column, explain) => notes.push({ line, column, reason: explain() }),
    onDate: () => undefined,
  });
  const row: BooksRow | undefined = parse(cells, 7);
  return { row, errors, notes };
}

const createCells = (kind: string, net: string, vat: string, treatment: string) => [
  '2026-01-02',
  kind,
  'R1',
  'Acme',
  'Goods',
  net,
  vat,
  treatment,
];

describe('a row of a books file', () => {
  it('keeps texts unchanged, including formulas', () => {
    const { row } = read(['02/01/2026', ' Sale', '=1+1', '+44 Ltd', '@x', '10.00', '2.00', 'Standard ']);
    expect(row).toEqual({
      line: 7,
      date: '2026-01-02',
      kind: 'sale',
      reference: '=1+1',
      counterparty: '+44 Ltd',
      description: '@x',
      net_pence: 1000,
      vat_pence: 200,
      treatment: 'standard',
    });
  });

  it.each(['domestic_reverse_charge', 'imported_services', 'postponed_import_vat', 'ni_acquisition'])(
    'calculates 20%% of net when a %s purchase has empty VAT',
    (treatment) => {
      expect(read(createCells('purchase', '100.03', '', treatment)).row?.vat_pence).toBe(2001);
      expect(read(createCells('purchase', '-100.03', ' ', treatment)).row?.vat_pence).toBe(-2001);
      expect(read(createCells('purchase', '100.03', '7.00', treatment)).row?.vat_pence).toBe(700);
      expect(read(createCells('purchase', '', '', treatment)).errors).toMatchObject([{ column: 'net' }]);
    },
  );

  it.each([
    [2, 0],
    [3, 1],
    [-3, -1],
    [12, 2],
    [13, 3],
    [9_999_999_999_999, 2_000_000_000_000],
  ])('rounds 20%% of %i pence to %i', (net, vat) => {
    expect(calculateStandardRateVat(net)).toBe(vat);
  });

  it.each([
    ['sale', 'zero'],
    ['purchase', 'exempt'],
    ['sale', 'no_vat'],
    ['purchase', 'outside_uk'],
    ['sale', 'domestic_reverse_charge'],
    ['sale', 'ni_dispatch'],
    ['purchase', 'blocked'],
  ])('treats empty VAT of a %s that is %s as zero', (kind, treatment) => {
    expect(read(createCells(kind, '10.00', '', treatment)).row?.vat_pence).toBe(0);
  });

  it.each([
    ['sale', 'standard'],
    ['purchase', 'reduced'],
    ['purchase', 'capital'],
    ['purchase', 'import_vat_paid'],
    ['purchase', 'bad_debt_relief'],
    ['sale', 'adjustment_output'],
  ])('rejects empty VAT of a %s that is %s', (kind, treatment) => {
    expect(read(createCells(kind, '10.00', '', treatment)).errors).toMatchObject([
      { line: 7, column: 'vat', reason: expect.stringContaining(treatment) },
    ]);
  });

  it.each([
    ['purchase', 'bad_debt_relief'],
    ['sale', 'adjustment_output'],
    ['purchase', 'adjustment_input'],
    ['purchase', 'no_vat'],
  ])('treats empty net as zero when no box uses it: a %s that is %s', (kind, treatment) => {
    expect(read(createCells(kind, '', '5.00', treatment)).row).toMatchObject({ net_pence: 0, vat_pence: 500 });
  });

  it('warns about VAT that no box uses and keeps the row', () => {
    const { row, notes } = read(createCells('sale', '10.00', '2.00', 'zero'));
    expect(row?.vat_pence).toBe(200);
    expect(notes).toMatchObject([{ line: 7, column: 'vat' }]);
  });

  it.each([
    ['sale', 'imported_services', 'only a purchase can'],
    ['sale', 'bad_debt_relief', 'only a purchase can'],
    ['purchase', 'ni_dispatch', 'only a sale can'],
  ])('rejects the impossible %s that is %s, naming both', (kind, treatment, reason) => {
    const { row, errors } = read(createCells(kind, '10.00', '2.00', treatment));
    expect(row).toBeUndefined();
    expect(errors).toMatchObject([{ column: 'treatment', reason: expect.stringMatching(new RegExp(`${kind}.*${treatment}.*${reason}`)) }]);
  });

  it('reports every error of a row with its column', () => {
    const { errors } = read(['31/02/2026', 'refund', 'R', 'C', 'D', '1,23', '1.234', 'standrd']);
    expect(errors.map(({ column }) => column)).toEqual(['date', 'kind', 'net', 'vat', 'treatment']);
    expect(errors.at(-1)?.reason).toContain('did you mean standard?');
  });

  it('rejects a row with too many values, as an unquoted comma causes', () => {
    const { errors } = read(['2026-01-02', 'sale', 'R', 'C', 'D', '1', '234.50', '2.00', 'standard']);
    expect(errors).toMatchObject([{ column: '', reason: expect.stringContaining('quotes') }]);
  });

  it('allows empty cells after the columns and rejects a row that ends early', () => {
    expect(read([...createCells('sale', '1.00', '0.20', 'standard'), '', ' ']).errors).toEqual([]);
    expect(read(['2026-01-02', 'sale', 'R']).errors).toMatchObject([
      { column: 'counterparty', reason: expect.stringContaining('treatment') },
    ]);
  });

  it('rejects text over 10,000 characters and rows over 1,000 cells', () => {
    const rejectedLongText = read(['2026-01-02', 'sale', 'R', 'C', 'x'.repeat(10_001), '1.00', '0.20', 'standard']);
    expect(rejectedLongText.errors).toMatchObject([{ column: 'description' }]);
    expect(read(Array.from({ length: 1001 }, () => '1')).errors).toMatchObject([{ column: '', reason: expect.stringContaining('1001') }]);
  });
});
