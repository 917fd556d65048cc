import { addDays, getEndOfMonth } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { getEndOfMonthAfter, addMonthsClamped } from '../calendar/month-arithmetic.ts';
import { getPaymentDays } from '../calendar/payment-days.ts';
import type { PaymentDays } from '../calendar/payment-days.ts';
import { addWorkingDays } from '../calendar/working-days.ts';
import { createUnknown, known, mapKnown } from '../known.ts';
import type { Known } from '../known.ts';

/**
 * The due date of a VAT return and the last day for each payment method. A Direct Debit must be set up two working days before the due date
 * and is collected on the third working day after it.
 */
export type VatPaymentDays = PaymentDays & {
  readonly direct_debit_set_up_by: Known<PlainDate>;
  readonly direct_debit_collected: Known<PlainDate>;
};

/**
 * Returns when a VAT return and its electronic payment are due, including nil and repayment returns: the last day of the month after the
 * one in which the period ends, plus 7 days. Unknown for a period that doesn't end at a month end: HMRC sets that date, so use the
 * obligation's (VDSOG400). Not for annual accounting or payments on account, which don't get the 7 days. Source: VAT Regulations 1995 regs
 * 25, 25A, 40; VATAC1300.
 */
export function getVatDueDate(periodEnd: PlainDate): Known<PlainDate> {
  if (periodEnd !== getEndOfMonth(periodEnd))
    return createUnknown('the due date of a VAT period that ends mid-month (HMRC sets it, so see the obligation)');
  return known(addDays(getEndOfMonthAfter(periodEnd, 1), 7));
}

/** Returns the due date with the last day for each payment method. Source: VATAC1300; alphagov/smart-answers vat_payment_deadlines. */
export function getVatPaymentDays(periodEnd: PlainDate): Known<VatPaymentDays> {
  return mapKnown(getVatDueDate(periodEnd), (due) => ({
    ...getPaymentDays(due),
    direct_debit_set_up_by: addWorkingDays(due, -2),
    direct_debit_collected: addWorkingDays(due, 3),
  }));
}

/**
 * Returns when the final return after deregistration is due: one month after the cancellation, plus 7 days. Source: policy paper VAT
 * (Amendment) Regulations 2025.
 */
export function getFinalVatReturnDueDate(cancelledOn: PlainDate): PlainDate {
  return addDays(addMonthsClamped(cancelledOn, 1), 7);
}
