import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { getPayoutReference, getSurplusReference, isSamePayoutReference, parsePayoutReference } from './payout-reference.ts';

const PERIOD_END = plainDate('2026-09-30');

describe('the reference of a payout', () => {
  it('names the advance within the 18 characters of Faster Payments', () => {
    const reference = getPayoutReference('123456789', PERIOD_END);
    expect(reference).toBe('VAT 123456789 2609');
    expect(reference).toHaveLength(18);
    expect(parsePayoutReference(reference)).toEqual({ vrn: '123456789', month: '2609' });
  });

  it('names the company if it pays what we owe to the trader', () => {
    expect(parsePayoutReference(getSurplusReference('123456789'))).toEqual({ vrn: '123456789', month: null });
  });

  it('is recognised however a bank writes it, and nothing else is', () => {
    expect(isSamePayoutReference('vat 123456789-2609', 'VAT 123456789 2609')).toBe(true);
    expect(isSamePayoutReference('VAT 123456789 2606', 'VAT 123456789 2609')).toBe(false);
    expect(parsePayoutReference('vat123456789/2609')).toEqual({ vrn: '123456789', month: '2609' });
    for (const otherReference of ['', 'OFFICE RENT', 'VAT REFUND 26-09', 'VAT 12345678 2609'])
      expect(parsePayoutReference(otherReference)).toBeUndefined();
  });
});
