import { pence, calculateShare } from '../../money.ts';
import type { Pence, WholePounds } from '../../money.ts';
import { addMonths, type PlainDate } from '../../plain-date.ts';

const LOWER_LIMIT = pence(1_000_000);
const UPPER_LIMIT = pence(5_000_000);

/**
 * Returns the largest net error, in pence, that the next return may correct: 10,000 pounds or, if more, 1% of box 6, at most 50,000.
 * Source: VAEC7180; SI 1995/2518 reg 34. `box6` is from the return that corrects the error.
 */
export function getErrorCorrectionLimit(box6: WholePounds): Pence {
  // 1% of an amount in pounds is that number of pence.
  const share = calculateShare(box6, 1, 1, 'down');
  if (share <= LOWER_LIMIT) return LOWER_LIMIT;
  return share > UPPER_LIMIT ? UPPER_LIMIT : share;
}

/**
 * Returns true if the next return may correct a net error, owed or reclaimed, without disclosure. Never for a deliberate error. Source:
 * VAEC7190.
 */
export function canCorrectOnNextReturn(netError: Pence, box6: WholePounds): boolean {
  return Math.abs(netError) <= getErrorCorrectionLimit(box6);
}

const YEARS_TO_CORRECT = 4;

/**
 * Returns the last day to correct an error: four years after the end of its period or, if too little input tax was claimed, after the due
 * date of its return. Source: VAEC7410.
 */
export function getLastDayToCorrect(periodEndOrDueDate: PlainDate): PlainDate {
  return addMonths(periodEndOrDueDate, 12 * YEARS_TO_CORRECT);
}
