import { describe, expect, it } from 'vitest';
import { isThirdParty } from './third-party.ts';

const COMPANY_NAMES = ['SANDPIPER SEAFOOD TRANSPORT LIMITED', 'HARBOUR FISH LIMITED'];

describe('the sender of a credit', () => {
  it.each([
    ['HMRC VAT', false],
    ['HM REVENUE & CUSTOMS', false],
    ['HMRC Refund Partners Ltd', true],
    ['Sandpiper Seafood Transport', false],
    ['SANDPIPER SEAFOOD ', false],
    ['SANDPIPER SEAFOOD TR', false],
    ['Harbour Fish', false],
    ['Kestrel Textiles Ltd', true],
    ['Jack Ridley', true],
    ['', true],
  ])('%s is a third party: %s', (remitter, expected) => {
    expect(isThirdParty(remitter, COMPANY_NAMES)).toBe(expected);
  });

  it('is a third party if we know no name of the company', () => {
    expect(isThirdParty('Sandpiper Seafood', [])).toBe(true);
  });
});
