import { toDayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';

/** One column of a rate table, indexed so that interest over any number of days takes two lookups. */
export type RateColumn = {
  /** Day numbers from which each rate applies. */
  readonly starts: readonly number[];
  readonly rates: readonly number[];
  /** The sum of the daily rates from the first start up to each start. */
  readonly sumsBefore: readonly number[];
  readonly verified_to: number;
};

/**
 * A day's share of a yearly rate is 1/365, even in leap years; 10,000 converts from basis points. Source:
 * hmrc/income-tax-view-change-frontend howIsInterestCalculated.
 */
export const INTEREST_DIVISOR = 365 * 10_000;

/** Indexes one column of a table whose rows are in date order. */
export function createRateColumn<Row extends { readonly from: PlainDate }>(
  table: readonly Row[],
  getRate: (row: Row) => number,
  verifiedTo: PlainDate,
): RateColumn {
  const startDays = table.map((row) => toDayNumber(row.from));
  const rates = table.map(getRate);
  const sumsBefore: number[] = [];
  let sum = 0;
  startDays.forEach((start, index) => {
    const previous = startDays[index - 1];
    if (previous !== undefined) sum += (start - previous) * (rates[index - 1] ?? 0);
    sumsBefore.push(sum);
  });
  return { starts: startDays, rates, sumsBefore, verified_to: toDayNumber(verifiedTo) };
}

/**
 * Returns the sum of the daily rates (basis points) for the days after `from`, up to and including `to`, each at the rate in force that
 * day; 0 if `to` isn't later; undefined if the table doesn't go back far enough. Source: CH141140 (2023), CH146460.
 */
export function sumDailyRates(column: RateColumn, from: number, to: number): number | undefined {
  if (to <= from) return 0;
  const first = column.starts[0];
  if (first === undefined || from + 1 < first) return undefined;
  return sumRatesThrough(column, to) - sumRatesThrough(column, from);
}

function sumRatesThrough(column: RateColumn, day: number): number {
  for (let index = column.starts.length - 1; index >= 0; index -= 1) {
    const start = column.starts[index] ?? 0;
    if (start <= day) return (column.sumsBefore[index] ?? 0) + (day - start + 1) * (column.rates[index] ?? 0);
  }
  return 0;
}
