import { addMonths, createPlainDate, getEndOfMonth, toDateParts } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';

/** The pattern of VAT periods: how many months each has, and a month (1 to 12) in which one ends. */
export type VatStagger = { readonly months: 1 | 3 | 12; readonly ends_in: number };

/**
 * Quarters: stagger 1 ends in March, 2 in January, 3 in February, and every third month after that. Source: hmrc/vat-registration-frontend
 * Stagger.scala and messages.
 */
const STAGGER_BY_CODE: Readonly<Record<string, VatStagger>> = {
  '1': { months: 3, ends_in: 3 },
  '2': { months: 3, ends_in: 1 },
  '3': { months: 3, ends_in: 2 },
  // The letter in HMRC's codes is the month in which a period first ends: A = January (stagger 2), B = February (3), C = March (1); MM =
  // monthly.
  MA: { months: 3, ends_in: 1 },
  MB: { months: 3, ends_in: 2 },
  MC: { months: 3, ends_in: 3 },
  MM: { months: 1, ends_in: 1 },
  MONTHLY: { months: 1, ends_in: 1 },
};

/**
 * Parses a stagger: 1, 2, 3, monthly, HMRC's codes MA, MB, MC, MM, and YA (January to December) to YL (December to November) for annual
 * periods. Source: hmrc/vat-registration-frontend Stagger.scala.
 */
export function parseVatStagger(text: string): Parsed<VatStagger> {
  const code = text.trim().toUpperCase();
  const staggerForCode = Object.hasOwn(STAGGER_BY_CODE, code) ? STAGGER_BY_CODE[code] : undefined;
  if (staggerForCode) return parsed(staggerForCode);
  if (!/^Y[A-L]$/.test(code)) return createRejection('Enter a stagger: 1, 2, 3, monthly, MA, MB, MC, MM, or YA to YL.');
  const firstMonth = code.charCodeAt(1) - 64;
  return parsed({ months: 12, ends_in: firstMonth === 1 ? 12 : firstMonth - 1 });
}

/** Returns the VAT period that contains a date, in whole calendar months. Source: VAT Regulations 1995 reg 25. */
export function getVatPeriod(stagger: VatStagger, date: PlainDate): { readonly start: PlainDate; readonly end: PlainDate } {
  const { year, month } = toDateParts(date);
  const monthsLeft = (((stagger.ends_in - month) % stagger.months) + stagger.months) % stagger.months;
  const end = getEndOfMonth(addMonths(createPlainDate(year, month, 1), monthsLeft));
  const endDateParts = toDateParts(end);
  return { start: addMonths(createPlainDate(endDateParts.year, endDateParts.month, 1), 1 - stagger.months), end };
}
