import { describe, expect, it } from 'vitest';
import { pence, ZERO } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { getAdvanceTerms } from './advance-terms.ts';
import { evaluateEligibility, type EligibilityFacts } from './evaluate-eligibility.ts';

const today = plainDate('2026-11-10');

type Register = NonNullable<EligibilityFacts['register']>;

function findRegisterRule(register: Register) {
  const facts: EligibilityFacts = {
    refund: pence(100_000),
    filing: { accepted: true, isReadBack: false },
    atHmrc: { receivedOn: today },
    isHmrcConnected: true,
    overdueReturns: [],
    vatDebt: ZERO,
    pastRefunds: [],
    registeredOn: plainDate('2020-01-01'),
    insolvent: false,
    isBankAccountKnown: true,
    companyExposure: ZERO,
    totalExposure: ZERO,
    figuresAsOf: undefined,
    differences: { own: [], ofOwners: 0 },
    register,
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
  };
  return evaluateEligibility(facts, getAdvanceTerms(today), today).find(({ rule }) => rule === 'limited_company_or_llp');
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
    expect(findRegisterRule(register)).toMatchObject({ outcome });
  });
});
