import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePounds, pence, toPoundsText, toWholePounds } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { getEndOfMonth, plainDate, toDateFromDayNumber } from '../../plain-date.ts';
import { getAnnualAccountingDueDates, listAnnualAccountingInterims } from './annual-accounting.ts';
import { getFinalVatReturnDueDate, getVatDueDate, getVatPaymentDays } from './due-date.ts';
import { getErrorCorrectionLimit, canCorrectOnNextReturn } from './error-correction.ts';
import { computeBoxes3And5 } from './nine-boxes.ts';
import { getPaymentsOnAccountReturnDueDate, listVatPaymentsOnAccount } from './payments-on-account.ts';

const createKnown = (value: unknown) => ({ known: true, value });
const readPounds = (text: string): Pence => parsePounds(text) ?? pence(Number.NaN);

describe('the due date of a VAT return', () => {
  it.each([
    ['2026-01-31', '2026-03-07', 'VATAC1300: never 10 March'],
    ['2025-02-28', '2025-04-07', 'VAT-calc'],
    ['2024-02-29', '2024-04-07', 'VAT-calc'],
    ['2025-11-30', '2026-01-07', 'VAT-calc'],
    ['2025-12-31', '2026-02-07', 'VAT-calc'],
    ['2018-10-31', '2018-12-07', 'VATGUIDE'],
    ['2019-01-31', '2019-03-07', 'VATGUIDE'],
    ['2013-04-30', '2013-06-07', 'vat_payment_deadlines_test.rb'],
  ])('for a period to %s is %s (%s)', (end, due) => {
    expect(getVatDueDate(plainDate(end))).toEqual(createKnown(due));
  });

  it('is set by HMRC for a period that ends within a month (VDSOG400)', () => {
    expect(getVatDueDate(plainDate('2016-03-28'))).toMatchObject({ known: false, notKnown: expect.stringContaining('obligation') });
    expect(getVatDueDate(plainDate('2024-02-28'))).not.toHaveProperty('forecast');
  });

  it.each([
    ['2013-04-30', '2013-06-07', '2013-06-12', 'vat_payment_deadlines_test.rb'],
    ['2014-04-30', '2014-06-06', '2014-06-11', 'vat_payment_deadlines_test.rb: 7 June is a Saturday'],
    ['2013-05-31', '2013-07-05', '2013-07-10', 'vat_payment_deadlines_test.rb: Bacs cleared 5 July'],
    ['2026-01-31', '2026-03-06', '2026-03-11', 'VATAC1300'],
    ['2023-02-28', '2023-04-06', '2023-04-13', 'VATAC1300: over Easter'],
  ])('for a period to %s requires Bacs cleared by %s and Direct Debit on %s (%s)', (end, cleared, collectedOn) => {
    expect(getVatPaymentDays(plainDate(end))).toMatchObject(
      createKnown({ bacs_cleared_by: createKnown(cleared), direct_debit_collected: createKnown(collectedOn) }),
    );
  });

  it('requires a Direct Debit set up two working days before it (VAT-calc)', () => {
    expect(getVatPaymentDays(plainDate('2026-01-31'))).toMatchObject(createKnown({ direct_debit_set_up_by: createKnown('2026-03-05') }));
  });

  it('is always the 7th and after the end of the period', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 109_000 }), (day) => {
        const end = getEndOfMonth(toDateFromDayNumber(day));
        const due = getVatDueDate(end);
        return due.known && due.value > end && due.value.endsWith('-07');
      }),
    );
  });

  it('of the final return is a month and 7 days after the registration was cancelled', () => {
    expect(getFinalVatReturnDueDate(plainDate('2026-03-15'))).toBe('2026-04-22');
    expect(getFinalVatReturnDueDate(plainDate('2026-01-31'))).toBe('2026-03-07');
  });
});

