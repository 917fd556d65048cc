import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { findPayoutProblem, getGross, splitPayout, type PayoutItem } from './direct-debit-payout.ts';

const createPaidItem = (paymentId: string, pounds: number): PayoutItem => ({ type: 'payment_paid_out', paymentId, tenths: pounds * 1_000 });
const createFeeItem = (paymentId: string, tenths: number): PayoutItem => ({ type: 'gocardless_fee', paymentId, tenths });
const findCompany = (paymentId: string) => ({ PM1: 'a', PM2: 'b', PM3: 'b' })[paymentId];

describe('a payout of GoCardless', () => {
  it('is each company’s payments less what was charged for them, with a charge-back withheld', () => {
    const items = [createPaidItem('PM1', 100), createFeeItem('PM1', -1_205), createPaidItem('PM2', 50), createFeeItem('PM2', -705)];
    const withheldItems = [{ type: 'payment_charged_back', paymentId: 'PM3', tenths: -20_000 }, createFeeItem('PM3', 405)];
    const facts = { net: pence(12_850), currency: 'GBP', items: [...items, ...withheldItems] };
    expect(findPayoutProblem(facts, findCompany)).toBeUndefined();
    expect(getGross(facts.items)).toBe(13_000);
    expect(splitPayout(facts, findCompany)).toEqual([
      { companyId: 'a', gross: 10_000, fee: 121 },
      { companyId: 'b', gross: 3_000, fee: 29 },
    ]);
  });

  it.each([
    ['another currency', { currency: 'EUR' }, 'EUR'],
    ['an unknown kind of item', { items: [{ ...createPaidItem('PM1', 100), type: 'refund' }] }, '“refund”'],
    ['a fee for no payment', { items: [{ type: 'app_fee', paymentId: undefined, tenths: -10 }] }, 'with no payment'],
    ['a payment of someone else', { items: [createPaidItem('PM9', 100)] }, 'PM9'],
    ['items that add up to less', { items: [createPaidItem('PM1', 99)] }, '£99.00'],
  ])('is not posted for %s', (_case, change, text) => {
    const facts = { net: pence(10_000), currency: 'GBP', items: [createPaidItem('PM1', 100)], ...change };
    expect(findPayoutProblem(facts, findCompany)).toContain(text);
  });

  it('is never a penny more or less than its parts', () => {
    const item = fc.record({
      paymentId: fc.constantFrom('PM1', 'PM2', 'PM3'),
      amount: fc.integer({ min: -50_000, max: 50_000 }),
      fee: fc.integer({ min: -9_999, max: 9_999 }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (drawnItems) => {
        const items = drawnItems.flatMap(({ paymentId, amount, fee: tenths }) => [
          { type: 'payment_paid_out', paymentId, tenths: amount * 10 },
          createFeeItem(paymentId, tenths),
        ]);
        const net = pence(Math.round(items.reduce((sum, { tenths }) => sum + tenths, 0) / 10));
        expect(findPayoutProblem({ net, currency: 'GBP', items }, findCompany)).toBeUndefined();
        const shares = splitPayout({ net, items }, findCompany);
        expect(shares.reduce((sum, { gross, fee: chargedFee }) => sum + gross - chargedFee, 0)).toBe(net);
      }),
    );
  });
});
