import { countDaysBetween, plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { getEndOfPeriodBeginning } from '../calendar/month-arithmetic.ts';
import type { Pence } from '../../money.ts';
import type { InstalmentPayer } from './instalments.ts';

/** Facts that decide whether a company pays in instalments. */
export type CompanyPeriod = {
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly profits: Pence;
  readonly liability: Pence;
  /** Associated companies excluding this one (before 1 April 2023: related 51% group companies). */
  readonly associatedCompanies: number;
  /**
   * True if the company was large, or had no accounting period, in the previous 12 months; a large company then doesn't get a year of
   * grace.
   */
  readonly was_large_before: boolean;
};

/** Yearly limits in pence. Source: SI 1998/3175 reg 3; GOV.UK "Pay Corporation Tax if you're a large company"; CTM92520, CTM92800. */
const LARGE_ABOVE = 150_000_000n;
const GRACE_UP_TO = 1_000_000_000n;
const VERY_LARGE_ABOVE = 2_000_000_000n;
const LIABILITY_FROM = 1_000_000n;
const VERY_LARGE_FROM = plainDate('2019-04-01');

/**
 * Returns whether and how a company pays in instalments; undefined if it makes a single payment. Limits are divided by the number of
 * associated companies plus this one, and scaled by days over 365 for periods under 12 months. A company doesn't pay in instalments if its
 * liability is under 10,000 pounds a year, or in its first large year with profits up to 10 million. Source: SI 1998/3175 reg 3; CTM92520,
 * CTM92800.
 */
export function getInstalmentPayer(period: CompanyPeriod): InstalmentPayer | undefined {
  const companies = BigInt(period.associatedCompanies + 1);
  // Checks whether an amount exceeds the yearly limit scaled to the period. Compares amount x 365 x companies with limit x days, so that
  // only whole numbers are used.
  const days = isWholeYear(period) ? 365n : BigInt(countDaysBetween(period.start, period.end) + 1);
  const isAbove = (amount: Pence, limit: bigint, shared: bigint): boolean => BigInt(amount) * 365n * shared > limit * days;
  if (BigInt(period.liability) * 365n < LIABILITY_FROM * days) return undefined;
  if (!isAbove(period.profits, LARGE_ABOVE, companies)) return undefined;
  if (period.start >= VERY_LARGE_FROM && isAbove(period.profits, VERY_LARGE_ABOVE, companies)) return 'very_large';
  return period.was_large_before || isAbove(period.profits, GRACE_UP_TO, companies) ? 'large' : undefined;
}

function isWholeYear(period: CompanyPeriod): boolean {
  return period.end === getEndOfPeriodBeginning(period.start, 12);
}
