import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePounds, pence, toPoundsText, sumPence } from '../../money.ts';
import { addDays, plainDate, toDateFromDayNumber, toDayNumber } from '../../plain-date.ts';
import { getEndOfPeriodBeginning } from '../calendar/month-arithmetic.ts';
import { getValueOrForecast } from '../known.ts';
import { getCompanyTaxReturnDueDate, listAccountingPeriods } from './accounting-periods.ts';
import { getAccountsDueDate, getConfirmationStatementDates, getFirstAccountsDueDate, getLateAccountsPenalty } from './companies-house.ts';
import { getInstalmentPayer } from './company-size.ts';
import type { CompanyPeriod } from './company-size.ts';
import { getCorporationTaxDueDate } from './due-date.ts';
import { calculateInstalmentAmounts, countInstalmentMonths, getInstalmentDates } from './instalments.ts';
import { getCompanyTaxReturnPenalty, getTaxRelatedPenalty } from './late-filing-penalty.ts';

const readPounds = (text: string) => parsePounds(text) ?? pence(Number.NaN);
const days = fc.integer({ min: toDayNumber(plainDate('1995-01-01')), max: toDayNumber(plainDate('2040-12-31')) });

describe('corporation tax', () => {
  it.each([
    ['1999-03-31', '2000-01-01', 'CTM01800'],
    ['2025-12-31', '2026-10-01', 'examples.json ex-073'],
    ['2000-02-28', '2000-11-29', 'CTM01800'],
  ])('for a period to %s is due %s (%s)', (end, due) => {
    expect(getCorporationTaxDueDate(plainDate(end))).toBe(due);
  });
});

describe('accounting periods', () => {
  const listRows = (start: string, end: string): string[][] =>
    listAccountingPeriods(plainDate(start), plainDate(end)).map((period) => [period.start, period.end, period.ct_due, period.ct600_due]);

  it('within 15 months share the filing date of the accounts (CTM93050 example 3)', () => {
    expect(listRows('2018-01-01', '2019-03-31')).toEqual([
      ['2018-01-01', '2018-12-31', '2019-10-01', '2020-03-31'],
      ['2019-01-01', '2019-03-31', '2020-01-01', '2020-03-31'],
    ]);
    expect(listRows('2024-07-01', '2025-09-30')).toEqual([
      ['2024-07-01', '2025-06-30', '2026-04-01', '2026-09-30'],
      ['2025-07-01', '2025-09-30', '2026-07-01', '2026-09-30'],
    ]);
  });

  it('within 20 months are filed 30 months after the start (CTM93050)', () => {
    expect(listRows('2018-05-01', '2019-12-31')).toEqual([
      ['2018-05-01', '2019-04-30', '2020-02-01', '2020-10-31'],
      ['2019-05-01', '2019-12-31', '2020-10-01', '2020-12-31'],
    ]);
  });

  it('switch rules after exactly 18 months', () => {
    expect(listRows('2024-01-01', '2025-06-30')[0]?.[3]).toBe('2026-06-30');
    expect(listRows('2024-01-01', '2025-07-01')[0]?.[3]).toBe('2026-06-30');
    expect(listRows('2024-01-10', '2025-07-10')[0]?.[3]).toBe('2026-07-09');
  });

  it('of more than 24 months make three, and a year from a leap day ends on 28 February', () => {
    expect(listRows('2022-01-01', '2024-03-31').map(([start, end]) => [start, end])).toEqual([
      ['2022-01-01', '2022-12-31'],
      ['2023-01-01', '2023-12-31'],
      ['2024-01-01', '2024-03-31'],
    ]);
    expect(listRows('2024-02-29', '2025-02-28')).toHaveLength(1);
    expect(listRows('2025-01-02', '2025-01-01')).toEqual([]);
  });

  it('fill the period of account without gaps or overlaps, with filing dates after they end', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 1_500 }), (day, length) => {
        const [start, end] = [toDateFromDayNumber(day), toDateFromDayNumber(day + length)];
        const periods = listAccountingPeriods(start, end);
        expect(periods[0]?.start).toBe(start);
        expect(periods.at(-1)?.end).toBe(end);
        periods.forEach((period, index) => {
          expect(period.end <= getEndOfPeriodBeginning(period.start, 12)).toBe(true);
          expect(period.ct_due > period.end && period.ct600_due > period.ct_due).toBe(true);
          if (index > 0) expect(period.start).toBe(addDays(periods[index - 1]?.end ?? start, 1));
        });
      }),
    );
  });

  it('are filed a year after they end, keeping month ends, or three months after the notice (CTM93040, CTM93030)', () => {
    expect(getCompanyTaxReturnDueDate(plainDate('2023-02-28'))).toBe('2024-02-29');
    expect(getCompanyTaxReturnDueDate(plainDate('2024-02-29'))).toBe('2025-02-28');
    expect(getCompanyTaxReturnDueDate(plainDate('2024-03-31'), undefined, plainDate('2025-02-10'))).toBe('2025-05-10');
  });
});

