import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { type FiledRow, findLateRows, isUnclaimedInputTax, type LateRowFacts, sumNetError } from './late-rows.ts';

const createRow = (change: Partial<FiledRow> = {}): FiledRow => ({
  date: plainDate('2026-05-04'),
  kind: 'purchase',
  reference: 'B-7',
  counterparty: 'Glass Ltd',
  description: 'Shades',
  net_pence: pence(10_000),
  vat_pence: pence(2_000),
  treatment: 'standard',
  ...change,
});
const find = (facts: Partial<LateRowFacts>) => findLateRows({ added: [], removed: [], settled: [], coversPeriod: true, ...facts });

describe('rows dated in a period that was filed', () => {
  it('counts a late purchase as owed to the trader and a late sale as owed to HMRC', () => {
    const sale = createRow({ kind: 'sale', reference: 'S-1', vat_pence: pence(3_000) });
    const foundRows = find({ added: [createRow(), sale] });
    expect(foundRows).toMatchObject([
      { kind: 'added', due: -2_000 },
      { kind: 'added', due: 3_000 },
    ]);
    expect(sumNetError(foundRows)).toBe(1_000);
  });

  it('tells input tax that wasn’t claimed from any other error', () => {
    const wasUnclaimed = (filed: FiledRow | null, now: FiledRow | null) => isUnclaimedInputTax({ filed, now });
    const larger = createRow({ net_pence: pence(12_000), vat_pence: pence(2_400) });
    expect([wasUnclaimed(null, createRow()), wasUnclaimed(createRow(), larger)]).toEqual([true, true]);
    expect([wasUnclaimed(createRow(), null), wasUnclaimed(larger, createRow())]).toEqual([false, false]);
    expect(wasUnclaimed(null, createRow({ kind: 'sale', vat_pence: pence(-2_000) }))).toBe(false);
    // Box 1 has the same amount as box 4.
    expect(wasUnclaimed(null, createRow({ treatment: 'imported_services' }))).toBe(false);
  });

  it('counts only the difference when a document was changed', () => {
    const correctedRow = createRow({ net_pence: pence(12_000), vat_pence: pence(2_400) });
    expect(find({ added: [correctedRow], removed: [createRow()] })).toMatchObject([
      { kind: 'changed', due: -400, filed: createRow(), now: correctedRow },
    ]);
  });

  it.each([
    ['only its description', { description: 'Glass shades' }],
    ['only the name of the supplier', { counterparty: 'Glass Limited' }],
    ['only its reference', { reference: 'B-0007' }],
  ])('finds no error in a row that changed %s', (_, change) => {
    expect(find({ added: [createRow(change)], removed: [createRow()] })).toEqual([]);
  });

  it('finds no VAT, but keeps the row, when only the net amount is late', () => {
    expect(find({ added: [createRow({ kind: 'sale', treatment: 'zero', vat_pence: pence(0) })] })).toMatchObject([{ due: 0 }]);
    expect(find({ added: [createRow({ treatment: 'no_vat' })] })).toEqual([]);
  });

  it('reports a row that is missing only if the file covers the period', () => {
    expect(find({ removed: [createRow()] })).toMatchObject([{ kind: 'removed', due: 2_000 }]);
    expect(find({ removed: [createRow()], coversPeriod: false })).toEqual([]);
  });

  it('treats both sides of a reverse charge as one, so that nothing is due', () => {
    expect(find({ added: [createRow({ treatment: 'imported_services' })] })).toMatchObject([{ due: 0 }]);
  });

  it('doesn’t report what was resolved, and reports its return if it is changed again', () => {
    const correctedRow = createRow({ vat_pence: pence(2_400) });
    expect(find({ added: [createRow()], settled: [{ filed: null, now: createRow() }] })).toEqual([]);
    expect(find({ added: [correctedRow], removed: [createRow()], settled: [{ filed: createRow(), now: correctedRow }] })).toEqual([]);
    expect(find({ added: [correctedRow], settled: [{ filed: null, now: createRow() }] })).toMatchObject([{ kind: 'changed', due: -400 }]);
    // The books match the filed return again, so the correction that is already included must be reversed.
    expect(find({ settled: [{ filed: null, now: createRow() }] })).toMatchObject([{ kind: 'removed', due: 2_000 }]);
  });

  it('gives equal rows keys of their own, which stay when one of them is resolved', () => {
    const [first, second] = find({ added: [createRow(), createRow()] });
    expect(first?.key).not.toBe(second?.key);
    expect(find({ added: [createRow(), createRow()], settled: [{ filed: null, now: createRow() }] }).map(({ key }) => key)).toEqual([
      second?.key,
    ]);
  });
});