describe('annual accounting', () => {
  it.each([
    ['2025-06-30', '2025-08-31', '2025-08-29', 'VATAAS3400: a Sunday'],
    ['2025-12-31', '2026-02-28', '2026-02-27', 'examples.json ex-067'],
    ['2023-12-31', '2024-02-29', '2024-02-29', 'leap year'],
  ])('for a year to %s is due %s, by regulation 50 on %s (%s)', (end, dueAfterTwoMonths, lastWorkingDay) => {
    expect(getAnnualAccountingDueDates(plainDate(end))).toEqual({
      two_months: dueAfterTwoMonths,
      last_working_day: createKnown(lastWorkingDay),
    });
  });

  it('allows one month when the first period is under four months (VATAAS3400)', () => {
    expect(getAnnualAccountingDueDates(plainDate('2025-06-30'), true).two_months).toBe('2025-07-31');
  });

  it('requires nine payments of a tenth, or three of a quarter, at the ends of the right months (VATAAS5100)', () => {
    const monthly = listAnnualAccountingInterims(plainDate('2025-07-01'), readPounds('1000.05'), 'monthly');
    expect(monthly).toHaveLength(9);
    expect(monthly[0]).toMatchObject({ month_end: '2025-10-31', due: createKnown('2025-10-31'), amount: readPounds('100.01') });
    expect(monthly[8]).toMatchObject({ month_end: '2026-06-30' });
    const quarterlyInterims = listAnnualAccountingInterims(plainDate('2025-07-01'), readPounds('1000.00'), 'quarterly');
    expect(quarterlyInterims.map((payment) => [payment.month_end, payment.amount])).toEqual([
      ['2025-10-31', 25_000],
      ['2026-01-31', 25_000],
      ['2026-04-30', 25_000],
    ]);
    expect(quarterlyInterims[1]?.due).toEqual(createKnown('2026-01-30'));
  });
});

describe('payments on account of VAT', () => {
  it('are two of 1/24 per quarter, on the last working days of its second and third months (VDSOG400)', () => {
    expect(listVatPaymentsOnAccount(plainDate('2026-01-01'), readPounds('2400000.23'))).toEqual([
      { month_end: '2026-02-28', due: createKnown('2026-02-27'), amount: readPounds('100000.00') },
      { month_end: '2026-03-31', due: createKnown('2026-03-31'), amount: readPounds('100000.00') },
    ]);
    expect(getPaymentsOnAccountReturnDueDate(plainDate('2025-07-31'))).toEqual(createKnown('2025-08-29'));
  });
});

describe('boxes 3 and 5', () => {
  it.each([
    ['105.50', '-100.45', '105.15', '5.05', '100.10', 'repayment', 'vat-api application.yaml example 1'],
    ['100.00', '100.00', '100.00', '200.00', '100.00', 'payment', 'vat-api application.yaml example 2'],
    ['-30.00', '0.00', '12.50', '-30.00', '42.50', 'repayment', 'vat-api VATNetValueValidation'],
    ['0.00', '0.00', '0.00', '0.00', '0.00', 'nil', 'nothing'],
    ['10.00', '0.00', '-5.00', '10.00', '15.00', 'payment', 'negative box 4'],
  ])('%s, %s and %s give %s and %s: %s (%s)', (box1, box2, box4, box3, box5, direction) => {
    const computedBoxes = computeBoxes3And5({ box1: readPounds(box1), box2: readPounds(box2), box4: readPounds(box4) });
    expect([toPoundsText(computedBoxes.box3), toPoundsText(computedBoxes.box5), computedBoxes.direction]).toEqual([box3, box5, direction]);
  });
});

describe('the limit for correcting errors on the next return', () => {
  // Source: VAEC7190. The limit is the greater of 10,000 pounds and 1% of box 6, at most 50,000.
  it.each([
    [0, '10000.00'],
    [1_000_000, '10000.00'],
    [1_000_100, '10001.00'],
    [5_000_000, '50000.00'],
    [9_000_000, '50000.00'],
    [-5, '10000.00'],
  ])('with %i pounds in box 6 is %s', (box6, limit) => {
    const wholePounds = toWholePounds(pence(box6 * 100), 'down');
    expect(toPoundsText(getErrorCorrectionLimit(wholePounds))).toBe(limit);
    expect(canCorrectOnNextReturn(readPounds(limit), wholePounds)).toBe(true);
    expect(canCorrectOnNextReturn(pence(-readPounds(limit) - 1), wholePounds)).toBe(false);
  });
});
