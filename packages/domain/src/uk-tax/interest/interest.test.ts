import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideRounded, parsePounds, pence, toPoundsText } from '../../money.ts';
import { addDays, plainDate, toDateFromDayNumber, toDayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { getValueOrForecast } from '../known.ts';
import { getInstalmentRateChangeDate, INSTALMENT_RATES } from './instalment-rates.ts';
import { getRateChangeDate, INTEREST_RATES, getInterestRates, RATES_VERIFIED_TO } from './interest-rates.ts';
import {
  calculateInstalmentInterest,
  calculateInterestAtRate,
  calculateInterestWithPartPayments,
  calculateLatePaymentInterest,
} from './late-payment-interest.ts';
import { calculateOverpaymentInterest, calculateVatRepaymentInterest } from './repayment-interest.ts';

const readPounds = (text: string) => parsePounds(text) ?? pence(Number.NaN);
const calculateLateInterest = (amount: string, due: string, paidOn: string) => {
  const knownInterest = calculateLatePaymentInterest(readPounds(amount), plainDate(due), plainDate(paidOn));
  return knownInterest.known
    ? { days: knownInterest.value.days, interest: toPoundsText(knownInterest.value.interest), estimate: knownInterest.value.estimate }
    : knownInterest;
};

describe('the HMRC interest rate table', () => {
  // SI 2011/2446: announcements by the Bank of England's committee. A change takes effect at HMRC on the 13th working day afterwards. 21
  // February 2022 is omitted: both HMRC tables give it, one working day before the rule's date.
  it.each([
    ['2021-12-16', '2022-01-07'],
    ['2022-03-17', '2022-04-05'],
    ['2022-05-05', '2022-05-24'],
    ['2022-06-16', '2022-07-05'],
    ['2022-08-04', '2022-08-23'],
    ['2022-09-22', '2022-10-11'],
    ['2022-11-03', '2022-11-22'],
    ['2022-12-15', '2023-01-06'],
    ['2023-02-02', '2023-02-21'],
    ['2023-03-23', '2023-04-13'],
    ['2023-05-11', '2023-05-31'],
    ['2023-06-22', '2023-07-11'],
    ['2023-08-03', '2023-08-22'],
    ['2024-08-01', '2024-08-20'],
    ['2024-11-07', '2024-11-26'],
    ['2025-02-06', '2025-02-25'],
    ['2025-05-08', '2025-05-28'],
    ['2025-08-07', '2025-08-27'],
    ['2025-12-18', '2026-01-09'],
  ])('applies the change announced on %s from %s', (announcedOn, from) => {
    expect(getRateChangeDate(plainDate(announcedOn))).toEqual({ known: true, value: from });
    expect(INTEREST_RATES.some((row) => row.from === from)).toBe(true);
  });

  it.each([
    ['2025-02-06', '2025-02-17'],
    ['2025-05-08', '2025-05-19'],
    ['2025-08-07', '2025-08-18'],
    ['2025-12-18', '2025-12-29'],
    ['2023-08-03', '2023-08-14'],
  ])('for instalments applies the change announced on %s from %s (GOV.UK: the second Monday)', (announcedOn, from) => {
    expect(getInstalmentRateChangeDate(plainDate(announcedOn))).toBe(from);
    expect(INSTALMENT_RATES.some((row) => row.from === from)).toBe(true);
  });

  it('is in date order, names its sources and has a verified date', () => {
    for (const table of [INTEREST_RATES, INSTALMENT_RATES]) {
      expect(table.map((row) => row.from)).toEqual(table.map((row) => row.from).toSorted());
      expect(table.every((row) => row.source.length > 5)).toBe(true);
      expect(table.at(-1)?.verified_to).toMatch(/^20/);
    }
  });

  it.each([
    ['2023-08-21', 750, 400, 'examples.json ex-070'],
    ['2023-08-22', 775, 425, 'CH146060'],
    ['2025-04-05', 700, 350, 'the last day at base rate + 2.5%'],
    ['2025-04-06', 850, 350, 'base rate + 4%'],
    ['2026-01-08', 800, 300, 'the day before a change'],
    ['2026-01-09', 775, 275, 'smart-answers'],
    ['2022-01-06', 260, 50, 'GOV.UK corrected 4 to 7 January 2022'],
  ])('on %s gives %i and %i (%s)', (date, latePayment, repayment) => {
    expect(getInterestRates(plainDate(date))).toEqual({
      known: true,
      value: { late_payment_bps: latePayment, repayment_bps: repayment, estimate: false },
    });
  });

  it('gives an estimate after the verified date and nothing before its first row', () => {
    const newestRate = INTEREST_RATES.at(-1)?.late_payment_bps;
    expect(getInterestRates(addDays(RATES_VERIFIED_TO, 1))).toMatchObject({
      known: true,
      value: { late_payment_bps: newestRate, estimate: true },
    });
    expect(getInterestRates(plainDate('2009-09-28'))).toMatchObject({ known: false, notKnown: expect.stringContaining('2009') });
  });
});

describe('late payment interest', () => {
  it.each([
    ['6000', '2025-05-07', '2025-06-07', 31, '42.86', 'CH141140: 20 days at 8.50, 11 at 8.25'],
    ['10000', '2023-01-31', '2023-03-05', 33, '56.03', 'CH141140; examples.json ex-037'],
    ['2500', '2025-08-07', '2025-09-30', 54, '29.91', 'examples.json ex-038'],
    ['10000', '2020-01-31', '2020-03-01', 30, '26.71', 'CH140220: 30 days over 29 February, at 3.25 of 365'],
    ['10000', '2023-01-31', '2023-02-01', 1, '1.64', 'CH140220: one day'],
    ['10000', '2023-01-31', '2023-01-31', 0, '0.00', 'CH140220: paid on the day'],
    ['10000', '2023-01-31', '2023-01-01', 0, '0.00', 'paid early'],
  ])('on %s pounds due %s paid %s is %i days, %s (%s)', (amount, due, paidOn, days, interest) => {
    expect(calculateLateInterest(amount, due, paidOn)).toEqual({ days, interest, estimate: false });
  });

  it('is an estimate once it includes a day after the verified date', () => {
    const due = addDays(RATES_VERIFIED_TO, -20);
    expect(calculateLateInterest('100', due, RATES_VERIFIED_TO)).toMatchObject({ estimate: false });
    expect(calculateLateInterest('100', due, addDays(RATES_VERIFIED_TO, 1))).toMatchObject({ estimate: true });
    expect(calculateLateInterest('100', addDays(RATES_VERIFIED_TO, 9), addDays(RATES_VERIFIED_TO, 9))).toMatchObject({ estimate: false });
    expect(calculateLateInterest('100', '2009-01-01', '2010-01-01')).toMatchObject({ known: false });
  });

  it('at a given rate matches HMRC’s worked example: 5,000 x 50 / 365 x 7.25% = 49.66', () => {
    expect(toPoundsText(calculateInterestAtRate(readPounds('5000'), 50, 725))).toBe('49.66');
  });

  const days = fc.integer({ min: toDayNumber(plainDate('2015-01-01')), max: toDayNumber(plainDate('2035-12-31')) });
  const amounts = fc.integer({ min: 1, max: 99_999_999_999 }).map(pence);
  const calculateInterest = (...args: Parameters<typeof calculateInterestWithPartPayments>): number => {
    const knownInterest = getValueOrForecast(calculateInterestWithPartPayments(...args));
    if (knownInterest === undefined) throw new Error('the table should cover all of these days');
    return knownInterest.interest;
  };

  it('equals a day-by-day calculation', () => {
    fc.assert(
      fc.property(days, fc.nat(1_500), amounts, (day, length, amount) => {
        const due = toDateFromDayNumber(day);
        let rates = 0n;
        for (let date: PlainDate = addDays(due, 1); date <= addDays(due, length); date = addDays(date, 1)) {
          rates += BigInt(getValueOrForecast(getInterestRates(date))?.late_payment_bps ?? -1);
        }
        const expected = Number(divideRounded(BigInt(amount) * rates, 3_650_000n, 'half-away'));
        expect(calculateLatePaymentInterest(amount, due, addDays(due, length))).toMatchObject({
          known: true,
          value: { interest: expected, days: length },
        });
      }),
      { numRuns: 50 },
    );
  });

  it('never decreases when a payment is made later', () => {
    fc.assert(
      fc.property(days, amounts, amounts, fc.nat(800), fc.nat(800), (day, amount, paid, after, furtherDays) => {
        const due = toDateFromDayNumber(day);
        const endDate = addDays(due, 900);
        const interestIfOnTime = calculateInterest(amount, due, [{ date: addDays(due, after), amount: paid }], endDate);
        expect(calculateInterest(amount, due, [{ date: addDays(due, after + furtherDays), amount: paid }], endDate)).toBeGreaterThanOrEqual(
          interestIfOnTime,
        );
      }),
    );
  });

  it('does not change when a payment is split in two on the same day', () => {
    fc.assert(
      fc.property(days, amounts, fc.nat(800), fc.nat(100), (day, amount, after, percent) => {
        const due = toDateFromDayNumber(day);
        const date = addDays(due, after);
        const part = pence(Number((BigInt(amount) * BigInt(percent)) / 100n));
        const twoPayments = [
          { date, amount: part },
          { date, amount: pence(amount - part) },
        ];
        expect(calculateInterest(amount, due, twoPayments)).toBe(calculateInterest(amount, due, [{ date, amount }]));
        expect(calculateInterest(amount, due, [{ date, amount }])).toBe(
          getValueOrForecast(calculateLatePaymentInterest(amount, due, date))?.interest,
        );
      }),
    );
  });

  it('is limited to the amount: overpayments bear none', () => {
    const due = plainDate('2025-05-07');
    const date = plainDate('2025-06-07');
    expect(calculateInterest(readPounds('6000'), due, [{ date, amount: readPounds('9000') }])).toBe(readPounds('42.86'));
    expect(calculateInterestWithPartPayments(readPounds('6000'), due, [], date)).toMatchObject({ value: { days: 31, interest: 4286 } });
  });
});

describe('interest on corporation tax instalments', () => {
  it('uses the instalment rate up to the normal due date and the ordinary rate after it (SI 1998/3175 reg 7)', () => {
    const knownInterest = calculateInstalmentInterest(
      readPounds('100000'),
      plainDate('2025-07-14'),
      plainDate('2025-10-11'),
      plainDate('2025-10-01'),
    );
    // 15 July to 17 August: 34 days at 6.75; to 1 October: 45 at 6.50; then 10 days at the ordinary 8.00.
    const expected = Number(divideRounded(10_000_000n * (34n * 675n + 45n * 650n + 10n * 800n), 3_650_000n, 'half-away'));
    expect(knownInterest).toMatchObject({ known: true, value: { days: 89, interest: expected, estimate: false } });
  });

  it('is zero when paid on the day and unknown before the table', () => {
    const day = plainDate('2020-01-14');
    expect(calculateInstalmentInterest(pence(100), day, day, plainDate('2020-10-01'))).toMatchObject({
      known: true,
      value: { interest: 0 },
    });
    expect(calculateInstalmentInterest(pence(100), day, addDays(day, 1), plainDate('2020-10-01'))).toMatchObject({ known: false });
  });
});

describe('repayment interest', () => {
  const createCredit = (filedOn: string, repaidOn: string, stops: { from: string; until: string }[] = []) => ({
    amount: readPounds('10000'),
    return_due: plainDate('2023-11-07'),
    return_filed: plainDate(filedOn),
    repaid: plainDate(repaidOn),
    stops: stops.map((stop) => ({ from: plainDate(stop.from), until: plainDate(stop.until) })),
  });

  it.each([
    ['2023-11-01', '2023-11-10', 3, '3.49', 'CH146060 (Eduardo)'],
    ['2023-11-09', '2023-11-10', 1, '1.16', 'filed late: from the day of filing'],
    ['2023-11-01', '2023-11-07', 0, '0.00', 'repaid on the due date'],
    ['2023-11-01', '2023-11-05', 0, '0.00', 'repaid early'],
  ])('on a credit filed %s and repaid %s is %i days, %s (%s)', (filedOn, repaidOn, days, interest) => {
    expect(calculateVatRepaymentInterest(createCredit(filedOn, repaidOn))).toMatchObject({
      known: true,
      value: { days, interest: readPounds(interest) },
    });
  });

  it('stops from a notice until the response (CH146460: 4 + 5 = 9 days)', () => {
    const facts = {
      amount: readPounds('10000'),
      return_due: plainDate('2023-08-07'),
      return_filed: plainDate('2023-08-01'),
      repaid: plainDate('2023-08-25'),
    };
    const stop = { from: plainDate('2023-08-12'), until: plainDate('2023-08-21') };
    expect(calculateVatRepaymentInterest({ ...facts, stops: [stop] })).toMatchObject({ value: { days: 9 } });
    expect(calculateVatRepaymentInterest({ ...facts, stops: [stop, stop] })).toMatchObject({ value: { days: 9 } });
    expect(calculateVatRepaymentInterest({ ...facts, stops: [{ from: stop.until, until: stop.from }] })).toMatchObject({
      value: { days: 18 },
    });
    expect(
      calculateVatRepaymentInterest({ ...facts, stops: [{ from: plainDate('2023-01-01'), until: plainDate('2024-01-01') }] }),
    ).toMatchObject({
      value: { days: 0, interest: 0 },
    });
  });

  it('counts each day at most once for any stops', () => {
    const stops = fc.array(fc.record({ from: fc.nat(60), length: fc.integer({ min: -5, max: 30 }) }), { maxLength: 5 });
    fc.assert(
      fc.property(stops, (list) => {
        const start = plainDate('2023-11-07');
        const repaidOn = addDays(start, 50);
        const changes = list.map(({ from, length }) => ({ from: addDays(start, from), until: addDays(start, from + length) }));
        const countedDays = Array.from({ length: 50 }, (_, index) => addDays(start, index + 1)).filter(
          (day) => !changes.some((stop) => stop.from <= day && day < stop.until),
        );
        expect(calculateVatRepaymentInterest({ ...createCredit('2023-11-01', repaidOn), stops: changes })).toMatchObject({
          value: { days: countedDays.length },
        });
      }),
    );
  });

  it('on overpaid tax runs from the later of the payment and due dates (CH146040)', () => {
    const [due, repaidOn] = [plainDate('2023-11-07'), plainDate('2023-11-10')];
    expect(calculateOverpaymentInterest(readPounds('10000'), due, plainDate('2023-10-01'), repaidOn)).toMatchObject({ value: { days: 3 } });
    expect(calculateOverpaymentInterest(readPounds('10000'), due, plainDate('2023-11-09'), repaidOn)).toMatchObject({ value: { days: 1 } });
  });
});
