import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { isRefundRepayment } from './match-credit.ts';

describe('credit on a collection account', () => {
  it.each([
    { amount: 1_000, remitter: 'Somebody Ltd', repays: true, why: 'it covers the refund' },
    { amount: 999, remitter: 'HMRC VAT', repays: true, why: 'HMRC adjusted the refund' },
    { amount: 999, remitter: 'HM Revenue & Customs', repays: true, why: 'HMRC writes its name in both ways' },
    { amount: 999, remitter: 'Somebody Ltd', repays: false, why: 'a stranger cannot make a shortfall' },
    { amount: 999, remitter: 'Benchmrc Ltd', repays: false, why: 'a name that only holds the letters is not HMRC' },
    { amount: 999, remitter: '', repays: false, why: 'the bank did not name the payer' },
  ])('of $amount from "$remitter" against a refund of 1000: $repays, because $why', ({ amount, remitter, repays: expected }) => {
    expect(isRefundRepayment({ amount: pence(amount), remitter }, pence(1_000))).toBe(expected);
  });
});
