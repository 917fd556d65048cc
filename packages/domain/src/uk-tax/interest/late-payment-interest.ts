import { toDayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { calculateShare, sumShares } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { createUnknown, known } from '../known.ts';
import type { Known } from '../known.ts';
import { INTEREST_DIVISOR, createRateColumn, sumDailyRates } from './accrual.ts';
import type { RateColumn } from './accrual.ts';
import { INSTALMENT_RATES, INSTALMENT_RATES_VERIFIED_TO } from './instalment-rates.ts';
import { UNKNOWN_EARLY_RATES, INTEREST_RATES, RATES_VERIFIED_TO } from './interest-rates.ts';

/** A payment that HMRC received on a day. */
export type Payment = { readonly date: PlainDate; readonly amount: Pence };

/** Interest in pence (never negative), the days up to the last payment, and whether it uses a rate after the verified date. */
export type Interest = { readonly interest: Pence; readonly days: number; readonly estimate: boolean };

const LATE_PAYMENT_RATES: RateColumn = createRateColumn(INTEREST_RATES, (row) => row.late_payment_bps, RATES_VERIFIED_TO);
const INSTALMENT_DEBIT_RATES: RateColumn = createRateColumn(INSTALMENT_RATES, (row) => row.debit_bps, INSTALMENT_RATES_VERIFIED_TO);

/**
 * Returns the interest on an amount paid in one sum after its due date: simple interest for each day after the due date, up to and
 * including the day of payment, at that day's rate over 365, rounded half up once. For all taxes except corporation tax instalments.
 * Source: FA 2009 s101; CH140220, CH141140.
 */
export function calculateLatePaymentInterest(amount: Pence, due: PlainDate, paidOn: PlainDate): Known<Interest> {
  return accrueInterest(LATE_PAYMENT_RATES, amount, toDayNumber(due), toDayNumber(paidOn), UNKNOWN_EARLY_RATES);
}

/**
 * Returns late payment interest with part payments: each payment reduces the principal from its own day, and the rest accrues interest to
 * `until` (today, for an open debt). Overpayments earn no interest. Without `until`, an unpaid remainder bears no interest. Source: FA 2009
 * s101; CH141140.
 */
export function calculateInterestWithPartPayments(
  amount: Pence,
  due: PlainDate,
  payments: readonly Payment[],
  until?: PlainDate,
): Known<Interest> {
  const start = toDayNumber(due);
  const end = until === undefined ? undefined : toDayNumber(until);
  let remaining: number = amount > 0 ? amount : 0;
  const terms: [number, number][] = [];
  let last = start;
  const addTerm = (part: number, day: number): boolean => {
    const sum = sumDailyRates(LATE_PAYMENT_RATES, start, day);
    if (sum === undefined) return false;
    terms.push([part, sum]);
    if (part > 0 && day > last) last = day;
    return true;
  };
  for (const payment of sortPaymentsByDate(payments)) {
    const day = toDayNumber(payment.date);
    if (end !== undefined && day > end) continue;
    const part = payment.amount < remaining ? payment.amount : remaining;
    if (part > 0 && !addTerm(part, day)) return createUnknown(UNKNOWN_EARLY_RATES);
    remaining -= part > 0 ? part : 0;
  }
  if (end !== undefined && remaining > 0 && !addTerm(remaining, end)) return createUnknown(UNKNOWN_EARLY_RATES);
  return known({
    interest: sumShares(terms, INTEREST_DIVISOR, 'half-away'),
    days: last - start,
    estimate: last > LATE_PAYMENT_RATES.verified_to,
  });
}

/**
 * Returns the interest in pence for a number of days at one rate in basis points, as in HMRC's worked example. Source:
 * hmrc/income-tax-view-change-frontend howIsInterestCalculated.
 */
export function calculateInterestAtRate(amount: Pence, days: number, rateBps: number): Pence {
  return calculateShare(amount, days * rateBps, INTEREST_DIVISOR, 'half-away');
}

/**
 * Returns the interest on a corporation tax instalment paid late: at the instalment rate up to the period's normal due date, then at the
 * ordinary rate. Unknown for days before November 2022. Source: TMA 1970 s87A with SI 1998/3175 reg 7.
 */
export function calculateInstalmentInterest(amount: Pence, due: PlainDate, paidOn: PlainDate, normalDueDate: PlainDate): Known<Interest> {
  const [start, end, switchDay] = [toDayNumber(due), toDayNumber(paidOn), toDayNumber(normalDueDate)];
  if (end <= start) return accrueInterest(LATE_PAYMENT_RATES, amount, start, start, UNKNOWN_EARLY_RATES);
  const instalmentRates = sumDailyRates(INSTALMENT_DEBIT_RATES, start, switchDay < end ? switchDay : end);
  const lateFraction = sumDailyRates(LATE_PAYMENT_RATES, switchDay > start ? switchDay : start, end);
  if (instalmentRates === undefined || lateFraction === undefined)
    return createUnknown('interest rates on corporation tax instalments before 2022-11-14');
  const verifiedTo = end <= switchDay ? INSTALMENT_DEBIT_RATES.verified_to : LATE_PAYMENT_RATES.verified_to;
  return known({
    interest: calculateShare(amount, instalmentRates + lateFraction, INTEREST_DIVISOR, 'half-away'),
    days: end - start,
    estimate: end > verifiedTo,
  });
}

/** Returns the payments in date order. */
export function sortPaymentsByDate(payments: readonly Payment[]): readonly Payment[] {
  return payments.length < 2 ? payments : payments.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/**
 * Returns the interest on an amount at one column's rates, for the days after `from` up to `to`, as day numbers. `missingReason` is the message
 * for days before the start of the table.
 */
export function accrueInterest(column: RateColumn, amount: number, from: number, to: number, missingReason: string): Known<Interest> {
  const sum = sumDailyRates(column, from, to);
  if (sum === undefined) return createUnknown(missingReason);
  const days = to > from ? to - from : 0;
  return known({
    interest: calculateShare(amount > 0 ? amount : 0, sum, INTEREST_DIVISOR, 'half-away'),
    days,
    estimate: days > 0 && to > column.verified_to,
  });
}
