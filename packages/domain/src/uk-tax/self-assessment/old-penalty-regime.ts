import { plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { known, notKnown } from '../known.ts';
import type { Known } from '../known.ts';

/** The last due date for which the penalties of FA 2009 Schs 55 and 56 are certain; that of 2025-26, 31 January 2027, lies before it. Authority: Budget 2025. */
export const OLD_REGIME_KNOWN_TO: PlainDate = plainDate('2027-04-05');

/** The answer of a rule of the old penalties; only a forecast for later due dates, because points and 3%, 3%, 10% replace them from April 2027 and the first tax year is not confirmed. Authority: Budget 2025. */
export function underOldRegime<Value>(due: PlainDate, answer: Value): Known<Value> {
  if (due <= OLD_REGIME_KNOWN_TO) return known(answer);
  return notKnown(
    `self assessment penalties on what is due after ${OLD_REGIME_KNOWN_TO}: the first tax year of the new ones is not confirmed`,
    answer,
  );
}
