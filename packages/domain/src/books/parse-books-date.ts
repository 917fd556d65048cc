/** Parses dates in books files: YYYY-MM-DD or DD/MM/YYYY. */
import type { PlainDate } from '../plain-date.ts';
import { getDaysInMonth, parsePlainDate } from '../plain-date.ts';
import { quoteText } from './quote-text.ts';

const HYPHEN_CODE = 45;
const SLASH_CODE = 47;

/** Parses a date, ignoring surrounding spaces; undefined unless it is a valid date in one of the two formats. */
export function parseBooksDate(text: string): PlainDate | undefined {
  const trimmed = text.trim();
  const key = trimmed.length === 10 ? toDateKey(trimmed) : -1;
  return key < 0 ? undefined : parseDateKey(key);
}

/**
 * Creates a caching `parseBooksDate` that reports each new date. A file has few different dates, and equal dates share one string object,
 * which makes the accumulator's lookup fast.
 */
export function createDateParser(onNewDate: (date: PlainDate) => void): (text: string) => PlainDate | undefined {
  const cache = new Map<number, PlainDate>();
  return (text) => {
    const key = text.length === 10 ? toDateKey(text) : -1;
    const cachedDate = cache.get(key);
    if (cachedDate !== undefined) return cachedDate;
    const date = parseBooksDate(text);
    if (date === undefined) return undefined;
    onNewDate(date);
    if (key >= 0) cache.set(key, date);
    return date;
  };
}

/** Returns a number for each day that the text may represent, counting 31 days in every month; -1 for any other format. */
function toDateKey(text: string): number {
  const separator = text.charCodeAt(4);
  const isIso = separator === HYPHEN_CODE && text.charCodeAt(7) === HYPHEN_CODE;
  if (!isIso && !(text.charCodeAt(2) === SLASH_CODE && text.charCodeAt(5) === SLASH_CODE)) return -1;
  const yearIndex = isIso ? 0 : 6;
  const year = parseTwoDigits(text, yearIndex) * 100 + parseTwoDigits(text, yearIndex + 2);
  const month = parseTwoDigits(text, isIso ? 5 : 3);
  const day = parseTwoDigits(text, isIso ? 8 : 0);
  // A character that isn't a digit gives NaN, which fails every comparison.
  return year >= 1900 && year < 2200 && month >= 1 && month <= 12 && day >= 1 && day <= 31
    ? ((year - 1900) * 12 + month - 1) * 31 + day - 1
    : -1;
}

function parseTwoDigits(text: string, index: number): number {
  const tensDigit = text.charCodeAt(index) - 48;
  const onesDigit = text.charCodeAt(index + 1) - 48;
  return tensDigit >= 0 && tensDigit <= 9 && onesDigit >= 0 && onesDigit <= 9 ? tensDigit * 10 + onesDigit : Number.NaN;
}

function parseDateKey(key: number): PlainDate | undefined {
  const day = (key % 31) + 1;
  const months = Math.floor(key / 31);
  const padTwoDigits = (value: number) => String(value).padStart(2, '0');
  return parsePlainDate(`${Math.floor(months / 12) + 1900}-${padTwoDigits((months % 12) + 1)}-${padTwoDigits(day)}`);
}

/** Explains why text isn't a date, and how to fix it. */
export function explainDate(text: string): string {
  const trimmed = text.trim();
  const quotedText = quoteText(trimmed);
  if (trimmed === '') return 'the date is missing: enter it as 2026-03-31 or 31/03/2026';
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed)?.slice(1) ?? /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(trimmed)?.slice(1).reverse();
  if (parts) {
    const [year = 0, month = 0, day = 0] = parts.map(Number);
    if (year < 1900 || year > 2199) return `${quotedText} has the year ${year}: check that this is right`;
    if (month < 1 || month > 12) {
      const swapHint = day >= 1 && day <= 12 ? ' (put the day first: DD/MM/YYYY)' : '';
      return `${quotedText} doesn’t exist: there’s no month ${month}${swapHint}`;
    }
    return `${quotedText} doesn’t exist: that month has ${getDaysInMonth(year, month)} days`;
  }
  if (/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}$/.test(trimmed))
    return `${quotedText} has a two-digit year: enter all four digits, such as 31/03/2026`;
  if (/^\d{1,2}\/\d{1,2}\/\d{4}$/.test(trimmed))
    return `${quotedText} is missing a leading zero: use two digits for the day and the month, such as 01/03/2026`;
  if (/^\d{4}-\d{2}-\d{2}[T ]/.test(trimmed)) return `${quotedText} includes a time: enter the date only, such as 2026-03-31`;
  return `${quotedText} isn’t a date: enter it as 2026-03-31 or 31/03/2026`;
}
