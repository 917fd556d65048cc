import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../app-error.ts';
import { pence } from '../money.ts';
import { createPlainDate, plainDate } from '../plain-date.ts';
import { createBoxesAccumulator } from './accumulate-boxes.ts';
import { type BooksRow, BOOKS_KINDS, TREATMENTS } from '../books/books-row.ts';
import { listBoxContributions } from './box-contributions.ts';
import { SUMMED_BOXES, findBoxRule } from './treatment-table.ts';

const QUARTER = { from: plainDate('2026-01-01'), to: plainDate('2026-03-31') };

function createRow(changes: Partial<BooksRow> = {}): BooksRow {
  return {
    line: 2,
    date: plainDate('2026-02-03'),
    kind: 'sale',
    reference: 'INV-1',
    counterparty: 'Acme Ltd',
    description: 'Goods',
    net_pence: pence(100_00),
    vat_pence: pence(20_00),
    treatment: 'standard',
    ...changes,
  };
}

function accumulateRows(rows: readonly BooksRow[], periods = [QUARTER]) {
  const accumulator = createBoxesAccumulator(periods);
  accumulator.add(rows);
  return { totals: accumulator.totals(), outside: accumulator.countOutsideRows() };
}

const POSSIBLE_COMBINATIONS = TREATMENTS.flatMap((treatment) =>
  BOOKS_KINDS.filter((kind) => findBoxRule(kind, treatment)).map((kind) => ({ treatment, kind })),
);
const anyRow = fc
  .record({
    combination: fc.constantFrom(...POSSIBLE_COMBINATIONS),
    month: fc.integer({ min: 1, max: 6 }),
    day: fc.integer({ min: 1, max: 28 }),
    reference: fc.constantFrom('A', 'B', 'AB', ''),
    net: fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }),
    vat: fc.integer({ min: -5, max: 5 }),
  })
  .map(({ combination, month, day, reference, net, vat }) =>
    createRow({ ...combination, date: createPlainDate(2026, month, day), reference, net_pence: pence(net), vat_pence: pence(vat) }),
  );
const anyRows = fc.array(anyRow, { maxLength: 60 }).map((rows) => rows.map((row, index) => ({ ...row, line: index + 2 })));

