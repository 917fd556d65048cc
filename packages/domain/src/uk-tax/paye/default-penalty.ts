import { applyRate, pence, sumPence, ZERO } from '../../money.ts';
import type { Pence } from '../../money.ts';

/** A shortfall up to this amount counts as paid. Source: CH152425, CH152450. */
const SMALL_SHORTFALL = pence(10_000);

/**
 * Returns the penalties for late PAYE (and CIS) payments in one tax year, in due date order, and their total. The first failure isn't a
 * default. Later defaults are charged by number: 1 to 3 at 1%, 4 to 6 at 2%, 7 to 9 at 3%, from 10 at 4%. Amounts up to 100 pounds aren't
 * failures. Source: FA 2009 Sch 56 para 6; CH152550, CH152700 (Howard).
 */
export function calculatePayeDefaultPenalties(lateAmounts: readonly Pence[]): {
  readonly penalties: readonly Pence[];
  readonly total: Pence;
} {
  let failures = 0;
  const penalties = lateAmounts.map((amount) => {
    if (amount <= SMALL_SHORTFALL) return ZERO;
    failures += 1;
    return applyRate(amount, getDefaultRateBps(failures - 1), 'half-away');
  });
  return { penalties, total: sumPence(penalties) };
}

/**
 * Returns the further penalty on an amount that is still unpaid: 5% at 6 months and another 5% at 12 months after the penalty date. Source:
 * FA 2009 Sch 56 paras 7-8.
 */
export function calculatePayeProlongedPenalty(unpaidAmount: Pence): Pence {
  return applyRate(unpaidAmount, 500, 'half-away');
}

/** Returns the rate, in basis points, for a default by its number in the tax year. */
function getDefaultRateBps(number: number): number {
  if (number < 1) return 0;
  if (number <= 3) return 100;
  if (number <= 6) return 200;
  return number <= 9 ? 300 : 400;
}
