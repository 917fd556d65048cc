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
};

describe('the CSV file of a box', () => {
  it('quotes text, disarms formulas and writes amounts in pounds', () => {
    expect(toCsv([ROW]).split('\r\n')[1]).toBe(
      `2,2026-09-30,purchase,B-1,"Severn ""Glass"", Ltd",'=1+1,Standard rate,20000.00,-4000.50,4000.00`,
    );
  });
});
