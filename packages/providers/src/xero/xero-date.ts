import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';

const MICROSOFT_DATE = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/;

/** Documents share their dates, and parsing one takes longer than finding it here. */
const knownDates = new Map<string, PlainDate>();
const MAX_KNOWN_DATES = 2_000;

/** Parses "/Date(1552404447003+0000)/", whose milliseconds are UTC, or "2018-10-20T00:00:00". Undefined for anything else. */
export function readXeroDate(text: string | null | undefined): PlainDate | undefined {
  if (text === null || text === undefined) return undefined;
  const knownDate = knownDates.get(text);
  if (knownDate !== undefined) return knownDate;
  const milliseconds = MICROSOFT_DATE.exec(text)?.[1];
  const date = parsePlainDate(milliseconds === undefined ? text.slice(0, 10) : new Date(Number(milliseconds)).toISOString().slice(0, 10));
  if (knownDates.size >= MAX_KNOWN_DATES) knownDates.clear();
  if (date !== undefined) knownDates.set(text, date);
  return date;
}
