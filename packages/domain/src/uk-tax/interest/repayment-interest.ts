import { dayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { shareOf } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { known, notKnown } from '../known.ts';
import type { Known } from '../known.ts';
import { INTEREST_DIVISOR, rateColumn, rateDays } from './accrual.ts';
import type { RateColumn } from './accrual.ts';
import { BEFORE_RATES, INTEREST_RATES, RATES_VERIFIED_TO } from './interest-rates.ts';
import type { Interest } from './late-payment-interest.ts';

/** Days that do not count: from HMRC's notice (or an earlier return's due date) to the day before HMRC received what it waited for. */
export type Stop = { readonly from: PlainDate; readonly until: PlainDate };

const REPAYMENT: RateColumn = rateColumn(INTEREST_RATES, (row) => row.repayment_bps, RATES_VERIFIED_TO);

/**
 * Interest that HMRC owes on a VAT credit, from the day after the later of the return's due date and filing date
 * to the day of repayment, excluding days in a stop. Over 365, simple, rounded half up once.
 * Source: FA 2009 s102, Sch 54 paras 5, 12E; CH146040, CH146060, CH146430-146460.
 */
export function vatRepaymentInterest(facts: {
  readonly amount: Pence;
  readonly return_due: PlainDate;
  readonly return_filed: PlainDate;
  readonly repaid: PlainDate;
  readonly stops?: readonly Stop[];
}): Known<Interest> {
  const start = facts.return_filed > facts.return_due ? facts.return_filed : facts.return_due;
  return repaymentInterest(facts.amount, start, facts.repaid, facts.stops ?? []);
}

/** Interest on overpaid tax, from the later of the payment date and due date; paying early earns nothing. Source: CH146040. */
export function overpaymentInterest(amount: Pence, due: PlainDate, paid: PlainDate, repaid: PlainDate): Known<Interest> {
  return repaymentInterest(amount, paid > due ? paid : due, repaid, []);
}

function repaymentInterest(amount: Pence, startsOn: PlainDate, repaid: PlainDate, stops: readonly Stop[]): Known<Interest> {
  let sum = 0;
  let days = 0;
  let last = 0;
  for (const [from, to] of stretches(dayNumber(startsOn), dayNumber(repaid), stops)) {
    const part = rateDays(REPAYMENT, from, to);
    if (part === undefined) return notKnown(BEFORE_RATES);
    sum += part;
    days += to - from;
    last = to;
  }
  const owed = amount > 0 ? amount : 0;
  return known({ interest: shareOf(owed, sum, INTEREST_DIVISOR, 'half-away'), days, estimate: last > REPAYMENT.verified_to });
}

/** The ranges (after `from`, up to and including `to`) that remain after removing the stops, which may overlap and be in any order. */
function stretches(from: number, to: number, stops: readonly Stop[]): readonly (readonly [number, number])[] {
  const left: [number, number][] = [];
  let reached = from;
  for (const stop of stops.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    // The day of the notice is the first excluded day; the day the answer arrives counts again.
    const [lastBefore, lastStopped] = [dayNumber(stop.from) - 1, dayNumber(stop.until) - 1];
    if (lastStopped <= lastBefore || lastStopped <= reached || lastBefore >= to) continue;
    if (lastBefore > reached) left.push([reached, lastBefore]);
    reached = lastStopped;
  }
  if (reached < to) left.push([reached, to]);
  return left;
}
