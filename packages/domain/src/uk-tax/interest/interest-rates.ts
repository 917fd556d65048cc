import { plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { addWorkingDays } from '../calendar/working-days.ts';
import { findRowInForce } from '../dated-table.ts';
import type { DatedRow } from '../dated-table.ts';
import { createUnknown, known } from '../known.ts';
import type { Known } from '../known.ts';

/** Yearly rates in basis points (750 = 7.50%) from a given day. The newest row records the day up to which it has been verified. */
export type InterestRow = DatedRow & {
  readonly late_payment_bps: number;
  readonly repayment_bps: number;
  readonly verified_to?: PlainDate;
};

/** The rates of one day; `estimate` is true after the table's verified date. */
export type InterestRates = { readonly late_payment_bps: number; readonly repayment_bps: number; readonly estimate: boolean };

const SOURCE_CODE = 'smart-answers self_assessment_penalties.rb; self-service-time-to-pay-frontend conf/interestRates.csv';
const BASE = `${SOURCE_CODE}; repayment: base rate less 1%, at least 0.5% (SI 2011/2446)`;

/**
 * HMRC interest for every tax except corporation tax instalments. Add new rates at the end, with `verified_to`.
 * Late payment: base rate + 2.5% to 5 April 2025, + 4% from 6 April 2025; repayment: base rate - 1%, at least 0.5% (SI 2011/2446).
 * January 2022 uses GOV.UK's corrected date; both of HMRC's code tables say the 4th.
 */
export const INTEREST_RATES: readonly InterestRow[] = [
  { from: plainDate('2009-09-29'), late_payment_bps: 300, repayment_bps: 50, source: BASE },
  { from: plainDate('2016-08-23'), late_payment_bps: 275, repayment_bps: 50, source: BASE },
  { from: plainDate('2017-11-21'), late_payment_bps: 300, repayment_bps: 50, source: BASE },
  { from: plainDate('2018-08-21'), late_payment_bps: 325, repayment_bps: 50, source: BASE },
  { from: plainDate('2020-03-30'), late_payment_bps: 275, repayment_bps: 50, source: BASE },
  { from: plainDate('2020-04-07'), late_payment_bps: 260, repayment_bps: 50, source: BASE },
  { from: plainDate('2022-01-07'), late_payment_bps: 275, repayment_bps: 50, source: `${BASE}; date: GOV.UK update log` },
  { from: plainDate('2022-02-21'), late_payment_bps: 300, repayment_bps: 50, source: BASE },
  { from: plainDate('2022-04-05'), late_payment_bps: 325, repayment_bps: 50, source: BASE },
  { from: plainDate('2022-05-24'), late_payment_bps: 350, repayment_bps: 50, source: BASE },
  { from: plainDate('2022-07-05'), late_payment_bps: 375, repayment_bps: 50, source: BASE },
  { from: plainDate('2022-08-23'), late_payment_bps: 425, repayment_bps: 75, source: BASE },
  { from: plainDate('2022-10-11'), late_payment_bps: 475, repayment_bps: 125, source: BASE },
  { from: plainDate('2022-11-22'), late_payment_bps: 550, repayment_bps: 200, source: BASE },
  { from: plainDate('2023-01-06'), late_payment_bps: 600, repayment_bps: 250, source: BASE },
  { from: plainDate('2023-02-21'), late_payment_bps: 650, repayment_bps: 300, source: BASE },
  { from: plainDate('2023-04-13'), late_payment_bps: 675, repayment_bps: 325, source: BASE },
  { from: plainDate('2023-05-31'), late_payment_bps: 700, repayment_bps: 350, source: `${BASE}; diacrongroup.com` },
  { from: plainDate('2023-07-11'), late_payment_bps: 750, repayment_bps: 400, source: BASE },
  { from: plainDate('2023-08-22'), late_payment_bps: 775, repayment_bps: 425, source: `${BASE}; CH146060` },
  { from: plainDate('2024-08-20'), late_payment_bps: 750, repayment_bps: 400, source: BASE },
  { from: plainDate('2024-11-26'), late_payment_bps: 725, repayment_bps: 375, source: BASE },
  { from: plainDate('2025-02-25'), late_payment_bps: 700, repayment_bps: 350, source: BASE },
  { from: plainDate('2025-04-06'), late_payment_bps: 850, repayment_bps: 350, source: `${BASE}; rossmartin.co.uk` },
  { from: plainDate('2025-05-28'), late_payment_bps: 825, repayment_bps: 325, source: `${BASE}; cleveraccounts.com` },
  { from: plainDate('2025-08-27'), late_payment_bps: 800, repayment_bps: 300, source: `${BASE}; streets.uk` },
  {
    from: plainDate('2026-01-09'),
    late_payment_bps: 775,
    repayment_bps: 275,
    verified_to: plainDate('2026-08-21'),
    source: `${SOURCE_CODE}; GOV.UK, 19 December 2025`,
  },
];

/**
 * Returns the rates in force on a day; unknown before 29 September 2009, an estimate after the verified date. Source: FA 2009 ss101-102; SI
 * 2011/2446.
 */
export function getInterestRates(date: PlainDate): Known<InterestRates> {
  const row = findRowInForce(INTEREST_RATES, date);
  if (row === undefined) return createUnknown(UNKNOWN_EARLY_RATES);
  return known({ late_payment_bps: row.late_payment_bps, repayment_bps: row.repayment_bps, estimate: date > RATES_VERIFIED_TO });
}

/** The day up to which we've verified the newest rates; results beyond it are estimates. */
export const RATES_VERIFIED_TO: PlainDate = getVerifiedTo(INTEREST_RATES);

/** The message for dates before the first row. */
export const UNKNOWN_EARLY_RATES = `HMRC interest rates before ${INTEREST_RATES[0]?.from ?? ''}`;

/**
 * Returns when a base rate change takes effect for HMRC's rates: the 13th working day after the announcement. Source: SI 2011/2446 regs 2,
 * 4.
 */
export function getRateChangeDate(announcedOn: PlainDate): Known<PlainDate> {
  return addWorkingDays(announcedOn, 13);
}

/** Returns the verified date of a table's newest row. Throws a RangeError if there isn't one, which is a bug. */
export function getVerifiedTo(table: readonly { readonly verified_to?: PlainDate }[]): PlainDate {
  const day = table.at(-1)?.verified_to;
  if (day === undefined) throw new RangeError('the newest row of a rate table must have verified_to');
  return day;
}
