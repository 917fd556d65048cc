/** The one door through which time enters the product. Rules take `today` as an argument and never ask a clock themselves. */
import { formatDate, type PlainDate } from './plain-date.ts';

declare const instantBrand: unique symbol;

/** A moment as a UTC ISO text with milliseconds, "2026-11-21T09:14:00.000Z"; made only by a Clock or read from storage. */
export type Instant = string & { readonly [instantBrand]: true };

/** Tells the time. `today` is the calendar date in Europe/London, where the tax office keeps its days. */
export type Clock = { now(): Instant; today(): PlainDate };

/** The instant of milliseconds since 1970. */
export function instantOf(epochMilliseconds: number): Instant {
  return new Date(epochMilliseconds).toISOString() as Instant;
}

/** Reads an ISO text with a zone; undefined where it is none. */
export function parseInstant(text: string): Instant | undefined {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) || !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? undefined : instantOf(milliseconds);
}

/** Milliseconds since 1970 of an instant. */
export function epochOf(instant: Instant): number {
  return Date.parse(instant);
}

/** The instant so many milliseconds later. */
export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return instantOf(epochOf(instant) + milliseconds);
}

/** The calendar date in Europe/London of an instant. */
export function londonDate(instant: Instant): PlainDate {
  return londonClockTime(instant).slice(0, 10) as PlainDate;
}

const HOUR_MS = 3_600_000;
/** From this year on the United Kingdom keeps the dates of summer time that the rule below computes. */
const FIRST_RULE_YEAR = 1996;

/**
 * What a clock on a wall in London shows, "2026-06-01T10:14:00.000". Summer time runs from 01:00 UTC on the last Sunday of March
 * to 01:00 UTC on the last Sunday of October. Authority: Summer Time Act 1972 as amended by SI 1997/2982 and SI 2002/262.
 * Computed rather than asked of a calendar library, because every call of the dashboard asks several times (bench/dashboard.bench.ts).
 */
function londonClockTime(instant: Instant): string {
  const epochMs = epochOf(instant);
  const year = Number(instant.slice(0, 4));
  if (year < FIRST_RULE_YEAR) return oldLondonClockTime(epochMs);
  const isSummer = epochMs >= lastSundayOf(year, 3) && epochMs < lastSundayOf(year, 10);
  return isSummer ? instantOf(epochMs + HOUR_MS).slice(0, -1) : instant.slice(0, -1);
}

/** 01:00 UTC on the last Sunday of a month of 31 days. */
function lastSundayOf(year: number, month: number): number {
  const last = Date.UTC(year, month - 1, 31, 1);
  return last - new Date(last).getUTCDay() * 24 * HOUR_MS;
}

/** Before the rule, summer time was proclaimed year by year: the system's own calendar knows. */
function oldLondonClockTime(epochMs: number): string {
  return new Date(epochMs).toLocaleString('sv-SE', { timeZone: 'Europe/London' }).replace(' ', 'T');
}

/** A clock over any source of milliseconds (the system's, a test's, the sandbox's). */
export function clockFrom(epochMilliseconds: () => number): Clock {
  const now = (): Instant => instantOf(epochMilliseconds());
  return { now, today: () => londonDate(now()) };
}

/** The computer's own time. */
export const systemClock: Clock = clockFrom(() => Date.now());

/** A moment for people, in UK time: "7 March 2026, 09:14". */
export function formatInstant(instant: Instant): string {
  const local = londonClockTime(instant);
  return `${formatDate(local.slice(0, 10) as PlainDate)}, ${local.slice(11, 16)}`;
}
