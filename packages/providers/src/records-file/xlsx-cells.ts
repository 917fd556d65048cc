/** Converts a sheet's cells to the text that a CSV file would contain, so that the same rules read both formats. */
import { addDays, plainDate } from '@portal/domain/plain-date.ts';

/**
 * VAT began on 1 April 1973, so a smaller number in a date column isn't a date. (Excel's 29 February 1900, which never existed, is also
 * earlier.)
 */
const FIRST_DATE = plainDate('1973-04-01');
const FIRST_SERIAL = 26_755;
const LAST_SERIAL = 109_574;
const DAYS_TO_1904 = 1_462;

/** Returns the zero-based column of a cell reference: "A1" is 0, "AB12" is 27; undefined for other text. */
export function parseColumnIndex(reference: string): number | undefined {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/**
 * Formats a sheet's number as decimal text. Excel calculates in binary and shows 15 significant digits, so 10.299999999999999 is the 10.3
 * that the user sees. More than two decimals are kept, then rejected as in a CSV file.
 */
export function formatDecimal(storedText: string): string {
  const value = Number(storedText);
  if (storedText.trim() === '' || !Number.isFinite(value)) return storedText;
  const roundedValue = Number(value.toPrecision(15));
  const roundedText = String(roundedValue);
  return roundedText.includes('e-') ? roundedValue.toFixed(20) : roundedText;
}

/**
 * Formats a serial date as "YYYY-MM-DD", without the time of day, because a tax point is a day. Numbers that aren't dates since 1973 are
 * returned unchanged.
 */
export function formatSerialDate(storedText: string, uses1904Dates: boolean): string {
  const serial = Math.floor(Number(storedText)) + (uses1904Dates ? DAYS_TO_1904 : 0);
  if (!(serial >= FIRST_SERIAL && serial <= LAST_SERIAL)) return formatDecimal(storedText);
  return addDays(FIRST_DATE, serial - FIRST_SERIAL);
}

/** Excel writes control characters in text as _x000D_. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
