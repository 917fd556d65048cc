/** The cells of a sheet as the text a CSV file would carry, so that one set of rules reads both formats. */
import { addDays, plainDate } from '@portal/domain/plain-date.ts';

/**
 * VAT began on 1 April 1973, so a smaller number in a date column is no date. (Excel's 29 February 1900, which never was,
 * lies before it too.)
 */
const FIRST_DATE = plainDate('1973-04-01');
const FIRST_SERIAL = 26_755;
const LAST_SERIAL = 109_574;
const DAYS_TO_1904 = 1_462;

/** Zero-based column of a cell's reference: "A1" is 0, "AB12" is 27; undefined where it is none. */
export function columnOf(reference: string): number | undefined {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/**
 * A number of a sheet as decimal text. Excel computes in binary and shows 15 significant digits, so 10.299999999999999 is
 * the 10.3 that its user sees; decimals beyond the penny stay and are refused like those of a CSV file.
 */
export function decimalText(stored: string): string {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  const shown = Number(value.toPrecision(15));
  const text = String(shown);
  return text.includes('e-') ? shown.toFixed(20) : text;
}

/** A serial date of a sheet as "YYYY-MM-DD" (a time of day is left off: the tax point is a day); a number that is no date of the VAT era stays as it is. */
export function dateText(stored: string, counts1904: boolean): string {
  const serial = Math.floor(Number(stored)) + (counts1904 ? DAYS_TO_1904 : 0);
  if (!(serial >= FIRST_SERIAL && serial <= LAST_SERIAL)) return decimalText(stored);
  return addDays(FIRST_DATE, serial - FIRST_SERIAL);
}

/** Excel writes control characters inside texts as _x000D_. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
