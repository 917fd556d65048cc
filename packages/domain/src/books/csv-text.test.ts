import { describe, expect, it } from 'vitest';
import { formatCsvLine, neutraliseCsvCell } from './csv-text.ts';

describe('CSV export text', () => {
  it.each(['=1+1', '+44', '-x', '@SUM(A1)', '\tx', '\rx'])('neutralises %j so that a spreadsheet does not run it', (text) => {
    expect(neutraliseCsvCell(text)).toBe(`'${text}`);
  });

  it('leaves other text unchanged', () => {
    expect(neutraliseCsvCell('Acme = good')).toBe('Acme = good');
  });

  it('quotes cells where needed', () => {
    expect(formatCsvLine(['a', 'b,c', 'say "x"', 'two\nlines'])).toBe('a,"b,c","say ""x""","two\nlines"');
  });
});
