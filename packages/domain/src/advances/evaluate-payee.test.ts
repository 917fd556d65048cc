import { describe, expect, it } from 'vitest';
import { evaluatePayee, type PayeeFacts } from './evaluate-payee.ts';
import { needsReview, isEligible } from './evaluate-eligibility.ts';

const PASSING_FACTS: PayeeFacts = {
  hmrcName: 'Sandpiper Seafood Ltd',
  registerName: 'SANDPIPER SEAFOOD LIMITED',
  formerNames: [],
  accountHolder: 'Sandpiper Seafood',
  accountCheck: { result: 'match' },
  identity: 'passed',
  verifiedPeople: [{ name: 'Jack Ridley', bornIn: '1984-05' }],
  isVerifiedManually: false,
  companyPeople: [{ name: 'RIDLEY, Jack', bornIn: '1984-05' }],
};

const listOutcomes = (facts: Partial<PayeeFacts>) =>
  Object.fromEntries(
    evaluatePayee({ ...PASSING_FACTS, ...facts })
      .filter(({ outcome }) => outcome !== 'pass')
      .map(({ rule, outcome }) => [rule, outcome]),
  );

describe('the payee', () => {
  it('needs no manual review if every name agrees and the verified owner is an officer', () => {
    expect(needsReview(evaluatePayee(PASSING_FACTS))).toBe(false);
  });

  it('distinguishes a father from a son of the same name', () => {
    const companyPeople = [
      { name: 'RIDLEY, Jack', bornIn: '1954-05' },
      { name: 'RIDLEY, Jack', bornIn: '1984-05' },
    ];
    expect(listOutcomes({ companyPeople })).toEqual({});
  });

  it.each([
    ['another company’s VAT number', { hmrcName: 'Kestrel Textiles Ltd' }, { company_name: 'fail', account_holder: 'fail' }],
    ['a bank account of someone else', { accountHolder: 'Somebody Else' }, { account_holder: 'fail' }],
    ['a similar name at HMRC', { hmrcName: 'Sandpiper Sea Foods Ltd' }, { company_name: 'review', account_holder: 'review' }],
    ['a sole trader’s VAT number with the company’s name', { hmrcName: 'Sandpiper Seafood' }, { company_name: 'review' }],
    [
      'a former name at HMRC',
      { hmrcName: 'Harbour Fish Ltd', formerNames: ['HARBOUR FISH LIMITED'] },
      { company_name: 'review', account_holder: 'review' },
    ],
    ['a former name at the bank', { accountHolder: 'Harbour Fish', formerNames: ['HARBOUR FISH LIMITED'] }, { account_holder: 'review' }],
    [
      'another company’s VAT number, and former names',
      { hmrcName: 'Kestrel Textiles Ltd', formerNames: ['HARBOUR FISH LIMITED'] },
      { company_name: 'fail', account_holder: 'fail' },
    ],
    ['an owner whom only one of our operators verified', { isVerifiedManually: true }, { identity_of_officer: 'review' }],
    ['no name from Companies House', { registerName: undefined }, { company_name: 'not_judged' }],
    ['a close match at the bank', { accountCheck: { result: 'close_match', name: 'Sandpiper Sfd' } }, { bank_name_check: 'review' }],
    ['no match at the bank', { accountCheck: { result: 'no_match' } }, { bank_name_check: 'review' }],
    ['a bank that doesn’t answer', { accountCheck: { result: 'unavailable' } }, { bank_name_check: 'not_judged' }],
    ['a bank that wasn’t asked', { accountCheck: undefined }, { bank_name_check: 'not_judged' }],
    ['an owner who isn’t an officer', { companyPeople: [{ name: 'LANE, Marcus', bornIn: '1984-05' }] }, { identity_of_officer: 'review' }],
    [
      'an owner of an officer’s name, born in another month',
      { companyPeople: [{ name: 'RIDLEY, Jack', bornIn: '1954-05' }] },
      { identity_of_officer: 'review' },
    ],
    ['an officer without a month of birth', { companyPeople: [{ name: 'RIDLEY, Jack' }] }, { identity_of_officer: 'not_judged' }],
    ['an owner without a month of birth', { verifiedPeople: [{ name: 'Jack Ridley' }] }, { identity_of_officer: 'not_judged' }],
    [
      'an owner verified by one of us, without a month of birth',
      { verifiedPeople: [{ name: 'Jack Ridley' }], isVerifiedManually: true },
      { identity_of_officer: 'review' },
    ],
    ['a company without known people', { companyPeople: undefined }, { identity_of_officer: 'not_judged' }],
    [
      'an owner who isn’t verified',
      { identity: 'not_started', verifiedPeople: [] },
      { identity_verified: 'review', identity_of_officer: 'not_judged' },
    ],
    ['an owner who failed', { identity: 'failed', verifiedPeople: [] }, { identity_verified: 'fail', identity_of_officer: 'not_judged' }],
  ] as const satisfies readonly (readonly [string, Partial<PayeeFacts>, object])[])('with %s', (_case, facts, expected) => {
    expect(listOutcomes(facts)).toEqual(expected);
    const rules = evaluatePayee({ ...PASSING_FACTS, ...facts });
    expect(needsReview(rules) || !isEligible(rules)).toBe(true);
  });

  it('shows all three names when they differ', () => {
    const [companyName] = evaluatePayee({ ...PASSING_FACTS, hmrcName: 'Kestrel Textiles Ltd' });
    expect(companyName?.finding).toBe(
      'The names are different. At HMRC, the VAT number is registered to Kestrel Textiles Ltd. At Companies House, the company’s name is Sandpiper Seafood Limited. The bank account is in the name of Sandpiper Seafood.',
    );
  });
});
