import { describe, expect, it } from 'vitest';
import { toInstant } from '../clock.ts';
import { plainDate } from '../plain-date.ts';
import { addMonthsInUtc, getRenewalDayFrom } from './renewal.ts';

const at = (text: string) => toInstant(Date.parse(text));

describe('a renewal', () => {
  it.each([
    ['2026-11-10T09:00:00Z', 1, '2026-12-10T09:00:00Z'],
    ['2027-01-31T09:00:00Z', 1, '2027-02-28T09:00:00Z'],
    ['2028-01-31T09:00:00Z', 1, '2028-02-29T09:00:00Z'],
    ['2027-01-31T09:00:00Z', 2, '2027-03-31T09:00:00Z'],
    ['2026-06-30T23:30:00Z', 1, '2026-07-30T23:30:00Z'],
    ['2026-10-25T00:30:00Z', 1, '2026-11-25T00:30:00Z'],
  ])('of a subscription that began at %s is %i months later at %s', (startedAt, months, expected) => {
    expect(addMonthsInUtc(at(startedAt), months)).toBe(at(expected));
  });

  it.each([
    ['2026-11-10T09:00:00Z', '2026-12-11', '2027-01-10'],
    ['2026-11-10T09:00:00Z', '2026-12-10', '2026-12-10'],
    // 1 July, 00:30 in London: 30 June at Stripe. In summer it renews on the 31st in London, in winter on the 30th.
    ['2026-06-30T23:30:00Z', '2026-07-02', '2026-07-31'],
    ['2026-06-30T23:30:00Z', '2026-09-15', '2026-10-01'],
    ['2026-06-30T23:30:00Z', '2026-10-31', '2026-11-30'],
  ])('of a subscription that began at %s is, from %s, on %s', (startedAt, first, expected) => {
    expect(getRenewalDayFrom(at(startedAt), plainDate(first))).toBe(expected);
  });
});
