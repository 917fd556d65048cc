import { addDays, getDayOfWeek, plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import type { DatedRow } from '../dated-table.ts';
import { getVerifiedTo } from './interest-rates.ts';

/** Yearly rates on corporation tax instalments in basis points: `debit` for tax paid late, `credit` for tax paid early. */
export type InstalmentRow = DatedRow & { readonly debit_bps: number; readonly credit_bps: number; readonly verified_to?: PlainDate };

const RULE =
  'calculated: base rate + 1% and − 0.25%, from the second Monday after the announcement; this matches every date confirmed below';

/**
 * Interest rates on instalments until the normal due date; ordinary rates apply after it. Add new rates at the end. Debit: base rate + 1%
 * to 5 April 2025, + 2.5% afterwards; credit: base rate - 0.25%. Source: GOV.UK's rate pages, as copied by rossmartin.co.uk and
 * shareef.co.uk.
 */
export const INSTALMENT_RATES: readonly InstalmentRow[] = [
  { from: plainDate('2022-11-14'), debit_bps: 400, credit_bps: 275, source: RULE },
  { from: plainDate('2022-12-26'), debit_bps: 450, credit_bps: 325, source: RULE },
  { from: plainDate('2023-02-13'), debit_bps: 500, credit_bps: 375, source: RULE },
  { from: plainDate('2023-04-03'), debit_bps: 525, credit_bps: 400, source: RULE },
  { from: plainDate('2023-05-22'), debit_bps: 550, credit_bps: 425, source: RULE },
  { from: plainDate('2023-07-03'), debit_bps: 600, credit_bps: 475, source: RULE },
  { from: plainDate('2023-08-14'), debit_bps: 625, credit_bps: 500, source: RULE },
  { from: plainDate('2024-08-12'), debit_bps: 600, credit_bps: 475, source: RULE },
  { from: plainDate('2024-11-18'), debit_bps: 575, credit_bps: 450, source: RULE },
  { from: plainDate('2025-02-17'), debit_bps: 550, credit_bps: 425, source: 'rossmartin.co.uk' },
  { from: plainDate('2025-04-06'), debit_bps: 700, credit_bps: 425, source: 'rossmartin.co.uk' },
  { from: plainDate('2025-05-19'), debit_bps: 675, credit_bps: 400, source: 'rossmartin.co.uk' },
  { from: plainDate('2025-08-18'), debit_bps: 650, credit_bps: 375, source: 'shareef.co.uk; credit rate calculated' },
  {
    from: plainDate('2025-12-29'),
    debit_bps: 625,
    credit_bps: 350,
    verified_to: plainDate('2026-08-21'),
    source: 'GOV.UK, 19 December 2025 (wired-gov copy); credit rate calculated',
  },
];

/** The day up to which we've verified the newest instalment rates. */
export const INSTALMENT_RATES_VERIFIED_TO: PlainDate = getVerifiedTo(INSTALMENT_RATES);

/**
 * Returns when a base rate change takes effect for instalment interest: the second Monday after the announcement. Source: GOV.UK's
 * announcements of 2025, all of which this reproduces.
 */
export function getInstalmentRateChangeDate(announcedOn: PlainDate): PlainDate {
  return addDays(announcedOn, 15 - getDayOfWeek(announcedOn));
}
