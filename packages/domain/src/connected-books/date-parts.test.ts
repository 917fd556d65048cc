import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import type { BooksDocument, DocumentLine } from './books-document.ts';
import { splitByDate } from './date-parts.ts';

const LINE: DocumentLine = { kind: 'sale', treatment: 'standard', net_pence: pence(100_01), vat_pence: pence(20_00) };

function createDocument(fields: Partial<BooksDocument>): BooksDocument {
  return {
    id: '1',
    type: 'Invoice',
    reference: '',
    counterparty: '',
    date: plainDate('2026-06-30'),
    status: 'final',
    lines: [LINE],
    settlementRule: 'on_date',
    flags: [],
    ...fields,
  };
}

const pay = (date: string, amount: number) => ({ date: plainDate(date), amount });
const listAmounts = (parts: ReturnType<typeof splitByDate>) =>
  parts.map(({ date, lines }) => [date, ...lines.flatMap(({ net_pence, vat_pence }) => [net_pence, vat_pence])]);

describe('what counts on which date', () => {
  it('is the whole document on its date on the accrual basis', () => {
    const settlementRule = { total: 120_01, settlements: [] };
    expect(listAmounts(splitByDate(createDocument({ settlementRule }), 'accrual'))).toEqual([['2026-06-30', 100_01, 20_00]]);
  });

  it('is each payment’s share on the cash basis, in the order of their dates, and adds up to the penny', () => {
    const settlementRule = { total: 120_01, settlements: [pay('2026-09-01', 40_01), pay('2026-07-01', 40_00), pay('2026-08-01', 40_00)] };
    // 4,000 of 12,001: 3,333.39: 33.33 and 666.61: 6.67; 8,000: 6,666.78: 66.67 and 13.33; the rest.
    expect(listAmounts(splitByDate(createDocument({ settlementRule }), 'cash'))).toEqual([
      ['2026-07-01', 33_33, 6_67],
      ['2026-08-01', 33_34, 6_66],
      ['2026-09-01', 33_34, 6_67],
    ]);
  });

  it('never exceeds the document, and deducts a refund', () => {
    const settlementRule = {
      total: 100_00,
      settlements: [pay('2026-07-01', 150_00), pay('2026-08-01', 10_00), pay('2026-09-01', -110_00)],
    };
    expect(listAmounts(splitByDate(createDocument({ settlementRule }), 'cash'))).toEqual([
      ['2026-07-01', 100_01, 20_00],
      ['2026-09-01', -50_00, -10_00],
    ]);
  });

  it('is the document’s date for supplies outside cash accounting', () => {
    const lines: DocumentLine[] = [{ ...LINE, kind: 'purchase', treatment: 'imported_services' }];
    const settlementRule = { total: 100_01, settlements: [pay('2026-09-01', 100_01)] };
    expect(listAmounts(splitByDate(createDocument({ lines, settlementRule }), 'cash'))).toEqual([['2026-06-30', 100_01, 20_00]]);
  });

  it('includes the reversed part of a prepayment, on both bases', () => {
    const reversals = { total: 120_01, settlements: [pay('2026-08-01', 60_00)] };
    for (const basis of ['accrual', 'cash'] as const) {
      expect(listAmounts(splitByDate(createDocument({ reversals }), basis))).toEqual([
        ['2026-06-30', 100_01, 20_00],
        ['2026-08-01', -50_00, -10_00],
      ]);
    }
  });
});
