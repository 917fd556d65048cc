import { addDays, addMonths } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { pence, ZERO } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { addMonthsKeepingMonthEnd, getEndOfPeriodBeginning } from '../calendar/month-arithmetic.ts';

/**
 * Type of company that files accounts: private companies and LLPs have 9 months, public companies 6. Source: Companies Act 2006 s442(2); SI
 * 2008/1911 for LLPs.
 */
export type AccountsFiler = 'private' | 'public' | 'llp';

/**
 * Returns when accounts for a financial year are due at Companies House; month ends are kept (30 June + 9 months = 31 March). Source:
 * Companies Act 2006 ss442, 443.
 */
export function getAccountsDueDate(yearEnd: PlainDate, filer: AccountsFiler = 'private'): PlainDate {
  return addMonthsKeepingMonthEnd(yearEnd, getMonthsAllowed(filer));
}

/**
 * Returns when the first accounts are due. For a first period over 12 months: 9 (public: 6) months from the first anniversary of
 * incorporation, or 3 months after the period's end if later; otherwise as for any year. Source: Companies Act 2006 s442(3).
 */
export function getFirstAccountsDueDate(incorporated: PlainDate, periodEnd: PlainDate, filer: AccountsFiler = 'private'): PlainDate {
  if (periodEnd <= getEndOfPeriodBeginning(incorporated, 12)) return getAccountsDueDate(periodEnd, filer);
  // The anniversary is a calendar day: for 28 February 2023 it is 28 February 2024, which isn't a month end.
  const dueFromAnniversary = addMonthsKeepingMonthEnd(addMonths(incorporated, 12), getMonthsAllowed(filer));
  const dueFromPeriodEnd = addMonthsKeepingMonthEnd(periodEnd, 3);
  return dueFromPeriodEnd > dueFromAnniversary ? dueFromPeriodEnd : dueFromAnniversary;
}

/**
 * Returns the dates of a confirmation statement: a review period of 12 months from its first day, then 14 days to file. Filing early
 * restarts the period. Source: Companies Act 2006 s853A.
 */
export function getConfirmationStatementDates(reviewStart: PlainDate): { readonly review_period_end: PlainDate; readonly due: PlainDate } {
  const end = getEndOfPeriodBeginning(reviewStart, 12);
  return { review_period_end: end, due: addDays(end, 14) };
}

/** Penalties in pence for accounts up to 1, 3, 6 and over 6 months late. Source: SI 2008/497 reg 2; tinytax.co.uk (ends of the scale). */
const LATE_ACCOUNTS: Readonly<Record<'private' | 'public', readonly [number, number, number, number]>> = {
  private: [15_000, 37_500, 75_000, 150_000],
  public: [75_000, 150_000, 300_000, 750_000],
};

/** Returns the penalty for late accounts in pence, doubled if last year's were also late. Source: Companies Act 2006 s453; SI 2008/497. */
export function getLateAccountsPenalty(
  due: PlainDate,
  deliveredOn: PlainDate,
  filer: AccountsFiler = 'private',
  wasLateLastYear = false,
): Pence {
  if (deliveredOn <= due) return ZERO;
  const scale = LATE_ACCOUNTS[filer === 'public' ? 'public' : 'private'];
  const step = [1, 3, 6].findIndex((months) => deliveredOn <= addMonths(due, months));
  const penalty = scale[step === -1 ? 3 : step] ?? 0;
  return pence(wasLateLastYear ? penalty * 2 : penalty);
}

function getMonthsAllowed(filer: AccountsFiler): number {
  return filer === 'public' ? 6 : 9;
}
