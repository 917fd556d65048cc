/** The 12-month turnover at the end of each month that a client's books cover. */
import { addMonths, getEndOfMonth, type PlainDate } from '../plain-date.ts';
import { getYearStart } from './turnover.ts';

/** The sums of one month of the books. `start` is its first day. */
export type BooksMonth = {
  readonly start: PlainDate;
  readonly sales_without_vat: number;
  readonly taxable_pence: number;
  readonly bad_debt_pence: number;
};

export type BooksTurnover = {
  readonly end: PlainDate;
  readonly sums: { readonly turnover_pence: number; readonly bad_debt_pence: number };
};

type BooksCoverage = {
  /** The days of the first row and of the first sale. */
  readonly firstDay: PlainDate;
  readonly firstSale: PlainDate | null;
  /** The end of the last whole month. */
  readonly lastEnd: PlainDate;
  /** Months that end earlier are left out. */
  readonly earliestEnd: PlainDate;
  readonly registeredOn: PlainDate | null;
};

/**
 * Lists the month ends whose 12 months the books cover, newest first, and those of them whose turnover is unknown, because the books may
 * lack sales: they begin later, have sales without VAT as before a registration, or the client was registered after the first day.
 */
export function listBooksTurnovers(
  months: readonly BooksMonth[],
  { firstDay, firstSale, lastEnd, earliestEnd, registeredOn }: BooksCoverage,
): { readonly known: readonly BooksTurnover[]; readonly unknown: readonly PlainDate[] } {
  const [knownTurnovers, unknownMonthEnds]: [BooksTurnover[], PlainDate[]] = [[], []];
  for (let end = lastEnd; end >= earliestEnd; end = getEndOfMonth(addMonths(end, -1))) {
    const start = getYearStart(end);
    if (start < firstDay) break;
    const year = months.filter((month) => month.start >= start && month.start <= end);
    const isWhole = firstSale !== null && firstSale <= start && (registeredOn === null || registeredOn <= start);
    const sum = (get: (month: BooksMonth) => number): number => year.reduce((total, month) => total + get(month), 0);
    if (!isWhole || sum((month) => month.sales_without_vat) > 0) unknownMonthEnds.push(end);
    else
      knownTurnovers.push({
        end,
        sums: { turnover_pence: sum((month) => month.taxable_pence), bad_debt_pence: sum((month) => month.bad_debt_pence) },
      });
  }
  return { known: knownTurnovers, unknown: unknownMonthEnds };
}