describe('the nine boxes of a period', () => {
  it('include boxes 3 and 5 and the direction', () => {
    const purchase = createRow({ kind: 'purchase', vat_pence: pence(50_01) });
    expect(accumulateRows([createRow(), purchase]).totals[0]).toMatchObject({
      boxes: { box1: 2000, box3: 2000, box4: 5001, box5: 3001 },
      direction: 'repayment',
    });
    expect(accumulateRows([createRow()]).totals[0]).toMatchObject({ boxes: { box5: 2000 }, direction: 'payment' });
    expect(accumulateRows([]).totals[0]).toMatchObject({ boxes: { box5: 0, box6: 0 }, direction: 'nil', rows: 0 });
  });

  it.each([
    [[50], 1],
    [[49], 0],
    [[-50], -1],
    [[150, 100], 3],
    // Rounding each row would give 2.
    [[50, 50], 1],
    [[-149], -1],
  ])('round the exact sum of %j pence once, half away from zero, to %i pounds', (netAmounts, pounds) => {
    const rows = netAmounts.map((net, index) => createRow({ reference: `R${index}`, net_pence: pence(net) }));
    expect(accumulateRows(rows).totals[0]?.boxes.box6).toBe(pounds);
  });

  it('include the first and last day of the period and exclude the days around it', () => {
    const rows = ['2025-12-31', '2026-01-01', '2026-03-31', '2026-04-01'].map((date) => createRow({ date: plainDate(date) }));
    expect(accumulateRows(rows)).toMatchObject({ outside: 2, totals: [{ rows: 2 }] });
  });

  it('flag rows that repeat an earlier row in the period, but not the first', () => {
    const rows = [
      createRow({ line: 2 }),
      createRow({ line: 3 }),
      createRow({ line: 4, counterparty: 'Other Ltd' }),
      createRow({ line: 5, net_pence: pence(100_01) }),
      createRow({ line: 6, vat_pence: pence(20_01) }),
      createRow({ line: 7, date: plainDate('2026-02-04') }),
      createRow({ line: 8, reference: 'INV-2' }),
      // A different treatment or description doesn't make it a different document.
      createRow({ line: 9, description: 'Else', treatment: 'reduced' }),
      createRow({ line: 10, date: plainDate('2026-04-01') }),
      createRow({ line: 11, date: plainDate('2026-04-01') }),
    ];
    const [totals] = accumulateRows(rows).totals;
    expect(totals?.flagged).toBe(2);
    expect([...(totals?.flaggedLines ?? [])]).toEqual([3, 9]);
  });

  it('distinguish texts that concatenate to the same letters', () => {
    const rows = [
      createRow({ reference: 'AB', counterparty: 'C' }),
      createRow({ reference: 'A', counterparty: 'BC' }),
      createRow({ reference: 'A\0', counterparty: 'BC' }),
    ];
    expect(accumulateRows(rows).totals[0]?.flagged).toBe(0);
  });

  it('find exactly the repeats among many similar documents', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) =>
      createRow({
        line: index + 2,
        reference: `INV-${index % 190_000}`,
        counterparty: `Supplier ${index % 7} Ltd`,
        net_pence: pence(index % 190_000),
      }),
    );
    // 190,000 mod 7 is 6, so a later row's counterparty differs from that of the row it resembles.
    expect(accumulateRows(rows).totals[0]?.flagged).toBe(0);
    const repeatedTotals = accumulateRows([...rows, ...rows.map((row) => ({ ...row, line: row.line + 200_000 }))]).totals[0];
    expect(repeatedTotals?.flagged).toBe(200_000);
    expect(repeatedTotals?.flaggedLines[0]).toBe(200_002);
  });

  it('reject overlapping periods and periods that run backwards', () => {
    const second = { from: plainDate('2026-03-31'), to: plainDate('2026-06-30') };
    expect(() => createBoxesAccumulator([QUARTER, second])).toThrow(RangeError);
    expect(() => createBoxesAccumulator([{ from: QUARTER.to, to: QUARTER.from }])).toThrow(RangeError);
  });

  it('reject sums too large for a return instead of losing a penny', () => {
    const largestAmount = pence(9_999_999_999_999);
    const rows = Array.from({ length: 101 }, (_, index) => createRow({ reference: `R${index}`, net_pence: largestAmount }));
    expect(() => accumulateRows(rows)).toThrow(AppError);
    const treatments = ['standard', 'zero'] as const;
    const half = treatments.flatMap((treatment) => rows.slice(0, 60).map((row) => ({ ...row, treatment })));
    expect(() => accumulateRows(half)).toThrow(AppError);
  });

  it('do not depend on the order of the rows', () => {
    fc.assert(
      fc.property(anyRows, fc.infiniteStream(fc.nat()), (rows, stream) => {
        const rowsWithKeys = rows.map((row) => ({ row, key: stream.next().value ?? 0 }));
        const shuffledRows = rowsWithKeys.toSorted((a, b) => a.key - b.key).map(({ row }) => row);
        const removeDetails = (list: readonly BooksRow[]) =>
          accumulateRows(list).totals.map(({ flaggedLines, ...rest }) => ({ ...rest, repeats: flaggedLines.length }));
        expect(removeDetails(shuffledRows)).toEqual(removeDetails(rows));
      }),
    );
  });

  it('of adjoining periods add up to those of the combined period', () => {
    const parts = [QUARTER, { from: plainDate('2026-04-01'), to: plainDate('2026-06-30') }];
    const wholePeriod = [{ from: plainDate('2026-01-01'), to: plainDate('2026-06-30') }];
    fc.assert(
      fc.property(anyRows, (rows) => {
        const [first, second] = accumulateRows(rows, parts).totals;
        const [all] = accumulateRows(rows, wholePeriod).totals;
        for (const box of SUMMED_BOXES) expect((first?.sums[box] ?? 0) + (second?.sums[box] ?? 0)).toBe(all?.sums[box]);
        expect((first?.flagged ?? 0) + (second?.flagged ?? 0)).toBe(all?.flagged);
      }),
    );
  });

  it('agree with the transactions listed behind each box, for any batch size', () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 20 }), (rows, size) => {
        const accumulator = createBoxesAccumulator([QUARTER]);
        for (let start = 0; start < rows.length; start += size) accumulator.add(rows.slice(start, start + size));
        const insideContributions = rows.filter(({ date }) => date <= QUARTER.to).flatMap(listBoxContributions);
        const [totals] = accumulator.totals();
        for (const box of SUMMED_BOXES) {
          expect(totals?.sums[box]).toBe(
            insideContributions.filter((part) => part.box === box).reduce((sum, { amount_pence }) => sum + amount_pence, 0),
          );
        }
      }),
    );
  });
});
