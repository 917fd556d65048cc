/** Dates in books files: YYYY-MM-DD or DD/MM/YYYY. */
import type { PlainDate } from '../plain-date.ts';
import { daysInMonth, parsePlainDate } from '../plain-date.ts';
import { quoteText } from './quote-text.ts';

const HYPHEN = 45;
const SLASH = 47;

/** Parses a date, ignoring spaces around it; undefined unless it is a real date in one of the two formats. */
export function parseBooksDate(text: string): PlainDate | undefined {
  const bare = text.trim();
  const key = bare.length === 10 ? dateKey(bare) : -1;
  return key < 0 ? undefined : dateOfKey(key);
}

/**
 * Creates a `parseBooksDate` with a cache that reports each new date. A file has few different dates, and equal dates
 * share one string object, which makes the accumulator's lookup fast.
 */
export function createDateParser(meet: (date: PlainDate) => void): (text: string) => PlainDate | undefined {
  const known = new Map<number, PlainDate>();
  return (text) => {
    const key = text.length === 10 ? dateKey(text) : -1;
    const met = known.get(key);
    if (met !== undefined) return met;
    const date = parseBooksDate(text);
    if (date === undefined) return undefined;
    meet(date);
    if (key >= 0) known.set(key, date);
    return date;
  };
}

/** A number for each day the text may name, counting 31 days in every month; -1 for any other format. */
function dateKey(text: string): number {
  const separator = text.charCodeAt(4);
  const iso = separator === HYPHEN && text.charCodeAt(7) === HYPHEN;
  if (!iso && !(text.charCodeAt(2) === SLASH && text.charCodeAt(5) === SLASH)) return -1;
  const yearAt = iso ? 0 : 6;
  const year = twoDigits(text, yearAt) * 100 + twoDigits(text, yearAt + 2);
  const month = twoDigits(text, iso ? 5 : 3);
  const day = twoDigits(text, iso ? 8 : 0);
  // NaN, from a character that is not a digit, fails every comparison.
  return year >= 1900 && year < 2200 && month >= 1 && month <= 12 && day >= 1 && day <= 31
    ? ((year - 1900) * 12 + month - 1) * 31 + day - 1
    : -1;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function dateOfKey(key: number): PlainDate | undefined {
  const day = (key % 31) + 1;
  const months = Math.floor(key / 31);
  const two = (value: number) => String(value).padStart(2, '0');
  return parsePlainDate(`${Math.floor(months / 12) + 1900}-${two((months % 12) + 1)}-${two(day)}`);
}

/** Why text is not a date, and how to fix it. */
export function explainDate(text: string): string {
  const bare = text.trim();
  const shown = quoteText(bare);
  if (bare === '') return 'the date is empty: write it as 2026-03-31 or 31/03/2026';
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(bare)?.slice(1) ?? /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(bare)?.slice(1).reverse();
  if (parts) {
    const [year = 0, month = 0, day = 0] = parts.map(Number);
    if (year < 1900 || year > 2199) return `${shown} has the year ${year}: is that a slip?`;
    if (month < 1 || month > 12) {
      const swapped = day >= 1 && day <= 12 ? ' (the day comes first: DD/MM/YYYY)' : '';
      return `${shown} does not exist: there is no month ${month}${swapped}`;
    }
    return `${shown} does not exist: that month has ${daysInMonth(year, month)} days`;
  }
  if (/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}$/.test(bare)) return `${shown} has a two-digit year: write all four digits, such as 31/03/2026`;
  if (/^\d{1,2}\/\d{1,2}\/\d{4}$/.test(bare))
    return `${shown} lacks a leading zero: write two digits for day and month, such as 01/03/2026`;
  if (/^\d{4}-\d{2}-\d{2}[T ]/.test(bare)) return `${shown} carries a time: write the date alone, such as 2026-03-31`;
  return `${shown} is not a date: write it as 2026-03-31 or 31/03/2026`;
}
