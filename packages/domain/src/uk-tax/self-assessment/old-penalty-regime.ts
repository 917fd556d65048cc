import { plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { createUnknown, known } from '../known.ts';
import type { Known } from '../known.ts';

/**
 * The last due date for which the penalties of FA 2009 Schs 55 and 56 are certain. 31 January 2027, the due date for 2025-26, is earlier.
 * Source: Budget 2025.
 */
export const OLD_REGIME_KNOWN_TO: PlainDate = plainDate('2027-04-05');

/**
 * Wraps a result of the old penalty rules. For later due dates it is only a forecast: points and 3%, 3%, 10% replace them from April 2027,
 * and the first tax year isn't confirmed. Source: Budget 2025.
 */
export function toKnownUnderOldRegime<Value>(due: PlainDate, value: Value): Known<Value> {
  if (due <= OLD_REGIME_KNOWN_TO) return known(value);
  return createUnknown(
    `Self Assessment penalties for payments due after ${OLD_REGIME_KNOWN_TO}: the first tax year of the new penalties isn’t confirmed`,
    value,
  );
}
