/** Adds rows into the nine boxes of one or many periods, in one pass. Addition commutes: the order of the rows never matters. */
import { AppError } from '../app-error.ts';
import { pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { BooksRow, Kind } from './books-row.ts';
import { TREATMENTS } from './books-row.ts';
import type { BoxSums, Direction, NineBoxes } from './nine-boxes.ts';
import { computeNineBoxes, directionOf } from './nine-boxes.ts';
import { RepeatFinder } from './repeat-finder.ts';
import { findBoxRule } from './treatment-table.ts';

/** A span of days, both ends inside it. */
export type Period = { readonly from: PlainDate; readonly to: PlainDate };

/** What the rows of one period come to; `flagged` counts those that repeat an earlier row of the period. */
export type PeriodTotals = {
  readonly period: Period;
  readonly rows: number;
  readonly flagged: number;
  readonly sums: BoxSums;
  readonly boxes: NineBoxes;
  readonly direction: Direction;
};

/** Takes rows in batches and tells the totals at any moment. */
export type BoxesAccumulator = {
  /** Adds rows; answers those of them that repeat an earlier row inside the same period (usually none). */
  add(rows: readonly BooksRow[]): readonly BooksRow[];
  /** One entry for each period, in the order given. */
  totals(): PeriodTotals[];
  /** The rows so far that no period holds. */
  outsidePeriods(): number;
};

type Slot = { readonly index: number; readonly dateNumber: number };
type RunningPeriod = { readonly period: Period; rows: number; flagged: number; readonly sums: Float64Array };

const NO_REPEATS: readonly BooksRow[] = [];
const SALE_MASKS = maskByTreatment('sale');
const PURCHASE_MASKS = maskByTreatment('purchase');
/** HMRC's form carries at most 13 digits of pounds; rows of at most 11 digits cannot leave the safe integers between two checks. */
const LARGEST_SUM_PENCE = 9_999_999_999_999_99;
const ROWS_BETWEEN_CHECKS = 512;

/** Accumulates into each of the periods (which must not overlap); rows outside all of them are only counted. */
export function accumulateByPeriod(periods: readonly Period[]): BoxesAccumulator {
  refuseOverlaps(periods);
  const running = periods.map((period): RunningPeriod => ({ period, rows: 0, flagged: 0, sums: new Float64Array(10) }));
  const slots = new Map<string, Slot>();
  const repeats = new RepeatFinder();
  let outside = 0;

  const slotOf = (date: PlainDate): Slot => {
    const index = periods.findIndex(({ from, to }) => date >= from && date <= to);
    const slot = { index, dateNumber: slots.size };
    slots.set(date, slot);
    return slot;
  };

  const add = (rows: readonly BooksRow[]): readonly BooksRow[] => {
    let repeated: BooksRow[] | undefined;
    for (let start = 0; start < rows.length; start += ROWS_BETWEEN_CHECKS) {
      const end = Math.min(start + ROWS_BETWEEN_CHECKS, rows.length);
      for (let at = start; at < end; at += 1) {
        const row = rows[at] as BooksRow;
        const slot = slots.get(row.date) ?? slotOf(row.date);
        const target = running[slot.index];
        if (target === undefined) {
          outside += 1;
          continue;
        }
        target.rows += 1;
        addToSums(target.sums, row);
        if (repeats.remember(row, slot.dateNumber)) {
          target.flagged += 1;
          (repeated ??= []).push(row);
        }
      }
      running.forEach(refuseOverflow);
    }
    return repeated ?? NO_REPEATS;
  };

  return { add, totals: () => running.map(totalsOf), outsidePeriods: () => outside };
}

/** The arithmetic alone: adds one row to the sums, which are indexed by box number. */
export function addToSums(sums: Float64Array, row: BooksRow): void {
  const mask = (row.kind === 'sale' ? SALE_MASKS : PURCHASE_MASKS).get(row.treatment) ?? 0;
  for (let box = 1; box < 10; box += 1) if (mask & (1 << box)) sums[box]! += box < 5 ? row.vat_pence : row.net_pence;
}

function totalsOf({ period, rows, flagged, sums }: RunningPeriod): PeriodTotals {
  const exact = (box: number) => pence(sums[box] ?? 0);
  const boxSums = { 1: exact(1), 2: exact(2), 4: exact(4), 6: exact(6), 7: exact(7), 8: exact(8), 9: exact(9) };
  const boxes = computeNineBoxes(boxSums);
  return { period, rows, flagged, sums: boxSums, boxes, direction: directionOf(boxes) };
}

function maskByTreatment(kind: Kind): ReadonlyMap<string, number> {
  return new Map(
    TREATMENTS.map((treatment) => {
      const rule = findBoxRule(kind, treatment);
      return [treatment, [...(rule?.vat ?? []), ...(rule?.net ?? [])].reduce((mask, box) => mask | (1 << box), 0)];
    }),
  );
}

function refuseOverflow({ period, sums }: RunningPeriod): void {
  if (sums.every((sum) => Math.abs(sum) <= LARGEST_SUM_PENCE)) return;
  throw new AppError(
    'impossible',
    'books.sum_too_large',
    `A box of ${period.from} to ${period.to} exceeds what a VAT return can carry (13 digits of pounds).`,
  );
}

function refuseOverlaps(periods: readonly Period[]): void {
  const ordered = periods.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  for (const [index, { from, to }] of ordered.entries()) {
    const next = ordered[index + 1];
    if (from > to || (next && next.from <= to)) throw new RangeError('periods must run forwards and not overlap');
  }
}
