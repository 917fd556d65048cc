import { describe, expect, it } from 'vitest';
import { BOOKS_COLUMNS } from './books-row.ts';
import { parseHeader } from './parse-header.ts';

describe('the header of a books file', () => {
  it('accepts columns in any order, ignoring letter case, spaces and a byte order mark', () => {
    const header = parseHeader(['\uFEFFTreatment', ' VAT ', 'net', 'Description', 'counterparty', 'reference', 'kind', 'DATE']);
    expect(header).toMatchObject({ ok: true, ignoredHeadings: [], positions: { date: 7, treatment: 0, vat: 1, width: 8 } });
  });

  it('ignores and reports extra columns', () => {
    expect(parseHeader([...BOOKS_COLUMNS, 'Cost Centre', ''])).toMatchObject({
      ok: true,
      ignoredHeadings: ['cost centre'],
      positions: { width: 10 },
    });
  });

  it.each([
    [['date', 'kind', 'reference', 'counterparty', 'description', 'nett', 'vat', 'treatment'], 'net', 'rename “nett” to “net”'],
    [['date', 'kind', 'reference', 'counterparty', 'net', 'vat', 'treatment'], 'description', 'missing'],
    [[...BOOKS_COLUMNS, 'vat'], 'vat', '2 columns called “vat”'],
    [['date;kind;reference'], '', 'semicolons'],
    [['date\tkind'], '', 'tabs'],
    [[''], '', 'line 1 is empty'],
    [['2026-01-01', 'sale', 'X', 'Y', 'Z', '1', '2', 'standard'], '', 'isn’t the header'],
  ])('rejects %j at line 1', (cells, column, reason) => {
    const header = parseHeader(cells);
    expect(header).toMatchObject({ ok: false, errors: [{ line: 1, column, reason: expect.stringContaining(reason) }] });
  });
});
