/** Finds reasons in a practice's own figures why it can't propose an early refund. The offer's rules decide everything else. */
import type { AdvanceTerms } from '../advances/advance-terms.ts';
import { evaluateEligibility, type EligibilityFacts } from '../advances/evaluate-eligibility.ts';
import { priceRefund } from '../advances/price-refund.ts';
import type { ClientKind } from '../client-imports/imported-client.ts';
import { ZERO, type Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';

export type ProposalBlockerFacts = {
  readonly kind: ClientKind;
  readonly vrn: string | null;
  readonly refund: Pence;
  readonly feeRateBps: number;
  /** The due dates of overdue VAT returns. */
  readonly overdueReturns: readonly PlainDate[];
  /** Overdue VAT at HMRC. Undefined if it hasn't been read. */
  readonly vatDebt: Pence | undefined;
  readonly registeredOn: PlainDate | undefined;
  readonly insolvent: boolean;
};

/** Returns the reason as a sentence, or undefined if an early refund can be proposed. */
export function findProposalBlocker(facts: ProposalBlockerFacts, terms: AdvanceTerms, today: PlainDate): string | undefined {
  if (facts.vrn === null) return 'Add the client’s VAT number first.';
  if (facts.kind !== 'company' && facts.kind !== 'llp') return 'We only buy refunds from limited companies and LLPs.';
  if (!priceRefund(facts.refund, facts.feeRateBps, terms.minimumFeePence))
    return 'The refund is too small: the minimum fee would leave nothing for the client.';
  const failedRule = evaluateEligibility(toFacts(facts), terms, today).find(
    ({ rule, outcome }) => outcome === 'fail' && isKnown(rule, facts),
  );
  return failedRule && `${failedRule.finding} ${failedRule.how_to_fix}`;
}

/** Figures that haven't been read are left to the offer, which reads them from HMRC. */
function isKnown(rule: string, { vatDebt, registeredOn }: ProposalBlockerFacts): boolean {
  switch (rule) {
    case 'no_overdue_return':
    case 'not_insolvent':
    case 'company_exposure':
      return true;
    case 'no_vat_debt':
      return vatDebt !== undefined;
    case 'registered_long_enough':
      return registeredOn !== undefined;
    default:
      return false;
  }
}

/**
 * Facts about the client's own company on InstantVAT are empty, because a practice can't know them, and their rules aren't evaluated here.
 */
function toFacts({ refund, overdueReturns, vatDebt, registeredOn, insolvent }: ProposalBlockerFacts): EligibilityFacts {
  return {
    refund,
    overdueReturns,
    vatDebt,
    registeredOn,
    insolvent,
    filing: { accepted: true, isReadBack: false },
    atHmrc: { receivedOn: undefined },
    isHmrcConnected: false,
    earlierReturns: [],
    comingVat: ZERO,
    pastRefunds: [],
    isBankAccountKnown: false,
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
      identity: 'not_started',
      verifiedPeople: [],
      isVerifiedManually: false,
      companyPeople: undefined,
    },
  };
}
