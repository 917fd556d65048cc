import { describe, expect, it } from 'vitest';
import { plainDate } from '../../plain-date.ts';
import { findPaymentReference } from './how-to-pay.ts';

const NONE = { vrn: null, utr: null, accountsOfficeReference: null };
const item = { isLate: false, periodEnd: plainDate('2026-06-05') };

describe('a payment reference', () => {
  it.each([
    ['VAT: the nine digits', 'vat', { vrn: '482193730' }, '482193730'],
    ['Self Assessment: the UTR and K', 'sa', { utr: '2122334455' }, '2122334455K'],
    ['PAYE: the Accounts Office reference', 'paye', { accountsOfficeReference: '123PW12345678' }, '123PW12345678'],
    ['corporation tax: only HMRC has it', 'ct', { utr: '2122334455' }, null],
    ['none without the number it is made of', 'vat', {}, null],
  ] as const)('of %s', (_, tax, references, reference) => {
    expect(findPaymentReference({ ...item, tax }, { ...NONE, ...references })).toBe(reference);
  });

  it('of a late PAYE payment has its month: YYMM with the year in which the tax year ends', () => {
    const latePayment = { tax: 'paye', isLate: true, periodEnd: plainDate('2026-06-05') } as const;
    const references = { ...NONE, accountsOfficeReference: '123PW12345678' };
    // 6 May to 5 June 2026 is month 2 of 2026-27.
    expect(findPaymentReference(latePayment, references)).toBe('123PW123456782702');
    expect(findPaymentReference({ ...latePayment, periodEnd: null }, references)).toBeNull();
  });
});
