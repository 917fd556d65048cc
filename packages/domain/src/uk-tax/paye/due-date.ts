import { createPlainDate, toDateParts } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { getLastTaxMonthOfQuarter, getTaxMonthDates } from '../calendar/paye-tax-month.ts';
import { getPaymentDays } from '../calendar/payment-days.ts';
import type { PaymentDays } from '../calendar/payment-days.ts';
import type { TaxYear } from '../calendar/tax-year.ts';

/** When PAYE for a tax month or quarter is due, in the month in which it ends: on the 22nd if paid electronically, on the 19th by post. */
export type PayeDue = {
  readonly period_start: PlainDate;
  readonly period_end: PlainDate;
  readonly electronic_due: PlainDate;
  readonly post_due: PlainDate;
};

/** Returns the due dates for a tax month (1 to 12). Source: SI 2003/2682 reg 69; DMBM520055. */
export function getPayeMonthDue(taxYear: TaxYear, month: number): PayeDue {
  const { start, end } = getTaxMonthDates(taxYear, month);
  return toPayeDue(start, end);
}

/**
 * Returns the due dates for a quarter (1 to 4), for employers who pay under 1,500 pounds a month on average. Source: SI 2003/2682 reg 70;
 * DMBM520055.
 */
export function getPayeQuarterDue(taxYear: TaxYear, quarter: number): PayeDue {
  const last = getLastTaxMonthOfQuarter(quarter);
  return toPayeDue(getTaxMonthDates(taxYear, last - 2).start, getTaxMonthDates(taxYear, last).end);
}

/**
 * Returns the last dates to send each kind of payment: all except Faster Payments must arrive by the last working day on or before the
 * 22nd. Source: GOV.UK "Pay employers' PAYE".
 */
export function getPayePaymentDays(due: PayeDue): PaymentDays {
  return getPaymentDays(due.electronic_due);
}

/**
 * Returns the due dates after the tax year. Class 1A contributions: 22 July, 19 July by post. PAYE settlement agreements: 22 October, 19
 * October by post. Source: SI 2001/1004 reg 71; SI 2003/2682 Part 6 (unconfirmed, see docs/uk-tax-sources.md).
 */
export function getYearEndPayeDue(
  taxYearEnd: PlainDate,
  kind: 'class_1a' | 'settlement_agreement',
): { readonly electronic_due: PlainDate; readonly post_due: PlainDate } {
  const { year } = toDateParts(taxYearEnd);
  const month = kind === 'class_1a' ? 7 : 10;
  return { electronic_due: createPlainDate(year, month, 22), post_due: createPlainDate(year, month, 19) };
}

function toPayeDue(start: PlainDate, end: PlainDate): PayeDue {
  const { year, month } = toDateParts(end);
  return {
    period_start: start,
    period_end: end,
    electronic_due: createPlainDate(year, month, 22),
    post_due: createPlainDate(year, month, 19),
  };
}