describe('instalments', () => {
  it.each([
    ['2012-01-01', '2012-07-31', '2012-07-14 2012-10-14 2012-11-14', 'CTM92590 example 1'],
    ['2011-10-16', '2012-07-20', '2012-04-29 2012-07-29 2012-10-29 2012-11-03', 'CTM92590 example 2'],
    ['2012-06-01', '2012-08-31', '2012-12-14', 'CTM92590 example 3: exactly three months'],
    ['2009-07-18', '2010-07-17', '2010-01-31 2010-04-30 2010-07-31 2010-10-31', 'CTM92570 example 2'],
    ['2010-11-17', '2011-11-16', '2011-05-30 2011-08-30 2011-11-30 2012-03-01', 'CTM92570 example 3'],
    ['2011-05-16', '2012-05-15', '2011-11-29 2012-02-29 2012-05-31 2012-08-29', 'CTM92570 example 4'],
    ['2009-05-01', '2010-04-30', '2009-11-14 2010-02-14 2010-05-14 2010-08-14', 'CTM92560, whose own example misprints the 13th'],
    ['2025-02-01', '2025-04-30', '2025-08-14', 'three months over February'],
    ['2025-01-01', '2025-06-30', '2025-07-14 2025-10-14', 'exactly six months'],
    ['2025-01-01', '2025-09-30', '2025-07-14 2025-10-14 2026-01-14', 'exactly nine months'],
    ['2025-01-01', '2025-10-01', '2025-07-14 2025-10-14 2026-01-14 2026-01-15', 'nine months and a day'],
    ['2025-01-01', '2025-01-31', '2025-05-14', 'one month'],
    ['2025-08-31', '2026-02-28', '2026-03-13 2026-06-14', 'CTM92580: six months need two, though 13 June lies before the last'],
  ])('of a large company from %s to %s fall on %s (%s)', (start, end, dates) => {
    expect(getInstalmentDates(plainDate(start), plainDate(end), 'large')).toEqual({ known: true, value: dates.split(' ') });
  });

  it.each([
    ['2025-04-01', '2026-03-31', '2025-06-14 2025-09-14 2025-12-14 2026-03-14', 'CTM92805'],
    ['2025-01-01', '2025-08-31', '2025-03-14 2025-06-14 2025-08-14', 'SI 1998/3175 reg 5AZA(4)(a)'],
    ['2025-01-01', '2025-08-20', '2025-03-14 2025-06-14 2025-08-03', 'SI 1998/3175 reg 5AZA(4)(b)'],
    ['2018-04-01', '2019-03-31', '2018-10-14 2019-01-14 2019-04-14 2019-07-14', 'CTM92800: as large before 1 April 2019'],
  ])('of a very large company from %s to %s fall on %s (%s)', (start, end, dates) => {
    expect(getInstalmentDates(plainDate(start), plainDate(end), 'very_large')).toEqual({ known: true, value: dates.split(' ') });
  });

  it('are unknown for invalid accounting periods', () => {
    expect(getInstalmentDates(plainDate('2025-01-01'), plainDate('2026-01-01'), 'large')).toMatchObject({ known: false });
    expect(getInstalmentDates(plainDate('2025-01-02'), plainDate('2025-01-01'), 'large')).toMatchObject({ known: false });
    expect(getInstalmentDates(plainDate('2025-01-10'), plainDate('2025-01-15'), 'very_large')).toMatchObject({ known: false });
  });

  it.each([
    ['2012-01-01', '2012-12-31', 1200],
    ['2012-01-01', '2012-07-31', 700],
    ['2012-01-01', '2012-07-28', 693],
    ['2012-01-16', '2012-07-28', 643],
    ['2025-01-01', '2025-01-15', 50],
  ])('count %s to %s as %i hundredths of a month (CTM92610)', (start, end, months) => {
    expect(countInstalmentMonths(plainDate(start), plainDate(end))).toBe(months);
  });

  it.each([
    ['2025-01-01', '2025-08-31', '800000', '300000.00 300000.00 200000.00', 'CTM92600; examples.json ex-076'],
    ['2025-01-01', '2025-12-31', '1000.01', '250.00 250.00 250.00 250.01', 'the last takes the rest'],
    ['2012-01-01', '2012-07-28', '800000', '346320.35 346320.35 107359.30', 'n = 6.93'],
    ['2025-01-01', '2025-03-31', '50000', '50000.00', 'one instalment'],
  ])('from %s to %s divide %s into %s (%s)', (start, end, liability, amounts) => {
    const knownAmounts = getValueOrForecast(calculateInstalmentAmounts(plainDate(start), plainDate(end), readPounds(liability), 'large'));
    expect(knownAmounts?.map(toPoundsText).join(' ')).toBe(amounts);
  });

  it('never lose a penny, are never negative, and number at most four', () => {
    fc.assert(
      fc.property(
        days,
        fc.integer({ min: 20, max: 364 }),
        fc.nat(99_999_999_999),
        fc.constantFrom('large', 'very_large'),
        (day, length, liability, payer) => {
          const [start, end] = [toDateFromDayNumber(day), toDateFromDayNumber(day + length)];
          const amounts = getValueOrForecast(calculateInstalmentAmounts(start, end, pence(liability), payer)) ?? [];
          const dates = getValueOrForecast(getInstalmentDates(start, end, payer)) ?? [];
          expect(sumPence(amounts)).toBe(liability);
          expect(amounts.every((amount) => amount >= 0)).toBe(true);
          expect(
            dates.length >= 1 && dates.length <= 4 && dates.every((date, index) => index === 0 || date > (dates[index - 1] ?? date)),
          ).toBe(true);
        },
      ),
    );
  });
});

