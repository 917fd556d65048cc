import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createClock, formatInstant, toInstant, toLondonDate, parseInstant } from './clock.ts';

describe('the date in London', () => {
  it('agrees with the time zone database in every year', () => {
    const anyMoment = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2099, 11, 31) });
    fc.assert(
      fc.property(anyMoment, (epochMs) => {
        const instant = toInstant(epochMs);
        expect(toLondonDate(instant)).toBe(Temporal.Instant.from(instant).toZonedDateTimeISO('Europe/London').toPlainDate().toString());
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['2026-03-29T00:59:59.999Z', '29 March 2026, 00:59'],
    ['2026-03-29T01:00:00.000Z', '29 March 2026, 02:00'],
    ['2026-10-25T00:59:59.999Z', '25 October 2026, 01:59'],
    ['2026-10-25T01:00:00.000Z', '25 October 2026, 01:00'],
    ['2026-06-30T23:30:00.000Z', '1 July 2026, 00:30'],
  ])('follows summer time: %s is %s', (text, londonTime) => {
    const instant = parseInstant(text);
    expect(instant && formatInstant(instant)).toBe(londonTime);
  });

  it('changes at midnight in London, not at midnight UTC', () => {
    expect(createClock(() => Date.UTC(2026, 6, 7, 23, 30)).today()).toBe('2026-07-08');
  });
});

describe('parsing an instant', () => {
  it.each(['2026-11-21', '2026-11-21T09:00:00', 'soon', ''])('needs a time zone: rejects %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
