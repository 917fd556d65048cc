import { evaluateEligibility, type EligibilityFacts, type EvaluatedRule } from '@portal/domain/advances/evaluate-eligibility.ts';
import { pence, ZERO } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { RULE_NAMES } from '../../../components/advances/rule-list.tsx';
import type { Article, HelpFacts } from './article.ts';

/** Returns every rule's text for when it isn't met. Evaluates the actual rules, so that new ones appear here automatically. */
export function listUnmetRules({ terms, today }: Pick<HelpFacts, 'terms' | 'today'>): readonly EvaluatedRule[] {
  const allRulesUnmet: EligibilityFacts = {
    refund: pence(terms.companyExposureLimitPence + 1),
    filing: { accepted: false, isReadBack: false },
    atHmrc: { receivedOn: today, charge: { original: ZERO, outstanding: ZERO } },
    isHmrcConnected: false,
    overdueReturns: [addDays(today, -30)],
    earlierReturns: [],
    vatDebt: terms.vatDebtLimitPence,
    comingVat: ZERO,
    pastRefunds: [pence(1_000_00)],
    registeredOn: addDays(today, -1),
    insolvent: true,
    isBankAccountKnown: false,
    companyExposure: ZERO,
    exposureOfOwners: pence(1_00),
    totalExposure: terms.totalExposureLimitPence,
    figuresAsOf: undefined,
    differences: { own: [{ kind: 'overdue', reference: '' }], ofOwners: 0, lateOfOwners: 0 },
    declined: { own: 1, ofOwners: 0, hasUnfinishedReview: false },
    register: { status: 'active', type: 'sole-trader', isInsolvent: false },
    payee: {
      hmrcName: 'Another Company Ltd',
      registerName: 'Your Company Ltd',
      formerNames: [],
      accountHolder: 'Somebody Else',
      accountCheck: { result: 'no_match' },
      identity: 'failed',
      verifiedPeople: [],
      isVerifiedManually: false,
      companyPeople: [],
    },
  };
  return evaluateEligibility(allRulesUnmet, terms, today).filter(({ outcome }) => outcome === 'fail' || outcome === 'review');
}

export const WHEN_WE_SAY_NO: Article = {
  key: 'when-we-say-no',
  title: 'If we can’t make you an offer',
  group: 'Early refunds',
  product: 'instant_vat',
  pages: ['advance', 'verifyIdentity', 'verifyIdentityNextSteps'],
  words: 'declined refused rules eligibility not met cannot offer debt overdue insolvent identity',
  write: (facts) => [
    'We check every refund against the same rules. If you don’t meet one, the offer tells you which and how to fix it. HMRC still repays you as usual, and we don’t charge you anything.',
    {
      table: {
        caption: 'The rules, and how to meet them',
        head: ['What we check', 'What to do'],
        rows: listUnmetRules(facts).map(({ rule, how_to_fix }) => [RULE_NAMES[rule] ?? rule, how_to_fix]),
      },
    },
    'Once you’ve fixed something, open the offer and check again.',
  ],
};
