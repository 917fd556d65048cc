import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { findRowInForce } from './dated-table.ts';
import { getValueOrForecast, chainKnown, known, mapKnown, createUnknown } from './known.ts';

describe('known and unknown results', () => {
  const unknownRate = createUnknown<number>('rates after 2030');
  const forecast = createUnknown('rates after 2030', 2);

  it('keep the reason and any forecast when mapped', () => {
    expect(mapKnown(known(1), (n) => n + 1)).toEqual(known(2));
    expect(mapKnown(unknownRate, (n) => n + 1)).toEqual({ known: false, notKnown: 'rates after 2030' });
    expect(mapKnown(forecast, (n) => n + 1)).toEqual({ known: false, notKnown: 'rates after 2030', forecast: 3 });
  });

  it('are unknown if either of two chained rules is', () => {
    expect(chainKnown(known(1), (n) => known(n + 1))).toEqual(known(2));
    expect(chainKnown(known(1), () => unknownRate)).toEqual(unknownRate);
    expect(chainKnown(forecast, (n) => known(n + 1))).toEqual({ known: false, notKnown: 'rates after 2030', forecast: 3 });
    expect(chainKnown(unknownRate, (n) => known(n + 1))).toEqual(unknownRate);
    expect(chainKnown(forecast, () => unknownRate)).toEqual(unknownRate);
  });

  it('give the value, the forecast or undefined', () => {
    expect([getValueOrForecast(known(1)), getValueOrForecast(forecast), getValueOrForecast(unknownRate)]).toEqual([1, 2, undefined]);
  });
});

describe('dated table', () => {
  const table = ['2020-01-01', '2021-01-01'].map((from) => ({ from: plainDate(from), source: 'a test' }));

  it('finds the row in force from its first day on, and none before the first row', () => {
    const findStart = (date: string): string | undefined => findRowInForce(table, plainDate(date))?.from;
    expect([
      findStart('2019-12-31'),
      findStart('2020-01-01'),
      findStart('2020-12-31'),
      findStart('2021-01-01'),
      findStart('2035-01-01'),
    ]).toEqual([undefined, '2020-01-01', '2020-01-01', '2021-01-01', '2021-01-01']);
  });
});
