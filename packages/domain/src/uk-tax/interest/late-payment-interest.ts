import { dayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { shareOf, sumOfShares } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { known, notKnown } from '../known.ts';
import type { Known } from '../known.ts';
import { INTEREST_DIVISOR, rateColumn, rateDays } from './accrual.ts';
import type { RateColumn } from './accrual.ts';
import { INSTALMENT_RATES, INSTALMENT_RATES_VERIFIED_TO } from './instalment-rates.ts';
import { BEFORE_RATES, INTEREST_RATES, RATES_VERIFIED_TO } from './interest-rates.ts';

/** A payment HMRC received on a day. */
export type Payment = { readonly date: PlainDate; readonly amount: Pence };

/** Interest in pence (never negative), the days up to the last payment, and whether it uses a rate after the verified date. */
export type Interest = { readonly interest: Pence; readonly days: number; readonly estimate: boolean };

const LATE: RateColumn = rateColumn(INTEREST_RATES, (row) => row.late_payment_bps, RATES_VERIFIED_TO);
const INSTALMENT_DEBIT: RateColumn = rateColumn(INSTALMENT_RATES, (row) => row.debit_bps, INSTALMENT_RATES_VERIFIED_TO);

/**
 * Interest on an amount paid in one sum after its due date: for each day after the due date up to and including payment, at the rate
 * of that day, over 365, simple, rounded half up once. For all taxes except corporation tax instalments. Source: FA 2009 s101; CH140220,
 * CH141140.
 */
export function latePaymentInterest(amount: Pence, due: PlainDate, paid: PlainDate): Known<Interest> {
  return accrued(LATE, amount, dayNumber(due), dayNumber(paid), BEFORE_RATES);
}

/**
 * The same with part payments: each reduces the principal from its own day; the rest runs to `until` (today, for an open debt).
 * Overpayments earn nothing here. Without `until`, an unpaid rest bears no interest. Source: FA 2009 s101; CH141140.
 */
export function latePaymentInterestOnParts(
  amount: Pence,
  due: PlainDate,
  payments: readonly Payment[],
  until?: PlainDate,
): Known<Interest> {
  const start = dayNumber(due);
  const end = until === undefined ? undefined : dayNumber(until);
  let open: number = amount > 0 ? amount : 0;
  const terms: [number, number][] = [];
  let last = start;
  const run = (part: number, day: number): boolean => {
    const sum = rateDays(LATE, start, day);
    if (sum === undefined) return false;
    terms.push([part, sum]);
    if (part > 0 && day > last) last = day;
    return true;
  };
  for (const payment of inOrder(payments)) {
    const day = dayNumber(payment.date);
    if (end !== undefined && day > end) continue;
    const part = payment.amount < open ? payment.amount : open;
    if (part > 0 && !run(part, day)) return notKnown(BEFORE_RATES);
    open -= part > 0 ? part : 0;
  }
  if (end !== undefined && open > 0 && !run(open, end)) return notKnown(BEFORE_RATES);
  return known({ interest: sumOfShares(terms, INTEREST_DIVISOR, 'half-away'), days: last - start, estimate: last > LATE.verified_to });
}

/**
 * Interest in pence for a number of days at one rate in basis points, as in HMRC's worked example. Source:
 * hmrc/income-tax-view-change-frontend howIsInterestCalculated.
 */
export function interestAtRate(amount: Pence, days: number, rateBps: number): Pence {
  return shareOf(amount, days * rateBps, INTEREST_DIVISOR, 'half-away');
}

/**
 * Interest on a corporation tax instalment paid late: the instalment rate up to the period's normal due date, the ordinary rate after it.
 * Unknown for days before November 2022. Source: TMA 1970 s87A with SI 1998/3175 reg 7.
 */
export function instalmentInterest(amount: Pence, due: PlainDate, paid: PlainDate, normalDueDate: PlainDate): Known<Interest> {
  const [start, end, turn] = [dayNumber(due), dayNumber(paid), dayNumber(normalDueDate)];
  if (end <= start) return accrued(LATE, amount, start, start, BEFORE_RATES);
  const early = rateDays(INSTALMENT_DEBIT, start, turn < end ? turn : end);
  const late = rateDays(LATE, turn > start ? turn : start, end);
  if (early === undefined || late === undefined) return notKnown('interest rates on corporation tax instalments before 2022-11-14');
  const verified = end <= turn ? INSTALMENT_DEBIT.verified_to : LATE.verified_to;
  return known({ interest: shareOf(amount, early + late, INTEREST_DIVISOR, 'half-away'), days: end - start, estimate: end > verified });
}

/** Payments in date order. */
export function inOrder(payments: readonly Payment[]): readonly Payment[] {
  return payments.length < 2 ? payments : payments.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/**
 * Interest on an amount at one column's rates for the days after `from` up to `to`, as day numbers. `missing` names what is unknown before
 * the table.
 */
export function accrued(column: RateColumn, amount: number, from: number, to: number, missing: string): Known<Interest> {
  const sum = rateDays(column, from, to);
  if (sum === undefined) return notKnown(missing);
  const days = to > from ? to - from : 0;
  return known({
    interest: shareOf(amount > 0 ? amount : 0, sum, INTEREST_DIVISOR, 'half-away'),
    days,
    estimate: days > 0 && to > column.verified_to,
  });
}
