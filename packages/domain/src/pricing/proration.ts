/** Calculates the cost of a change within a charged period, to the second, as Stripe does (docs.stripe.com, Prorations). */
import { toEpochMs, type Instant } from '../clock.ts';
import { calculateShare, pence, ZERO, type Pence } from '../money.ts';

/** A change at a moment within a charged period. */
export type PeriodChange = {
  readonly periodStart: Instant;
  /** The first moment of the next period. */
  readonly periodEnd: Instant;
  readonly at: Instant;
  /** The amount charged for the whole period, after the discount and excluding VAT. */
  readonly chargedPence: Pence;
};

/** Prorates a change. The credit is negative or zero. Throws a RangeError if the moment is outside the period, which is a bug. */
export function prorate(change: PeriodChange, newPence: Pence): { creditPence: Pence; chargePence: Pence } {
  const [start, end, at] = [change.periodStart, change.periodEnd, change.at].map((instant) => Math.floor(toEpochMs(instant) / 1000));
  if (start === undefined || end === undefined || at === undefined || at < start || at > end || start === end)
    throw new RangeError(`not within the period: ${change.at}`);
  const share = (amount: Pence): Pence => (amount === 0 ? ZERO : calculateShare(amount, end - at, end - start, 'half-away'));
  return { creditPence: pence(-share(change.chargedPence)), chargePence: share(newPence) };
}
