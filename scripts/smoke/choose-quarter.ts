/** Chooses a books file's VAT quarter: the one with the most rows, across all staggers. */
import { addMonths, createPlainDate, getEndOfMonth, type PlainDate } from '@portal/domain/plain-date.ts';
import type { BooksRow } from '@portal/domain/books/books-row.ts';

/** `stagger` 1 ends quarters in March, 2 in January and 3 in February, and in every third month after that. */
export type Quarter = { readonly stagger: 1 | 2 | 3; readonly start: PlainDate; readonly end: PlainDate };
export type ChosenQuarter = { readonly quarter: Quarter; readonly rows: number };

const MONTH_LENGTH = 'YYYY-MM'.length;

/** Counts rows by month as batches arrive. In a tie, calendar quarters win, then the later quarter. */
export function createQuarterChoice(): { add(rows: readonly BooksRow[]): void; choose(): ChosenQuarter | undefined } {
  const rowsByMonth = new Map<string, number>();
  return {
    add: (rows) => {
      for (const { date } of rows) {
        const month = date.slice(0, MONTH_LENGTH);
        rowsByMonth.set(month, (rowsByMonth.get(month) ?? 0) + 1);
      }
    },
    choose: () => {
      const candidates = [...rowsByMonth.keys()].flatMap((month) => [0, 1, 2].map((offset) => getQuarterEndingWith(month, offset)));
      let bestQuarter: ChosenQuarter | undefined;
      for (const quarter of candidates) {
        const candidate = { quarter, rows: countRows(rowsByMonth, quarter) };
        if (bestQuarter === undefined || isBetter(candidate, bestQuarter)) bestQuarter = candidate;
      }
      return bestQuarter;
    },
  };
}

/** Returns the quarter that ends `monthsLater` months after this month. */
function getQuarterEndingWith(month: string, monthsLater: number): Quarter {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return getQuarterEndingInMonth(addMonths(createPlainDate(year, number, 1), monthsLater));
}

/** Returns the quarter whose last month contains the day. */
export function getQuarterEndingInMonth(day: PlainDate): Quarter {
  const end = getEndOfMonth(day);
  const remainder = Number(end.slice(5, 7)) % 3;
  const firstOfLastMonth = createPlainDate(Number(end.slice(0, 4)), Number(end.slice(5, 7)), 1);
  return { stagger: remainder === 0 ? 1 : remainder === 1 ? 2 : 3, start: addMonths(firstOfLastMonth, -2), end };
}

function countRows(rowsByMonth: ReadonlyMap<string, number>, { start }: Quarter): number {
  return [0, 1, 2].reduce((sum, offset) => sum + (rowsByMonth.get(addMonths(start, offset).slice(0, MONTH_LENGTH)) ?? 0), 0);
}

function isBetter(a: ChosenQuarter, b: ChosenQuarter): boolean {
  if (a.rows !== b.rows) return a.rows > b.rows;
  if (a.quarter.stagger !== b.quarter.stagger) return a.quarter.stagger < b.quarter.stagger;
  return a.quarter.end > b.quarter.end;
}
