import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePounds, pence, toPoundsText } from '../../money.ts';
import { addDays, plainDate } from '../../plain-date.ts';
import { getValueOrForecast } from '../known.ts';
import type { Payment } from '../interest/late-payment-interest.ts';
import { calculateVatLatePaymentPenalty, getVatPenaltyRates } from '../vat/late-payment-penalty.ts';
import { calculateDailyPenalty, calculateLatePaymentPenalty } from './late-payment-penalty.ts';
import type { PenaltyRates } from './late-payment-penalty.ts';

const NEW: PenaltyRates = { after_day_15_bps: 300, after_day_30_bps: 300, yearly_bps: 1000 };
const due = plainDate('2025-11-07');
const readPounds = (text: string) => parsePounds(text) ?? pence(Number.NaN);
const createPaymentOnDay = (day: number, amount: string): Payment => ({ date: addDays(due, day), amount: readPounds(amount) });
const listTexts = (penalty: ReturnType<typeof calculateLatePaymentPenalty>): (string | undefined)[] =>
  [penalty.first, getValueOrForecast(penalty.second), getValueOrForecast(penalty.total)].map((amount) =>
    amount === undefined ? undefined : toPoundsText(amount),
  );
const calculatePenalty = (amount: string, ...payments: Payment[]): (string | undefined)[] =>
  listTexts(calculateLatePaymentPenalty({ due, amount: readPounds(amount), payments }, NEW));