describe('whether a company pays in instalments', () => {
  const year: CompanyPeriod = {
    start: plainDate('2025-01-01'),
    end: plainDate('2025-12-31'),
    associatedCompanies: 0,
    was_large_before: true,
    profits: readPounds('2000000'),
    liability: readPounds('500000'),
  };

  // Sources: GOV.UK "Pay Corporation Tax if you're a large company" and "... a very large company"; CTM92520.
  it.each([
    ['over 1.5 million, large before', {}, 'large'],
    ['over 1.5 million for the first time', { was_large_before: false }, undefined],
    ['over 10 million for the first time', { was_large_before: false, profits: readPounds('10000000.01') }, 'large'],
    ['exactly 1.5 million', { profits: readPounds('1500000') }, undefined],
    ['over 20 million', { profits: readPounds('20000000.01') }, 'very_large'],
    ['exactly 20 million', { profits: readPounds('20000000') }, 'large'],
    [
      '3 million with 7 associated companies (GOV.UK example: limit 2.5 million)',
      { profits: readPounds('3000000'), associatedCompanies: 7 },
      'very_large',
    ],
    ['liability under 10,000', { liability: readPounds('9999.99') }, undefined],
    ['800,000 in half a year', { profits: readPounds('800000'), end: plainDate('2025-06-30') }, 'large'],
    ['700,000 in half a year', { profits: readPounds('700000'), end: plainDate('2025-06-30') }, undefined],
    [
      'over 20 million before April 2019',
      { profits: readPounds('30000000'), start: plainDate('2018-01-01'), end: plainDate('2018-12-31') },
      'large',
    ],
  ])('%s', (_, change, payer) => {
    expect(getInstalmentPayer({ ...year, ...change })).toBe(payer);
  });
});

