import { dayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';

/** One column of a rate table, laid out so that interest over any stretch of days is two look-ups. */
export type RateColumn = {
  /** Day numbers from which each rate holds. */
  readonly starts: readonly number[];
  readonly rates: readonly number[];
  /** The sum of the daily rates of all days before each start, from the first start on. */
  readonly before: readonly number[];
  readonly verified_to: number;
};

/** A day's share of a yearly rate is 1/365, in leap years too; 10,000 makes basis points of a whole. Authority: hmrc/income-tax-view-change-frontend howIsInterestCalculated. */
export const INTEREST_DIVISOR = 365 * 10_000;

/** Lays out one column of a table whose rows stand in order of their dates. */
export function rateColumn<Row extends { readonly from: PlainDate }>(
  table: readonly Row[],
  rateOf: (row: Row) => number,
  verifiedTo: PlainDate,
): RateColumn {
  const starts = table.map((row) => dayNumber(row.from));
  const rates = table.map(rateOf);
  const before: number[] = [];
  let sum = 0;
  starts.forEach((start, index) => {
    const previous = starts[index - 1];
    if (previous !== undefined) sum += (start - previous) * (rates[index - 1] ?? 0);
    before.push(sum);
  });
  return { starts, rates, before, verified_to: dayNumber(verifiedTo) };
}

/**
 * The sum of the daily rates (basis points) of the days after `from` up to and including `to`, each at the rate in force that day;
 * 0 where `to` is not later; undefined where the table does not reach back so far. Authority: CH141140 (2023), CH146460.
 */
export function rateDays(column: RateColumn, from: number, to: number): number | undefined {
  if (to <= from) return 0;
  const first = column.starts[0];
  if (first === undefined || from + 1 < first) return undefined;
  return sumThrough(column, to) - sumThrough(column, from);
}

function sumThrough(column: RateColumn, day: number): number {
  for (let index = column.starts.length - 1; index >= 0; index -= 1) {
    const start = column.starts[index] ?? 0;
    if (start <= day) return (column.before[index] ?? 0) + (day - start + 1) * (column.rates[index] ?? 0);
  }
  return 0;
}
