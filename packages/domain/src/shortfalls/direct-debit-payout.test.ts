import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { findPayoutProblem, getGross, splitPayout, type PayoutItem } from './direct-debit-payout.ts';

const paid = (paymentId: string, pounds: number): PayoutItem => ({ type: 'payment_paid_out', paymentId, tenths: pounds * 1_000 });
const fee = (paymentId: string, tenths: number): PayoutItem => ({ type: 'gocardless_fee', paymentId, tenths });
const companyOf = (paymentId: string) => ({ PM1: 'a', PM2: 'b', PM3: 'b' })[paymentId];

describe('a payout of GoCardless', () => {
  it('is each company’s payments less what was charged for them, with a charge-back withheld', () => {
    const items = [paid('PM1', 100), fee('PM1', -1_205), paid('PM2', 50), fee('PM2', -705)];
    const withheld = [{ type: 'payment_charged_back', paymentId: 'PM3', tenths: -20_000 }, fee('PM3', 405)];
    const facts = { net: pence(12_850), currency: 'GBP', items: [...items, ...withheld] };
    expect(findPayoutProblem(facts, companyOf)).toBeUndefined();
    expect(getGross(facts.items)).toBe(13_000);
    expect(splitPayout(facts, companyOf)).toEqual([
      { companyId: 'a', gross: 10_000, fee: 121 },
      { companyId: 'b', gross: 3_000, fee: 29 },
    ]);
  });

  it.each([
    ['another currency', { currency: 'EUR' }, 'EUR'],
    ['an unknown kind of item', { items: [{ ...paid('PM1', 100), type: 'refund' }] }, '“refund”'],
    ['a fee for no payment', { items: [{ type: 'app_fee', paymentId: undefined, tenths: -10 }] }, 'with no payment'],
    ['a payment of someone else', { items: [paid('PM9', 100)] }, 'PM9'],
    ['items that add up to less', { items: [paid('PM1', 99)] }, '£99.00'],
  ])('is not posted for %s', (_case, change, text) => {
    const facts = { net: pence(10_000), currency: 'GBP', items: [paid('PM1', 100)], ...change };
    expect(findPayoutProblem(facts, companyOf)).toContain(text);
  });

  it('is never a penny more or less than its parts', () => {
    const item = fc.record({
      paymentId: fc.constantFrom('PM1', 'PM2', 'PM3'),
      amount: fc.integer({ min: -50_000, max: 50_000 }),
      fee: fc.integer({ min: -9_999, max: 9_999 }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (drawn) => {
        const items = drawn.flatMap(({ paymentId, amount, fee: tenths }) => [
          { type: 'payment_paid_out', paymentId, tenths: amount * 10 },
          fee(paymentId, tenths),
        ]);
        const net = pence(Math.round(items.reduce((sum, { tenths }) => sum + tenths, 0) / 10));
        expect(findPayoutProblem({ net, currency: 'GBP', items }, companyOf)).toBeUndefined();
        const shares = splitPayout({ net, items }, companyOf);
        expect(shares.reduce((sum, { gross, fee: charged }) => sum + gross - charged, 0)).toBe(net);
      }),
    );
  });
});
