/** A VAT period in words: "1 July to 30 September 2026". The first year is shown only if the two differ. */
import { formatDate, toDateParts, type PlainDate } from '@portal/domain/plain-date.ts';

export function periodText(start: PlainDate, end: PlainDate, style: 'long' | 'short' = 'long'): string {
  const first = formatDate(start, style);
  const sameYear = toDateParts(start).year === toDateParts(end).year;
  return `${sameYear ? first.replace(/ \d{4}$/, '') : first} to ${formatDate(end, style)}`;
}
