import { pence, shareOf } from '../../money.ts';
import type { Pence, WholePounds } from '../../money.ts';

const LOWER_LIMIT = pence(1_000_000);
const UPPER_LIMIT = pence(5_000_000);

/** The greatest net error that may be corrected on the next return: 10,000 pounds or 1% of box 6 if that is more, at most 50,000. Authority: VAEC7190; SI 1995/2518 reg 34. */
export function errorCorrectionLimit(box6: WholePounds): Pence {
  // One percent of whole pounds is as many pence as there are pounds.
  const share = shareOf(box6, 1, 1, 'down');
  if (share <= LOWER_LIMIT) return LOWER_LIMIT;
  return share > UPPER_LIMIT ? UPPER_LIMIT : share;
}

/** Whether a net error, owed or reclaimed, may be corrected on the next return instead of by disclosure. Never for a deliberate error. Authority: VAEC7190. */
export function mayCorrectOnNextReturn(netError: Pence, box6: WholePounds): boolean {
  return Math.abs(netError) <= errorCorrectionLimit(box6);
}
