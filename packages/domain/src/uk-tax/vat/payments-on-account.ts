import { calculateShare } from '../../money.ts';
import type { Pence } from '../../money.ts';
import type { PlainDate } from '../../plain-date.ts';
import { getEndOfMonthAfter } from '../calendar/month-arithmetic.ts';
import { getLastWorkingDayOnOrBefore } from '../calendar/working-days.ts';
import type { Known } from '../known.ts';

/** A payment on account and the last working day to pay it. Direct Debit isn't available. */
export type VatPaymentOnAccount = { readonly month_end: PlainDate; readonly due: Known<PlainDate>; readonly amount: Pence };

/**
 * Returns the two payments of a quarter, at the ends of its second and third months, each 1/24 of annual VAT rounded down. Source: VDSOG400
 * (dates); 1/24 unconfirmed, see docs/uk-tax-sources.md.
 */
export function listVatPaymentsOnAccount(quarterStart: PlainDate, annualVat: Pence): readonly VatPaymentOnAccount[] {
  return [1, 2].map((months) => {
    const monthEnd = getEndOfMonthAfter(quarterStart, months);
    return { month_end: monthEnd, due: getLastWorkingDayOnOrBefore(monthEnd), amount: calculateShare(annualVat, 1, 24, 'down') };
  });
}

/**
 * Returns when the return and balance for a payments on account quarter are due: the last working day of the following month, without the 7
 * days. Source: VATAC1300, VDSOG400.
 */
export function getPaymentsOnAccountReturnDueDate(quarterEnd: PlainDate): Known<PlainDate> {
  return getLastWorkingDayOnOrBefore(getEndOfMonthAfter(quarterEnd, 1));
}