describe('late payment penalties', () => {
  it('follow part payments across days 15, 30 and 50 (FA 2021 Sch 26 paras 5-7: 300 + 120 + 21.92)', () => {
    expect(
      calculatePenalty('12000', createPaymentOnDay(12, '2000'), createPaymentOnDay(25, '6000'), createPaymentOnDay(50, '4000')),
    ).toEqual(['420.00', '21.92', '441.92']);
  });

  it.each([
    [15, ['0.00', '0.00', '0.00'], 'paid by day 15: nothing'],
    [16, ['300.00', '0.00', '300.00'], 'day 16: the first part'],
    [30, ['300.00', '0.00', '300.00'], 'day 30: the first part only'],
    [31, ['600.00', '2.74', '602.74'], 'day 31: both parts and one day'],
    [40, ['600.00', '27.40', '627.40'], 'saffery.com: 10,000 on day 40'],
    [395, ['600.00', '1000.00', '1600.00'], 'a year of the second penalty'],
    [-3, ['0.00', '0.00', '0.00'], 'early'],
    [0, ['0.00', '0.00', '0.00'], 'on the day'],
  ])('on 10,000 pounds paid on day %i are %j (%s)', (day, expected) => {
    expect(calculatePenalty('10000', createPaymentOnDay(day, '10000'))).toEqual(expected);
  });

  it('are two penalties, each rounded once', () => {
    // 3% of 0.17 twice is 1.02 pence, which rounds to 1; rounding each half up would give 2.
    expect(calculatePenalty('0.17', createPaymentOnDay(31, '0.17'))[0]).toBe('0.01');
    expect(toPoundsText(calculateDailyPenalty(readPounds('10000'), NEW))).toBe('2.74');
  });

  it('are partly unknown while the debt is open, with the amount so far as forecast', () => {
    const openPenalty = calculateLatePaymentPenalty({ due, amount: readPounds('10000'), payments: [createPaymentOnDay(40, '4000')] }, NEW);
    expect(openPenalty.second).toMatchObject({
      known: false,
      notKnown: expect.stringContaining('still grows'),
      forecast: readPounds('27.40'),
    });
    expect(openPenalty.total).toMatchObject({ known: false, forecast: readPounds('627.40') });
  });

  it('are calculated up to a given day', () => {
    const calculatePenaltyAt = (day: number) =>
      listTexts(
        calculateLatePaymentPenalty(
          { due, amount: readPounds('10000'), payments: [createPaymentOnDay(50, '10000')], as_of: addDays(due, day) },
          NEW,
        ),
      );
    expect(calculatePenaltyAt(14)).toEqual(['0.00', '0.00', '0.00']);
    expect(calculatePenaltyAt(15)).toEqual(['300.00', '0.00', '300.00']);
    expect(calculatePenaltyAt(40)).toEqual(['600.00', '27.40', '627.40']);
    expect(calculatePenaltyAt(60)).toEqual(['600.00', '54.79', '654.79']);
  });

  it.each([
    [15, ['0.00', '0.00', '0.00']],
    [16, ['300.00', '0.00', '300.00']],
    [30, ['300.00', '0.00', '300.00']],
    [41, ['600.00', '27.40', '627.40']],
  ])('stop at a plan proposed on day %i (FA 2021 Sch 26 paras 6-9): %j', (day, expected) => {
    const plan = {
      due,
      amount: readPounds('10000'),
      payments: [createPaymentOnDay(100, '10000')],
      time_to_pay: { proposed_on: addDays(due, day) },
    };
    expect(listTexts(calculateLatePaymentPenalty(plan, NEW))).toEqual(expected);
  });

  const cases = fc.record({
    amount: fc.integer({ min: 1, max: 900_000_000 }),
    parts: fc.array(fc.record({ day: fc.integer({ min: -10, max: 400 }), share: fc.integer({ min: 1, max: 100 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
  });
  const toPayments = ({ amount, parts }: { amount: number; parts: { day: number; share: number }[] }): Payment[] =>
    parts.map(({ day, share }) => ({ date: addDays(due, day), amount: pence(Math.floor((amount * share) / 100)) }));
  const calculateTotal = (amount: number, payments: readonly Payment[]): number =>
    getValueOrForecast(calculateLatePaymentPenalty({ due, amount: pence(amount), payments, as_of: addDays(due, 500) }, NEW).total) ?? -1;

  it('never decrease when a payment is made later', () => {
    fc.assert(
      fc.property(cases, fc.nat(4), fc.nat(100), (facts, paymentIndex, days) => {
        const payments = toPayments(facts);
        const laterPayments = payments.map((payment, index) =>
          index === paymentIndex % payments.length ? { ...payment, date: addDays(payment.date, days) } : payment,
        );
        return calculateTotal(facts.amount, laterPayments) >= calculateTotal(facts.amount, payments);
      }),
    );
  });

  it('do not change when a payment is split in two on the same day', () => {
    fc.assert(
      fc.property(cases, fc.nat(100), (facts, percent) => {
        const payments = toPayments(facts);
        const splitPayments = payments.flatMap((payment) => {
          const part = pence(Math.floor((payment.amount * percent) / 100));
          return [
            { ...payment, amount: part },
            { ...payment, amount: pence(payment.amount - part) },
          ];
        });
        return calculateTotal(facts.amount, splitPayments) === calculateTotal(facts.amount, payments);
      }),
    );
  });
});

describe('penalty rates of a VAT period', () => {
  // The due date and the first day of the period both decide the rate: SI 2025/589 reg 1(3); CH193140.
  it.each([
    ['2025-03-01', '2025-07-07', 200, 'a quarter from 1 March keeps the old set'],
    ['2025-04-01', '2025-06-07', 300, 'the month of April 2025'],
    ['2025-04-01', '2025-08-07', 300, 'examples.json ex-029'],
    ['2025-01-01', '2025-05-07', 200, 'examples.json ex-030'],
    ['2025-04-01', '2025-05-30', 200, 'due before 31 May 2025'],
    ['2025-04-01', '2025-05-31', 300, 'due on 31 May 2025'],
    ['2025-03-31', '2025-05-31', 200, 'began on 31 March 2025'],
    ['2023-01-01', '2023-05-07', 200, 'the first quarter of the regime'],
  ])('from %s due %s are %i (%s)', (start, dueOn, bps) => {
    expect(getVatPenaltyRates(plainDate(start), plainDate(dueOn))).toMatchObject({ known: true, value: { after_day_15_bps: bps } });
  });

  it('are unknown before 2023, when the default surcharge applied', () => {
    const facts = { due: plainDate('2023-02-07'), amount: pence(100), payments: [] };
    expect(calculateVatLatePaymentPenalty(plainDate('2022-10-01'), facts)).toMatchObject({
      known: false,
      notKnown: expect.stringContaining('surcharge'),
    });
  });
});
