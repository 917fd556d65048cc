import { describe, expect, it } from 'vitest';
import { formatCsvLine, neutraliseCsvCell } from './csv-text.ts';

describe('text for a CSV export', () => {
  it.each(['=1+1', '+44', '-x', '@SUM(A1)', '\tx', '\rx'])('makes %j harmless in a spreadsheet', (text) => {
    expect(neutraliseCsvCell(text)).toBe(`'${text}`);
  });

  it('leaves other text alone', () => {
    expect(neutraliseCsvCell('Acme = good')).toBe('Acme = good');
  });

  it('quotes what needs quotes', () => {
    expect(formatCsvLine(['a', 'b,c', 'say "x"', 'two\nlines'])).toBe('a,"b,c","say ""x""","two\nlines"');
  });
});
