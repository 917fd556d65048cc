import { plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { applyRate, pence, ZERO } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { addMonthsKeepingMonthEnd } from '../calendar/month-arithmetic.ts';
import { findRowInForce } from '../dated-table.ts';
import type { DatedRow } from '../dated-table.ts';

/** Flat penalties in pence: for a return up to three months late, for a later one, and for both from the third failure in a row. */
type FlatPenaltyRow = DatedRow & {
  readonly within_3_months: Pence;
  readonly later: Pence;
  readonly third_within_3_months: Pence;
  readonly third_later: Pence;
};

/** To change the penalties, add a row at the end. */
const FLAT_PENALTIES: readonly FlatPenaltyRow[] = [
  createFlatPenaltyRow('1900-01-01', [10_000, 20_000, 50_000, 100_000], 'FA 1998 Sch 18 para 17; CTM94040, CTM94050'),
  createFlatPenaltyRow(
    '2026-04-01',
    [20_000, 40_000, 100_000, 200_000],
    'GOV.UK policy paper, 26 November 2025: filing dates on or after 1 April 2026',
  ),
];

/**
 * Returns the flat penalty in pence for a late company tax return; zero if on time. The later amount replaces the first rather than adding
 * to it. `isThirdInARow`: the two preceding periods were also late. Month ends are kept, as HMRC counts in this schedule (CTM94070: 30
 * September + 18 months = 31 March).
 */
export function getCompanyTaxReturnPenalty(filingDate: PlainDate, deliveredOn: PlainDate, isThirdInARow: boolean): Pence {
  if (deliveredOn <= filingDate) return ZERO;
  const row = findRowInForce(FLAT_PENALTIES, filingDate);
  if (row === undefined) return ZERO;
  const isLater = deliveredOn > addMonthsKeepingMonthEnd(filingDate, 3);
  if (isThirdInARow) return isLater ? row.third_later : row.third_within_3_months;
  return isLater ? row.later : row.within_3_months;
}

/**
 * Returns the tax-related penalty on tax unpaid 18 months after the end of the period (or at the filing date if later): 10% if the return
 * was filed within 24 months of the end of the period, otherwise 20%; zero if it was filed within the 18 months. Source: FA 1998 Sch 18
 * para 18; CTM94060.
 */
export function getTaxRelatedPenalty(periodEnd: PlainDate, filingDate: PlainDate, deliveredOn: PlainDate, unpaidAmount: Pence): Pence {
  const eighteenMonthsOn = addMonthsKeepingMonthEnd(periodEnd, 18);
  const from = filingDate > eighteenMonthsOn ? filingDate : eighteenMonthsOn;
  if (deliveredOn <= from || unpaidAmount <= 0) return ZERO;
  return applyRate(unpaidAmount, deliveredOn <= addMonthsKeepingMonthEnd(periodEnd, 24) ? 1000 : 2000, 'half-away');
}

function createFlatPenaltyRow(
  from: string,
  [penaltyWithin, laterPenalty, thirdWithin, thirdLater]: readonly [number, number, number, number],
  source: string,
): FlatPenaltyRow {
  return {
    from: plainDate(from),
    within_3_months: pence(penaltyWithin),
    later: pence(laterPenalty),
    third_within_3_months: pence(thirdWithin),
    third_later: pence(thirdLater),
    source,
  };
}
