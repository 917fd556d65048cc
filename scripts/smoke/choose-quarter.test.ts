import { plainDate } from '@portal/domain/plain-date.ts';
import type { BooksRow } from '@portal/domain/books/books-row.ts';
import { describe, expect, it } from 'vitest';
import { createQuarterChoice } from './choose-quarter.ts';

/** The choice uses only the dates of rows. */
const createRowsOn = (...dates: string[]): BooksRow[] => dates.map((date) => ({ date: plainDate(date) }) as BooksRow);

function choose(...dates: string[]) {
  const choice = createQuarterChoice();
  choice.add(createRowsOn(...dates));
  return choice.choose();
}

describe('the quarter of a file', () => {
  it.each([
    { dates: ['2026-01-31', '2026-02-01', '2026-03-31', '2026-04-01'], start: '2026-01-01', end: '2026-03-31', stagger: 1, rows: 3 },
    {
      dates: ['2026-02-01', '2026-03-15', '2026-04-30', '2026-04-01', '2026-01-31'],
      start: '2026-02-01',
      end: '2026-04-30',
      stagger: 2,
      rows: 4,
    },
    {
      dates: ['2025-12-01', '2026-01-15', '2025-12-31', '2026-02-28', '2026-03-01'],
      start: '2025-12-01',
      end: '2026-02-28',
      stagger: 3,
      rows: 4,
    },
    { dates: ['2024-02-29', '2023-12-05', '2024-01-01'], start: '2023-12-01', end: '2024-02-29', stagger: 3, rows: 3 },
  ])('is $start to $end for $dates', ({ dates, start, end, stagger, rows }) => {
    expect(choose(...dates)).toEqual({ quarter: { stagger, start, end }, rows });
  });

  it('prefers a calendar quarter on a tie, then the later quarter', () => {
    expect(choose('2026-02-10')?.quarter).toEqual({ stagger: 1, start: '2026-01-01', end: '2026-03-31' });
    expect(choose('2026-02-10', '2026-08-10')?.quarter.end).toBe('2026-09-30');
  });

  it('counts rows across batches, and finds none for an empty file', () => {
    const choice = createQuarterChoice();
    expect(choice.choose()).toBeUndefined();
    choice.add(createRowsOn('2026-02-10'));
    choice.add(createRowsOn('2026-05-10', '2026-05-11'));
    expect(choice.choose()).toMatchObject({ quarter: { end: '2026-06-30' }, rows: 2 });
  });
});
