import { describe, expect, it } from 'vitest';
import { createDateParser, explainDate, parseBooksDate } from './parse-books-date.ts';

describe('a date in a books file', () => {
  it.each([
    ['2026-03-31', '2026-03-31'],
    ['31/03/2026', '2026-03-31'],
    ['29/02/2024', '2024-02-29'],
    [' 01/12/2026 ', '2026-12-01'],
  ])('parses %j as %s', (text, expected) => {
    expect(parseBooksDate(text)).toBe(expected);
    const parse = createDateParser(() => undefined);
    expect([parse(text), parse(text)]).toEqual([expected, expected]);
  });

  it.each([
    ['', 'missing'],
    ['31/02/2026', 'that month has 28 days'],
    ['2026-02-29', 'that month has 28 days'],
    ['12/31/2026', 'put the day first'],
    ['2026-13-01', 'no month 13'],
    ['31/04/2026', '30 days'],
    ['00/01/2026', '31 days'],
    ['01/01/0026', 'the year 26'],
    ['2500-01-01', 'the year 2500'],
    ['01/02/26', 'two-digit year'],
    ['1/2/2026', 'leading zero'],
    ['2026-03-31T00:00:00', 'includes a time'],
    ['2026/03/31', 'isn’t a date'],
    ['31-03-2026', 'isn’t a date'],
    ['31 March 2026', 'isn’t a date'],
    ['20260331', 'isn’t a date'],
  ])('rejects %j and says why: %s', (text, reason) => {
    expect(parseBooksDate(text)).toBeUndefined();
    expect(createDateParser(() => undefined)(text)).toBeUndefined();
    expect(explainDate(text)).toContain(reason);
  });

  it('reports each different date once, in either format', () => {
    const dates: string[] = [];
    const parse = createDateParser((date) => dates.push(date));
    for (const text of ['2026-01-02', '02/01/2026', '2026-01-02', '2026-01-03']) parse(text);
    expect(dates).toEqual(['2026-01-02', '2026-01-03']);
  });
});
