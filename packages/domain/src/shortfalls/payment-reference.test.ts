import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPaymentReference, hasReference } from './payment-reference.ts';

const CASE_ID = '4f6a1c22-9d3e-4b1a-8c55-0a1b2c3d4e5f';

describe('the reference of a shortfall', () => {
  it('is short enough for every bank, and has no characters that people confuse', () => {
    fc.assert(fc.property(fc.uuid(), (id) => /^VR[0-9A-HJKMNP-TV-Z]{8}$/.test(getPaymentReference(id))));
  });

  it.each([
    ['as given', (reference: string) => reference],
    ['in lower case with spaces', (reference: string) => reference.toLowerCase().replace(/(.{4})/g, '$1 ')],
    ['with other words', (reference: string) => `Tess Exports ${reference}`],
    ['with O for 0 and I for 1', (reference: string) => reference.replaceAll('0', 'O').replaceAll('1', 'I')],
  ])('is recognised %s', (_how, type) => {
    const reference = getPaymentReference(CASE_ID);
    expect(hasReference(type(reference), reference)).toBe(true);
  });

  it.each(['', 'VAT REPAYMENT', 'VR', '4F6A1C22'])('is not recognised in %j', (text) => {
    expect(hasReference(text, getPaymentReference(CASE_ID))).toBe(false);
  });
});
