/** Adds rows to the nine boxes of one or more periods in a single pass. The order of the rows doesn't matter. */
import { AppError } from '../app-error.ts';
import { type Pence, pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import { type VatDirection, BOX_LIMITS } from '../uk-tax/vat/nine-boxes.ts';
import { type BooksRow, BOOKS_KINDS, TREATMENTS } from '../books/books-row.ts';
import { type BoxSums, type NineBoxes, computeNineBoxes } from './nine-boxes.ts';
import { RepeatFinder } from '../books/repeat-finder.ts';
import { type SummedBox, findBoxRule } from './treatment-table.ts';

/** A range of days, including both ends. */
export type Period = { readonly from: PlainDate; readonly to: PlainDate };

/** Totals for one period. `flaggedLines` lists the lines of rows that repeat an earlier row in the period; `flagged` is their number. */
export type PeriodTotals = {
  readonly period: Period;
  readonly rows: number;
  readonly flagged: number;
  readonly flaggedLines: Uint32Array;
  readonly sums: BoxSums;
  readonly boxes: NineBoxes;
  readonly direction: VatDirection;
};

/** Accepts rows in batches, in file order. */
export type BoxesAccumulator = {
  add(rows: readonly BooksRow[]): void;
  /** Returns one entry per period, in the order given. Throws AppError "impossible" if a box exceeds the limit for a return. */
  totals(): PeriodTotals[];
  /** Returns how many rows so far fall outside all periods. */
  countOutsideRows(): number;
};

/** The sums for one period by kind and treatment: net and VAT for sales and purchases, which makes four numbers per treatment. */
type TreatmentSums = Float64Array;
type RunningPeriod = { readonly period: Period; rows: number; readonly sums: TreatmentSums; readonly repeats: RepeatFinder };
type DateSlot = { readonly target: RunningPeriod | undefined; readonly dateNumber: number };

const SUMS_PER_TREATMENT = 4;
const FIRST_SUM_INDEX: ReadonlyMap<string, number> = new Map(TREATMENTS.map((treatment, index) => [treatment, index * SUMS_PER_TREATMENT]));
/** Boxes 6 to 9 allow thirteen digits of pounds, like boxes 1 to 4. */
const MAX_BOX_PENCE = BOX_LIMITS.boxes1To4;
/** An amount has at most 11 digits of pounds, so the sum of this many rows stays a safe integer. */
const ROWS_BETWEEN_CHECKS = 512;

/** Accumulates rows into each period; the periods must not overlap. Rows outside all of them are only counted. */
export function createBoxesAccumulator(periods: readonly Period[]): BoxesAccumulator {
  assertNoOverlaps(periods);
  const runningPeriods = periods.map((period) => ({ period, rows: 0, sums: createTreatmentSums(), repeats: new RepeatFinder() }));
  const slots = new Map<string, DateSlot>();
  let outsideCount = 0;

  const createSlot = (date: PlainDate): DateSlot => {
    const target = runningPeriods.find(({ period }) => date >= period.from && date <= period.to);
    const slot = { target, dateNumber: slots.size };
    slots.set(date, slot);
    return slot;
  };

  const add = (rows: readonly BooksRow[]): void => {
    for (let start = 0; start < rows.length; start += ROWS_BETWEEN_CHECKS) {
      const end = Math.min(start + ROWS_BETWEEN_CHECKS, rows.length);
      for (let position = start; position < end; position += 1) {
        const row = rows[position] as BooksRow;
        const { target, dateNumber } = slots.get(row.date) ?? createSlot(row.date);
        if (target === undefined) {
          outsideCount += 1;
          continue;
        }
        target.rows += 1;
        addToTreatmentSums(target.sums, row);
        target.repeats.note(row, dateNumber);
      }
      for (const { period, sums } of runningPeriods) assertNoOverflow(period, sums);
    }
  };

  return { add, totals: () => runningPeriods.map(toPeriodTotals), countOutsideRows: () => outsideCount };
}

/** Creates zero sums for `addToTreatmentSums`. */
export function createTreatmentSums(): TreatmentSums {
  return new Float64Array(TREATMENTS.length * SUMS_PER_TREATMENT);
}

/**
 * Adds a row's net and VAT to the sums for its kind and treatment. Exact while each stays a safe integer. `sumBoxes` applies the treatment
 * table once, at the end.
 */
export function addToTreatmentSums(sums: TreatmentSums, row: Pick<BooksRow, 'kind' | 'treatment' | 'net_pence' | 'vat_pence'>): void {
  const position = (FIRST_SUM_INDEX.get(row.treatment) as number) + (row.kind === 'sale' ? 0 : 2);
  sums[position] = (sums[position] as number) + row.net_pence;
  sums[position + 1] = (sums[position + 1] as number) + row.vat_pence;
}

/** Applies the treatment table to sums by treatment. Throws AppError "impossible" if a box exceeds 13 digits of pounds. */
export function sumBoxes(sums: TreatmentSums): BoxSums {
  // Uses BigInt because intermediate sums over all treatments could exceed the safe integers.
  const boxes = new Map<SummedBox, bigint>();
  const addToBox = (box: SummedBox, amount: number) => boxes.set(box, (boxes.get(box) ?? 0n) + BigInt(amount));
  for (const [index, treatment] of TREATMENTS.entries()) {
    for (const [offset, kind] of BOOKS_KINDS.entries()) {
      const rule = findBoxRule(kind, treatment);
      const position = index * SUMS_PER_TREATMENT + offset * 2;
      for (const box of rule?.net ?? []) addToBox(box, sums[position] ?? 0);
      for (const box of rule?.vat ?? []) addToBox(box, sums[position + 1] ?? 0);
    }
  }
  const getExactPence = (box: SummedBox): Pence => {
    const amount = boxes.get(box) ?? 0n;
    if (isTooLarge(Number(amount))) throw createTooLargeError(`Box ${box}`);
    return pence(Number(amount));
  };
  return {
    1: getExactPence(1),
    2: getExactPence(2),
    4: getExactPence(4),
    6: getExactPence(6),
    7: getExactPence(7),
    8: getExactPence(8),
    9: getExactPence(9),
  };
}

function toPeriodTotals({ period, rows, sums, repeats }: RunningPeriod): PeriodTotals {
  const boxSums = sumBoxes(sums);
  const flaggedLines = repeats.findRepeatLines();
  return { period, rows, flagged: flaggedLines.length, flaggedLines, sums: boxSums, ...computeNineBoxes(boxSums) };
}

function assertNoOverflow({ from, to }: Period, sums: TreatmentSums): void {
  for (const sum of sums) if (isTooLarge(sum)) throw createTooLargeError(`The sum of the rows from ${from} to ${to}`);
}

function isTooLarge(amount: number): boolean {
  return amount > MAX_BOX_PENCE || amount < -MAX_BOX_PENCE;
}

function createTooLargeError(subject: string): AppError {
  return new AppError(
    'impossible',
    'books.sum_too_large',
    `${subject} has more than 13 digits before the decimal point, which is too large for a VAT return. Check the amounts.`,
  );
}

function assertNoOverlaps(periods: readonly Period[]): void {
  const sortedPeriods = periods.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  for (const [index, { from, to }] of sortedPeriods.entries()) {
    const next = sortedPeriods[index + 1];
    if (from > to || (next && next.from <= to)) throw new RangeError('periods must be in order and must not overlap');
  }
}
