import type { PlainDate } from '../../plain-date.ts';
import { getDayAfterCorresponding } from '../calendar/month-arithmetic.ts';

/**
 * Returns when corporation tax for a period is due: nine months and one day after its end; from a month end, the 1st of the tenth month. 31
 * March 1999 -> 1 January 2000; 28 February 2000 -> 29 November 2000; 29 May 2000 -> 1 March 2001. Source: TMA 1970 s59D; CTM01800.
 */
export function getCorporationTaxDueDate(periodEnd: PlainDate): PlainDate {
  return getDayAfterCorresponding(periodEnd, 9);
}
