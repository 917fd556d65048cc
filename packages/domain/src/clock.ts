/** The only source of the current time. Rules take `today` as an argument and never read a clock. */
import { formatDate, type PlainDate } from './plain-date.ts';

declare const instantBrand: unique symbol;

/**
 * A moment as UTC ISO text with milliseconds, such as "2026-11-21T09:14:00.000Z". Only a Clock creates one; the rest are read from storage.
 */
export type Instant = string & { readonly [instantBrand]: true };

/** A source of the current time. `today` is the calendar date in Europe/London, which HMRC's deadlines follow. */
export type Clock = { now(): Instant; today(): PlainDate };

/** Returns the instant for a number of milliseconds since 1970. */
export function toInstant(epochMilliseconds: number): Instant {
  return new Date(epochMilliseconds).toISOString() as Instant;
}

/**
 * Parses ISO text with a time zone. Undefined if the text isn't valid, has no time zone or isn't in the years 1 to 9999, the range for
 * which PostgreSQL uses the same format.
 */
export function parseInstant(text: string): Instant | undefined {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds) || !/(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  const instant = toInstant(milliseconds);
  return /^(?!0000)\d{4}-/.test(instant) ? instant : undefined;
}

/** Returns the milliseconds since 1970. */
export function toEpochMs(instant: Instant): number {
  return Date.parse(instant);
}

/** Returns the instant a number of milliseconds later. */
export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return toInstant(toEpochMs(instant) + milliseconds);
}

/** Returns an instant's calendar date in Europe/London. */
export function toLondonDate(instant: Instant): PlainDate {
  return formatLondonTime(instant).slice(0, 10) as PlainDate;
}

/** Returns an instant's hour in Europe/London, 0 to 23. */
export function getLondonHour(instant: Instant): number {
  return Number(formatLondonTime(instant).slice(11, 13));
}

const HOUR_MS = 3_600_000;
/** The summer time rule below applies in the United Kingdom from this year. */
const FIRST_RULE_YEAR = 1996;

/**
 * Returns local time in London, "2026-06-01T10:14:00.000". Summer time runs from 01:00 UTC on the last Sunday of March to 01:00 UTC on the
 * last Sunday of October (Summer Time Act 1972 as amended by SI 1997/2982 and SI 2002/262). Calculated here rather than with Intl because
 * every dashboard request needs it several times (bench/dashboard.bench.ts).
 */
function formatLondonTime(instant: Instant): string {
  const epochMs = toEpochMs(instant);
  const year = Number(instant.slice(0, 4));
  if (year < FIRST_RULE_YEAR) return formatLondonTimeBeforeRule(epochMs);
  const isSummerTime = epochMs >= getLastSunday(year, 3) && epochMs < getLastSunday(year, 10);
  return isSummerTime ? toInstant(epochMs + HOUR_MS).slice(0, -1) : instant.slice(0, -1);
}

/** Returns 01:00 UTC on the last Sunday of a month with 31 days. */
function getLastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month - 1, 31, 1);
  return last - new Date(last).getUTCDay() * 24 * HOUR_MS;
}

/**
 * Returns London time for dates before the rule: until 1995, summer time was set year by year, so we use the system's time zone database.
 */
function formatLondonTimeBeforeRule(epochMs: number): string {
  return new Date(epochMs).toLocaleString('sv-SE', { timeZone: 'Europe/London' }).replace(' ', 'T');
}

/** Creates a clock from any source of milliseconds, such as the system, a test or the sandbox. */
export function createClock(epochMilliseconds: () => number): Clock {
  const now = (): Instant => toInstant(epochMilliseconds());
  return { now, today: () => toLondonDate(now()) };
}

/** The computer's own time. */
export const systemClock: Clock = createClock(() => Date.now());

/** Formats a moment in UK time for display: "7 March 2026, 09:14". */
export function formatInstant(instant: Instant): string {
  const localTime = formatLondonTime(instant);
  return `${formatDate(localTime.slice(0, 10) as PlainDate)}, ${localTime.slice(11, 16)}`;
}
