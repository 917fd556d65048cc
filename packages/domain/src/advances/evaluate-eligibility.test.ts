import { describe, expect, it } from 'vitest';
import { pence, ZERO } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { getAdvanceTerms } from './advance-terms.ts';
import { evaluateEligibility, type EligibilityFacts } from './evaluate-eligibility.ts';

const today = plainDate('2026-11-10');

type Register = NonNullable<EligibilityFacts['register']>;

function findRule(rule: string, changed: Partial<EligibilityFacts>) {
  const facts: EligibilityFacts = {
    refund: pence(100_000),
    filing: { accepted: true, isReadBack: false },
    atHmrc: { receivedOn: today },
    isHmrcConnected: true,
    overdueReturns: [],
    earlierReturns: [],
    vatDebt: ZERO,
    comingVat: ZERO,
    pastRefunds: [],
    registeredOn: plainDate('2020-01-01'),
    insolvent: false,
    isBankAccountKnown: true,
    companyExposure: ZERO,
    exposureOfOwners: ZERO,
    totalExposure: ZERO,
    figuresAsOf: undefined,
    differences: { own: [], ofOwners: 0, lateOfOwners: 0 },
    declined: { own: 0, ofOwners: 0, hasUnfinishedReview: false },
    payee: {
      hmrcName: undefined,
      registerName: undefined,
      formerNames: [],
      accountHolder: undefined,
      accountCheck: undefined,
      identity: 'passed',
      verifiedPeople: [],
      isVerifiedManually: false,
      companyPeople: undefined,
    },
    ...changed,
  };
  return evaluateEligibility(facts, getAdvanceTerms(today), today).find((evaluated) => evaluated.rule === rule);
}

describe('a company at Companies House', () => {
  it.each([
    ['is active', { status: 'active', type: 'ltd', isInsolvent: false }, 'pass'],
    ['is dissolved', { status: 'dissolved', type: 'ltd', isInsolvent: false }, 'fail'],
    ['was converted or closed', { status: 'converted-closed', type: 'llp', isInsolvent: false }, 'fail'],
    ['was removed', { status: 'removed', type: 'ltd', isInsolvent: false }, 'fail'],
    ['has a status that we don’t know', { status: 'unknown', type: 'ltd', isInsolvent: false }, 'review'],
    ['is about to be struck off', { status: 'active', type: 'ltd', isInsolvent: false, isStrikeOffProposed: true }, 'review'],
    ['is active, but not limited', { status: 'active', type: 'sole-trader', isInsolvent: false }, 'fail'],
    // Another rule fails for these.
    ['is in liquidation', { status: 'liquidation', type: 'ltd', isInsolvent: true }, 'pass'],
  ] satisfies [string, Register, string][])('that %s', (_situation, register, outcome) => {
    expect(findRule('limited_company_or_llp', { register })).toMatchObject({ outcome });
  });
});

describe('VAT that HMRC could set the refund off against', () => {
  it.each([
    ['nothing', { vatDebt: ZERO, comingVat: ZERO }, 'pass'],
    ['little that is overdue and little that becomes due soon', { vatDebt: pence(200_00), comingVat: pence(299_99) }, 'pass'],
    [
      'little that is overdue, but with what becomes due soon it is too much',
      { vatDebt: pence(200_00), comingVat: pence(300_00) },
      'review',
    ],
    ['much that is overdue', { vatDebt: pence(500_00), comingVat: ZERO }, 'fail'],
    ['an earlier return that isn’t filed yet', { earlierReturns: [plainDate('2026-12-07')] }, 'review', 'no_overdue_return'],
    [
      'an earlier return that isn’t filed yet, and an overdue one',
      { earlierReturns: [plainDate('2026-12-07')], overdueReturns: [plainDate('2026-11-07')] },
      'fail',
      'no_overdue_return',
    ],
  ] satisfies [string, Partial<EligibilityFacts>, string, string?][])('%s', (_situation, facts, outcome, rule = 'no_vat_debt') => {
    expect(findRule(rule, facts)).toMatchObject({ outcome });
  });
});

describe('a finding that an operator may have approved', () => {
  it.each([
    [
      'difference',
      'no_unpaid_difference',
      { differences: { own: [{ kind: 'disputed', reference: 'SF-1' }], ofOwners: 0, lateOfOwners: 0 } },
      {
        differences: {
          own: [
            { kind: 'disputed', reference: 'SF-1' },
            { kind: 'disputed', reference: 'SF-2' },
          ],
          ofOwners: 0,
          lateOfOwners: 0,
        },
      },
    ],
    [
      'difference of another company',
      'no_unpaid_difference',
      { differences: { own: [{ kind: 'disputed', reference: 'SF-1' }], ofOwners: 0, lateOfOwners: 0 } },
      { differences: { own: [{ kind: 'disputed', reference: 'SF-1' }], ofOwners: 1, lateOfOwners: 0 } },
    ],
    [
      'late refund of another company',
      'no_unpaid_difference',
      { differences: { own: [], ofOwners: 0, lateOfOwners: 1 } },
      { differences: { own: [], ofOwners: 0, lateOfOwners: 2 } },
    ],
    [
      'return whose figures we can’t see',
      'no_overdue_return',
      { earlierReturns: [plainDate('2026-12-07')] },
      { earlierReturns: [plainDate('2026-12-07'), plainDate('2027-03-07')] },
    ],
  ] satisfies [string, string, Partial<EligibilityFacts>, Partial<EligibilityFacts>][])(
    'reads differently once there is another %s',
    (_what, rule, before, after) => {
      const [first, second] = [findRule(rule, before), findRule(rule, after)];
      expect([first?.outcome, second?.outcome]).toEqual(['review', 'review']);
      expect(second?.finding).not.toBe(first?.finding);
    },
  );
});

describe('the size of a refund', () => {
  it.each([
    ['the largest that needs no review', { refund: pence(10_000_00) }, 'pass'],
    ['a larger one', { refund: pence(10_000_01) }, 'review'],
    ['one that makes the largest total', { refund: pence(10_000_00), companyExposure: pence(15_000_00) }, 'pass'],
    ['one that makes a larger total', { refund: pence(1_00), companyExposure: pence(24_999_01) }, 'review'],
  ] satisfies [string, Partial<EligibilityFacts>, string][])('%s', (_situation, facts, outcome) => {
    expect(findRule('amount_reviewed', facts)).toMatchObject({ outcome });
  });

  it.each([
    ['the largest total', { refund: pence(9_000_00), companyExposure: pence(1_000_00), exposureOfOwners: pence(15_000_00) }, 'pass'],
    ['a larger total', { refund: pence(9_000_01), companyExposure: pence(1_000_00), exposureOfOwners: pence(15_000_00) }, 'review'],
    ['a larger total of this company alone', { refund: pence(9_000_01), companyExposure: pence(16_000_00) }, 'pass'],
  ] satisfies [string, Partial<EligibilityFacts>, string][])('%s of companies with the same owner', (_situation, facts, outcome) => {
    expect(findRule('owners_total_reviewed', facts)).toMatchObject({ outcome });
  });
});
