import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { toCsv } from './export-transactions.ts';

const ROW: Parameters<typeof toCsv>[0][number] = {
  line: 2,
  date: plainDate('2026-09-30'),
  kind: 'purchase',
  reference: 'B-1',
  counterparty: 'Severn "Glass", Ltd',
  description: '=1+1',
  treatment: 'standard',
  net_pence: pence(20_000_00),
  vat_pence: pence(-4_000_50),
  amount_pence: pence(4_000_00),
  flagged: false,
  link: null,
  document_flags: [],
  change: null,
  other_amount_pence: null,
  is_in_figures: true,
};

describe('the CSV file of a box', () => {
  it('quotes text, disarms formulas and writes amounts in pounds', () => {
    expect(toCsv([ROW]).split('\r\n')[1]).toBe(
      `2,2026-09-30,purchase,B-1,"Severn ""Glass"", Ltd",'=1+1,Standard rate,20000.00,-4000.50,4000.00`,
    );
  });

  it('says what has changed since the approval, with the amount that was approved', () => {
    const changedRow = { ...ROW, description: 'Shades', change: 'changed' as const, other_amount_pence: pence(3_500_00) };
    const removedRow = {
      ...ROW,
      amount_pence: pence(0),
      change: 'removed' as const,
      other_amount_pence: pence(120_00),
      is_in_figures: false,
    };
    const [headings, ...lines] = toCsv([changedRow, removedRow, ROW], { since: 'approval' }).trim().split('\r\n');
    expect(headings).toMatch(/,Amount in box,Change since approval,Amount when approved$/);
    expect(lines.map((line) => line.split(',').slice(-3))).toEqual([
      ['4000.00', 'Changed since approval', '3500.00'],
      ['0.00', 'Removed since approval', '120.00'],
      ['4000.00', '', ''],
    ]);
    expect(lines.map((line) => line.split(',')[0])).toEqual(['2', '', '2']);
    expect(toCsv([changedRow], { since: 'filing' })).toContain(',Amount in box,Change since filing,Amount in books now');
    expect(toCsv([ROW])).toMatch(/Amount in box\r\n/);
  });
});
