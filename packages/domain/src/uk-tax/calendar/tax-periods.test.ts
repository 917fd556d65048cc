import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, plainDate, toDateFromDayNumber } from '../../plain-date.ts';
import { getLastTaxMonthOfQuarter, getTaxMonthDates, getTaxMonth } from './paye-tax-month.ts';
import { getCorporationTaxFinancialYear, parseTaxYear, getTaxYearDates, getTaxYear } from './tax-year.ts';
import { parseVatStagger, getVatPeriod } from './vat-stagger.ts';

const dates = fc.integer({ min: 400, max: 105_900 }).map(toDateFromDayNumber);

describe('a tax year', () => {
  it.each([
    ['2026-04-05', '2025-26', 'examples.json ex-060'],
    ['2026-04-06', '2026-27', 'TaxYear.scala'],
    ['2000-04-05', '1999-00', 'TaxYear.scala: a century end gives 00'],
    ['2000-04-06', '2000-01', 'TaxYear.scala'],
    ['2026-11-21', '2026-27', 'TaxYear.scala'],
  ])('of %s is %s (%s)', (date, label) => {
    expect(getTaxYear(plainDate(date))).toBe(label);
  });

  it('contains exactly its own days', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const { start, end } = getTaxYearDates(getTaxYear(date));
        return start <= date && date <= end && getTaxYear(addDays(end, 1)) !== getTaxYear(date);
      }),
    );
  });

  it('parses its own label and rejects others', () => {
    fc.assert(fc.property(dates, (date) => parseTaxYear(getTaxYear(date)).ok));
    fc.assert(fc.property(fc.string(), (text) => typeof parseTaxYear(text).ok === 'boolean'));
    for (const text of ['2025-27', '2025-2026', '25-26', '2025/26', '0000-01', '']) expect(parseTaxYear(text).ok, text).toBe(false);
  });

  it('of corporation tax begins on 1 April and is named after its start (CTA 2010 s1119)', () => {
    expect([getCorporationTaxFinancialYear(plainDate('2026-03-31')), getCorporationTaxFinancialYear(plainDate('2026-04-01'))]).toEqual([
      2025, 2026,
    ]);
  });
});

describe('a PAYE tax month', () => {
  // Source: DMBM520055.
  it.each([
    ['2025-05-05', '2025-26', 1],
    ['2025-05-06', '2025-26', 2],
    ['2026-01-05', '2025-26', 9],
    ['2026-01-06', '2025-26', 10],
    ['2026-04-05', '2025-26', 12],
    ['2026-04-06', '2026-27', 1],
  ])('of %s is %s month %i', (date, taxYear, month) => {
    expect(getTaxMonth(plainDate(date))).toEqual({ tax_year: taxYear, month });
  });

  it('contains each of its days', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const { tax_year: taxYear, month } = getTaxMonth(date);
        const { start, end } = getTaxMonthDates(taxYear, month);
        return start <= date && date <= end;
      }),
    );
  });

  it('throws outside 1 to 12, and a quarter outside 1 to 4', () => {
    for (const invalidValue of [0, 13, 1.5])
      expect(() => getTaxMonthDates(getTaxYear(plainDate('2026-01-01')), invalidValue)).toThrow(RangeError);
    for (const invalidValue of [0, 5]) expect(() => getLastTaxMonthOfQuarter(invalidValue)).toThrow(RangeError);
  });
});

describe('a VAT stagger', () => {
  // Source: hmrc/vat-registration-frontend Stagger.scala. MA is stagger 2, MB 3, MC 1.
  it.each([
    ['2', '2026-02-10', '2026-02-01', '2026-04-30'],
    ['1', '2026-02-10', '2026-01-01', '2026-03-31'],
    ['3', '2026-02-10', '2025-12-01', '2026-02-28'],
    ['3', '2024-02-29', '2023-12-01', '2024-02-29'],
    ['MA', '2026-01-31', '2025-11-01', '2026-01-31'],
    ['MB', '2026-03-01', '2026-03-01', '2026-05-31'],
    ['MC', '2026-12-31', '2026-10-01', '2026-12-31'],
    ['monthly', '2024-02-15', '2024-02-01', '2024-02-29'],
    ['YA', '2026-02-10', '2026-01-01', '2026-12-31'],
    ['YL', '2026-12-01', '2026-12-01', '2027-11-30'],
    ['YL', '2026-11-30', '2025-12-01', '2026-11-30'],
  ])('%s puts %s in the period %s to %s', (code, date, start, end) => {
    const stagger = parseVatStagger(code);
    expect(stagger.ok && getVatPeriod(stagger.value, plainDate(date))).toEqual({ start, end });
  });

  it('divides time into periods without gaps or overlaps', () => {
    fc.assert(
      fc.property(dates, fc.constantFrom('1', '2', '3', 'MM', 'YA', 'YF', 'YL'), (date, code) => {
        const stagger = parseVatStagger(code);
        if (!stagger.ok) throw new Error(stagger.reason);
        const { start, end } = getVatPeriod(stagger.value, date);
        expect(start <= date && date <= end).toBe(true);
        expect(getVatPeriod(stagger.value, addDays(end, 1)).start).toBe(addDays(end, 1));
      }),
    );
  });

  it('is rejected in any other form', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseVatStagger(text).ok === 'boolean'));
    for (const text of ['4', 'MD', 'YM', '', 'constructor', '__proto__']) expect(parseVatStagger(text).ok, text).toBe(false);
  });
});
