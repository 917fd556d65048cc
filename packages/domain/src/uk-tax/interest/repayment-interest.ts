import { toDayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { calculateShare } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { createUnknown, known } from '../known.ts';
import type { Known } from '../known.ts';
import { INTEREST_DIVISOR, createRateColumn, sumDailyRates } from './accrual.ts';
import type { RateColumn } from './accrual.ts';
import { UNKNOWN_EARLY_RATES, INTEREST_RATES, RATES_VERIFIED_TO } from './interest-rates.ts';
import type { Interest } from './late-payment-interest.ts';

/**
 * Days excluded from interest: from HMRC's notice (or an earlier return's due date) to the day before HMRC received the return or reply
 * that it was waiting for.
 */
export type InterestStop = { readonly from: PlainDate; readonly until: PlainDate };

const REPAYMENT: RateColumn = createRateColumn(INTEREST_RATES, (row) => row.repayment_bps, RATES_VERIFIED_TO);

/**
 * Returns the interest that HMRC owes on a VAT credit, from the day after the later of the return's due date and filing date to the day of
 * repayment, excluding days in a stop. Simple interest over 365, rounded half up once. Source: FA 2009 s102, Sch 54 paras 5, 12E; CH146040,
 * CH146060, CH146430-146460.
 */
export function calculateVatRepaymentInterest(facts: {
  readonly amount: Pence;
  readonly return_due: PlainDate;
  readonly return_filed: PlainDate;
  readonly repaid: PlainDate;
  readonly stops?: readonly InterestStop[];
}): Known<Interest> {
  const start = facts.return_filed > facts.return_due ? facts.return_filed : facts.return_due;
  return calculateRepaymentInterest(facts.amount, start, facts.repaid, facts.stops ?? []);
}

/** Returns the interest on overpaid tax, from the later of the payment date and due date; paying early earns nothing. Source: CH146040. */
export function calculateOverpaymentInterest(amount: Pence, due: PlainDate, paidOn: PlainDate, repaidOn: PlainDate): Known<Interest> {
  return calculateRepaymentInterest(amount, paidOn > due ? paidOn : due, repaidOn, []);
}

function calculateRepaymentInterest(
  amount: Pence,
  startsOn: PlainDate,
  repaidOn: PlainDate,
  stops: readonly InterestStop[],
): Known<Interest> {
  let sum = 0;
  let days = 0;
  let last = 0;
  for (const [from, to] of listRangesWithoutStops(toDayNumber(startsOn), toDayNumber(repaidOn), stops)) {
    const part = sumDailyRates(REPAYMENT, from, to);
    if (part === undefined) return createUnknown(UNKNOWN_EARLY_RATES);
    sum += part;
    days += to - from;
    last = to;
  }
  const owedAmount = amount > 0 ? amount : 0;
  return known({ interest: calculateShare(owedAmount, sum, INTEREST_DIVISOR, 'half-away'), days, estimate: last > REPAYMENT.verified_to });
}

/**
 * Returns the ranges (after `from`, up to and including `to`) that remain after removing the stops, which may overlap and be in any order.
 */
function listRangesWithoutStops(from: number, to: number, stops: readonly InterestStop[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  let rangeStart = from;
  for (const stop of stops.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    // The day of the notice is the first excluded day; the day the reply arrives counts again.
    const [lastDayBefore, lastStoppedDay] = [toDayNumber(stop.from) - 1, toDayNumber(stop.until) - 1];
    if (lastStoppedDay <= lastDayBefore || lastStoppedDay <= rangeStart || lastDayBefore >= to) continue;
    if (lastDayBefore > rangeStart) ranges.push([rangeStart, lastDayBefore]);
    rangeStart = lastStoppedDay;
  }
  if (rangeStart < to) ranges.push([rangeStart, to]);
  return ranges;
}