describe('penalties for a late company tax return', () => {
  it.each([
    ['2026-03-31', '2026-04-30', false, '100.00', 'examples.json ex-050'],
    ['2026-03-31', '2026-03-31', false, '0.00', 'on time'],
    ['2026-03-31', '2026-06-30', false, '100.00', 'within three months'],
    ['2026-03-31', '2026-07-01', false, '200.00', 'the 100 is not added'],
    ['2026-03-31', '2026-07-01', true, '1000.00', 'CTM94050'],
    ['2026-03-31', '2026-04-01', true, '500.00', 'CTM94050'],
    ['2025-09-30', '2025-12-31', false, '100.00', 'CTM94070: months from a month end keep it'],
    ['2025-09-30', '2026-01-01', false, '200.00', 'a day after three months'],
    ['2026-04-01', '2026-04-02', false, '200.00', 'doubled from 1 April 2026'],
    ['2026-04-30', '2026-08-01', false, '400.00', 'doubled'],
    ['2026-12-31', '2027-01-01', true, '1000.00', 'doubled'],
    ['2026-12-31', '2027-04-01', true, '2000.00', 'doubled'],
  ])('due %s, delivered %s, third %s: %s (%s)', (due, deliveredOn, third, penalty) => {
    expect(toPoundsText(getCompanyTaxReturnPenalty(plainDate(due), plainDate(deliveredOn), third))).toBe(penalty);
  });

  it('never decrease with later delivery', () => {
    fc.assert(
      fc.property(days, fc.nat(300), fc.nat(300), fc.boolean(), (day, after, furtherDays, third) => {
        const calculatePenalty = (length: number): number =>
          getCompanyTaxReturnPenalty(toDateFromDayNumber(day), toDateFromDayNumber(day + length), third);
        return calculatePenalty(after + furtherDays) >= calculatePenalty(after);
      }),
    );
  });

  it.each([
    ['2026-06-30', '0.00', 'by 18 months'],
    ['2026-07-01', '1000.00', 'after 18 months'],
    ['2026-12-31', '1000.00', 'by 24 months'],
    ['2027-01-01', '2000.00', 'after 24 months'],
  ])('on 10,000 unpaid for 2024, delivered %s, are %s (CTM94060: %s)', (deliveredOn, penalty) => {
    expect(
      toPoundsText(getTaxRelatedPenalty(plainDate('2024-12-31'), plainDate('2025-12-31'), plainDate(deliveredOn), readPounds('10000'))),
    ).toBe(penalty);
  });

  it('related to tax do not apply before the filing date', () => {
    expect(getTaxRelatedPenalty(plainDate('2024-12-31'), plainDate('2026-10-31'), plainDate('2026-10-31'), readPounds('10000'))).toBe(0);
  });
});

describe('Companies House', () => {
  it.each([
    ['2025-06-30', 'private', '2026-03-31'],
    ['2025-06-05', 'private', '2026-03-05'],
    ['2025-02-28', 'llp', '2025-11-30'],
    ['2025-08-31', 'public', '2026-02-28'],
    ['2024-05-30', 'private', '2025-02-28'],
  ] as const)('expects accounts to %s of a %s company by %s (Companies Act 2006 ss442-443)', (end, filer, due) => {
    expect(getAccountsDueDate(plainDate(end), filer)).toBe(due);
  });

  it.each([
    ['2024-01-06', '2025-01-31', '2025-10-06', 'examples.json ex-077: 21 months from incorporation'],
    ['2024-01-06', '2025-07-05', '2025-10-06', 'the longest first period'],
    ['2024-01-06', '2025-07-31', '2025-10-31', 'three months after the end is later'],
    ['2024-01-06', '2025-01-05', '2025-10-05', 'exactly 12 months: the ordinary rule'],
    ['2024-06-30', '2025-07-31', '2026-03-31', 'from an anniversary at a month end'],
    ['2024-02-29', '2025-03-31', '2025-11-30', 'a leap day’s anniversary'],
    ['2023-02-28', '2024-03-31', '2024-11-28', 'an anniversary in a leap year, which is not a month end: s443(2)'],
  ])('expects first accounts from %s to %s by %s (%s)', (incorporated, end, due) => {
    expect(getFirstAccountsDueDate(plainDate(incorporated), plainDate(end))).toBe(due);
  });

  it.each([
    ['2021-01-01', '2021-12-31', '2022-01-14', 'Companies Act 2006 s853A'],
    ['2023-03-01', '2024-02-29', '2024-03-14', 'a leap year'],
    ['2024-02-29', '2025-02-28', '2025-03-14', 'from a leap day'],
  ])('expects the statement for a review period from %s to %s by %s (%s)', (start, end, due) => {
    expect(getConfirmationStatementDates(plainDate(start))).toEqual({ review_period_end: end, due });
  });

  it.each([
    ['2025-09-30', 'private', false, '0.00'],
    ['2025-10-30', 'private', false, '150.00'],
    ['2025-10-31', 'private', false, '375.00'],
    ['2025-12-31', 'private', false, '750.00'],
    ['2026-03-31', 'private', false, '1500.00'],
    ['2026-03-31', 'llp', true, '3000.00'],
    ['2025-10-01', 'public', false, '750.00'],
    ['2026-03-31', 'public', true, '15000.00'],
  ] as const)(
    'charges for accounts due 30 September 2025 and delivered %s (%s, late last year %s) %s',
    (deliveredOn, filer, before, penalty) => {
      expect(toPoundsText(getLateAccountsPenalty(plainDate('2025-09-30'), plainDate(deliveredOn), filer, before))).toBe(penalty);
    },
  );
});
