/** Parses a client's 12-month taxable turnover, and the last day of the 12 months, from an import file. */
import { mayStateTurnover } from '../agent/turnover.ts';
import { parsePounds, type Pence, pence } from '../money.ts';
import { createRejection, type Parsed, parsed } from '../parsed.ts';
import { getEndOfMonth, type PlainDate } from '../plain-date.ts';
import { parseYearEnd } from './parse-loose-date.ts';

/** £10 billion, as on the client's page. */
const MAX_TURNOVER: Pence = pence(1_000_000_000_000);

/** Parses pounds such as 84500, “£84,500.00” or “84 500 GBP”. */
export function parseTurnover(text: string): Parsed<Pence> {
  const amount = parsePounds(text.replaceAll(/£|\bGBP\b|\s/gi, ''));
  return amount === undefined || amount < 0 || amount > MAX_TURNOVER
    ? createRejection('Enter the turnover in pounds, such as 84500 or 84,500.00.')
    : parsed(amount);
}

export const TURNOVER_DATE_REASON = 'Enter the last day of the 12 months: the end of one of the last six months, such as 2026-03-31.';

/** Parses the end of a month. `today` supplies a missing year, and rejects months that are too old to be used; without it any is accepted. */
export function parseTurnoverDate(text: string, today?: PlainDate): Parsed<PlainDate> {
  const end = parseYearEnd(text, today);
  if (end === undefined || getEndOfMonth(end) !== end || (today !== undefined && !mayStateTurnover(end, today)))
    return createRejection(TURNOVER_DATE_REASON);
  return parsed(end);
}
