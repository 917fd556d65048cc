/** Relief from VAT on a bad debt (VAT Notice 700/18; VAT Act 1994, section 36; VAT Regulations 1995, part XIX). */
import { calculateShare, type Pence } from '../money.ts';
import { addDays, addMonths, toDateParts, type PlainDate } from '../plain-date.ts';

/** `vatPence` is part of `amountPence`. */
export type BadDebt = {
  readonly amountPence: Pence;
  readonly vatPence: Pence;
  readonly reliefFrom: PlainDate;
  readonly reliefUntil: PlainDate;
};

export type UnpaidInvoice = {
  readonly totalPence: Pence;
  readonly vatPence: Pence;
  readonly unpaidPence: Pence;
  readonly dueOn: PlainDate;
  /** The tax point. */
  readonly suppliedOn: PlainDate;
};

/**
 * Calculates the amount written off, and when its VAT can be claimed: from six months after the later of the due date and the supply, to
 * four years and six months after it. For a partial write-off, the VAT is proportional and never rounded up.
 */
export function calculateBadDebt({ totalPence, vatPence, unpaidPence, dueOn, suppliedOn }: UnpaidInvoice): BadDebt {
  const since = dueOn > suppliedOn ? dueOn : suppliedOn;
  return {
    amountPence: unpaidPence,
    vatPence: calculateShare(vatPence, unpaidPence, totalPence, 'down'),
    reliefFrom: getDayAfterMonths(since, 6),
    reliefUntil: addDays(getDayAfterMonths(since, 54), -1),
  };
}

/** Returns the first day after a number of months that begin on `since`: for six months from 31 August, 1 March. */
function getDayAfterMonths(since: PlainDate, months: number): PlainDate {
  const day = addMonths(since, months);
  return toDateParts(day).day === toDateParts(since).day ? day : addDays(day, 1);
}
