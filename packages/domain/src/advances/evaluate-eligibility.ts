/** The rules that decide whether we buy a refund. Each returns its finding and a way to fix it. */
import { addMilliseconds, type Instant } from '../clock.ts';
import { formatPounds, pence, type Pence } from '../money.ts';
import { countDaysBetween, formatDate, type PlainDate } from '../plain-date.ts';
import type { RuleOutcome } from './advance-statuses.ts';
import type { AdvanceTerms } from './advance-terms.ts';
import { evaluatePayee, type PayeeFacts } from './evaluate-payee.ts';
import { NO_EARLIER_REFUNDS } from './no-earlier-refunds.ts';
import { evaluateRefundAtHmrc, type RefundAtHmrc } from './refund-at-hmrc.ts';

/** The input for the rules. `undefined` means unknown, which never counts as a pass. */
export type EligibilityFacts = {
  readonly refund: Pence;
  /**
   * `found`: the return was filed with other software and found at HMRC. `settledRefunds`: how many of this company's refunds found that way
   * HMRC has already repaid to us.
   */
  readonly filing: {
    readonly accepted: boolean;
    readonly isReadBack: boolean;
    readonly found?: { readonly settledRefunds: number };
  };
  readonly atHmrc: RefundAtHmrc;
  readonly isHmrcConnected: boolean;
  readonly overdueReturns: readonly PlainDate[];
  /** The due days of other returns whose figures we don't know yet, but that don't count as overdue. */
  readonly earlierReturns: readonly PlainDate[];
  /** VAT charges at HMRC that are due and unpaid; undefined if we haven't read HMRC's figures. */
  readonly vatDebt: Pence | undefined;
  /** VAT that becomes due before HMRC usually repays, or that a return shows whose charge HMRC doesn't list yet. */
  readonly comingVat: Pence;
  /** Earlier refunds that HMRC has paid, newest first. One that it hasn't paid doesn't show that a refund of this size is usual. */
  readonly pastRefunds: readonly Pence[];
  readonly registeredOn: PlainDate | undefined;
  readonly insolvent: boolean;
  readonly isBankAccountKnown: boolean;
  readonly companyExposure: Pence;
  /** The same for other companies of its verified people. */
  readonly exposureOfOwners: Pence;
  readonly totalExposure: Pence;
  readonly figuresAsOf: Instant | undefined;
  /**
   * Differences on earlier refunds that need review, for the company itself and for its owners' other companies. `lateOfOwners`: refunds of
   * its verified people's other companies that HMRC hasn't repaid as expected.
   */
  readonly differences: { readonly own: readonly UnpaidDifference[]; readonly ofOwners: number; readonly lateOfOwners: number };
  /**
   * Refunds that an operator declined, of the company itself and of its owners' other companies; 0 if each has been answered. An operator
   * who knows of a decline answers it by approving a refund of this company; a decline of this refund, only by approving it.
   * `hasUnfinishedReview`: an offer for this refund ended while a person had to decide about it, and none has approved it since.
   */
  readonly declined: { readonly own: number; readonly ofOwners: number; readonly hasUnfinishedReview: boolean };
  /** Companies House data; omitted if we haven't looked the company up, or not recently. */
  readonly register?: {
    readonly status: string;
    readonly type: string;
    readonly isInsolvent: boolean;
    /** True while the company is about to be struck off. */
    readonly isStrikeOffProposed?: boolean;
  };
  readonly payee: PayeeFacts;
};

/**
 * `overdue`: due and not paid in time. `disputed`: the trader disputes it, which pauses collection and netting. `doubtful`: HMRC hasn't
 * repaid as expected, so there may be a shortfall. `reference`: the case's payment reference.
 */
export type UnpaidDifference = {
  readonly kind: 'overdue' | 'disputed' | 'written_off' | 'doubtful';
  readonly reference: string;
};

const DIFFERENCE_LABELS: Readonly<Record<UnpaidDifference['kind'], string>> = {
  overdue: 'A shortfall on an earlier refund is overdue',
  disputed: 'A shortfall on an earlier refund is in dispute',
  written_off: 'We wrote off a shortfall on an earlier refund',
  doubtful: 'HMRC hasn’t repaid an earlier refund as expected',
};

/** Companies House `company_type` values for companies limited by shares or guarantee and for LLPs (api-enumerations, constants.yml). */
const LIMITED_LIABILITY_TYPES: ReadonlySet<string> = new Set([
  'ltd',
  'plc',
  'llp',
  'private-limited-guarant-nsc',
  'private-limited-guarant-nsc-limited-exemption',
  'private-limited-shares-section-30-exemption',
]);

/** Companies House `company_status` values of companies that no longer exist. Their refunds aren't theirs to sell (Companies Act 2006 s1012). */
const CLOSED_STATUSES: ReadonlySet<string> = new Set(['dissolved', 'converted-closed', 'removed', 'closed']);

/** Returns true if a Companies House `company_status` means that the company no longer exists. */
export function isClosedStatus(status: string): boolean {
  return CLOSED_STATUSES.has(status);
}

/** Returns true if a Companies House `company_type` is a company limited by shares or guarantee, or an LLP. */
export function isLimitedLiability(type: string): boolean {
  return LIMITED_LIABILITY_TYPES.has(type);
}

export type EvaluatedRule = { readonly rule: string; readonly outcome: RuleOutcome; readonly finding: string; readonly how_to_fix: string };

type Rule = (facts: EligibilityFacts, terms: AdvanceTerms, today: PlainDate) => Omit<EvaluatedRule, 'rule'>;

const pass = (finding: string) => ({ outcome: 'pass', finding, how_to_fix: '' }) as const;
const fail = (finding: string, howToFix: string) => ({ outcome: 'fail', finding, how_to_fix: howToFix }) as const;
const review = (finding: string) =>
  ({ outcome: 'review', finding, how_to_fix: 'One of our team will review it. You don’t need to do anything.' }) as const;
const createNotEvaluatedRule = (finding: string) =>
  ({ outcome: 'not_judged', finding, how_to_fix: 'One of our team will check it. You don’t need to do anything.' }) as const;

/** Names each, so that another one sends a refund that has been approved since back to review. */
function describeEarlierReturns(dueDays: readonly PlainDate[]): string {
  const days = new Intl.ListFormat('en-GB').format(dueDays.map((dueOn) => formatDate(dueOn)));
  return dueDays.length === 1
    ? `We can’t see the figures of another return yet, which is due by ${days}. If it shows VAT to pay, HMRC could set the refund off against it.`
    : `We can’t see the figures of ${dueDays.length} other returns yet, which are due by ${days}. If they show VAT to pay, HMRC could set the refund off against it.`;
}

const RULES: Readonly<Record<string, Rule>> = {
  return_filed: ({ filing }) => {
    if (!filing.accepted) return fail('HMRC hasn’t accepted the return.', 'File the return, or wait until HMRC’s records show it.');
    if (filing.found?.settledRefunds === 0)
      return review('HMRC has the return. It’s the first refund you’re selling to us from a return filed with other software.');
    if (filing.found) return pass('HMRC has the return, which was filed with other software.');
    return pass(filing.isReadBack ? 'HMRC has the return. We checked it against HMRC’s records.' : 'HMRC accepted the return.');
  },
  refund_still_owed: ({ refund, atHmrc }, terms, today) => evaluateRefundAtHmrc(refund, atHmrc, terms, today),
  hmrc_connected: ({ isHmrcConnected }) =>
    isHmrcConnected ? pass('HMRC is connected.') : fail('The connection to HMRC has ended.', 'Connect HMRC again.'),
  no_overdue_return: ({ overdueReturns, earlierReturns }) => {
    const [first] = overdueReturns;
    if (first === undefined && earlierReturns.length > 0) return review(describeEarlierReturns(earlierReturns));
    if (first === undefined) return pass('No returns are overdue.');
    return fail(
      `${overdueReturns.length === 1 ? '1 return is' : `${overdueReturns.length} returns are`} overdue, the earliest since ${formatDate(first)}. HMRC doesn’t pay refunds while a return is outstanding.`,
      'File every overdue return.',
    );
  },
  no_vat_debt: ({ vatDebt, comingVat }, terms) => {
    if (vatDebt === undefined) return fail('We haven’t yet checked what you owe HMRC.', 'Refresh the figures from HMRC.');
    if (vatDebt < terms.vatDebtLimitPence && vatDebt + comingVat >= terms.vatDebtLimitPence) {
      return review(
        `${formatPounds(comingVat)} of VAT becomes due soon, or was declared too recently for HMRC’s records to show it. If it isn’t paid, HMRC could set the refund off against it.`,
      );
    }
    if (vatDebt < terms.vatDebtLimitPence) return pass(`Overdue VAT at HMRC: ${formatPounds(vatDebt)}.`);
    return fail(
      `${formatPounds(vatDebt)} of VAT is overdue. HMRC would set the refund off against it.`,
      `Pay it, or agree a payment plan with HMRC. The limit is ${formatPounds(terms.vatDebtLimitPence)}.`,
    );
  },
  refund_within_history: ({ refund, pastRefunds }, terms) => {
    if (pastRefunds.length === 0) return review(NO_EARLIER_REFUNDS);
    const largestRefund = pence(Math.max(...pastRefunds));
    if (refund <= largestRefund * terms.historyMultiple)
      return pass(`In line with earlier refunds. The largest was ${formatPounds(largestRefund)}.`);
    return review(`More than ${terms.historyMultiple} times the largest earlier refund (${formatPounds(largestRefund)}).`);
  },
  // Otherwise a dispute would exempt the next payout from netting, and a new company would escape its owner's earlier differences.
  no_unpaid_difference: ({ differences: { own, ofOwners, lateOfOwners } }) => {
    if (own.length === 0 && ofOwners === 0 && lateOfOwners === 0)
      return pass('No shortfall on an earlier refund is overdue or in dispute.');
    // Each is named, so that another one sends a refund that has been approved since back to review.
    const findings = own.map(({ kind, reference }) => `${DIFFERENCE_LABELS[kind]} (${reference}).`);
    if (ofOwners === 1) findings.push('Another company with the same owner hasn’t settled a shortfall with us.');
    if (ofOwners > 1) findings.push(`Other companies with the same owner haven’t settled ${ofOwners} shortfalls with us.`);
    if (lateOfOwners === 1) findings.push('HMRC hasn’t repaid a refund of another company with the same owner as expected.');
    if (lateOfOwners > 1) findings.push(`HMRC hasn’t repaid ${lateOfOwners} refunds of other companies with the same owner as expected.`);
    return review(findings.join(' '));
  },
  // Otherwise a refund that an operator declined could be sold again, and paid by the rules once the cause of its review has gone.
  no_declined_refund: ({ declined: { own, ofOwners, hasUnfinishedReview } }) => {
    if (own > 0) return review(`We declined ${own === 1 ? 'an earlier offer' : `${own} earlier offers`}.`);
    // Otherwise a trader who is asked for evidence could withdraw before the decline.
    if (hasUnfinishedReview) return review('An earlier offer for this refund ended while we were reviewing it.');
    if (ofOwners === 0) return pass('No earlier offer was declined.');
    return review(
      `We declined ${ofOwners === 1 ? 'an offer of another company' : `${ofOwners} offers of other companies`} with the same owner.`,
    );
  },
  registered_long_enough: ({ registeredOn }, terms, today) => {
    if (registeredOn === undefined) return review('HMRC didn’t say when the business registered for VAT.');
    const days = countDaysBetween(registeredOn, today);
    const since = `Registered for VAT since ${formatDate(registeredOn)}.`;
    if (days < terms.minimumRegisteredDays)
      return fail(since, `We can buy a refund once the business has been registered for ${terms.minimumRegisteredDays} days.`);
    return days < terms.reviewRegisteredDays ? review(since) : pass(since);
  },
  not_insolvent: ({ insolvent: isInsolvent, register }) => {
    if (isInsolvent) return fail('HMRC’s records show that the business is insolvent.', 'We can’t buy this refund.');
    if (register?.isInsolvent)
      return fail(`Companies House shows the company’s status as ${register.status}.`, 'We can’t buy this refund.');
    return pass(register ? 'HMRC and Companies House show no insolvency.' : 'HMRC shows no insolvency.');
  },
  bank_account_known: ({ isBankAccountKnown }) =>
    isBankAccountKnown
      ? pass('We have your bank details for the payout.')
      : fail('We don’t have a bank account to pay into.', 'Add the business’s bank account.'),
  amount_reviewed: ({ refund, companyExposure }, terms) => {
    if (refund > terms.reviewAbovePence) return review(`We manually review refunds above ${formatPounds(terms.reviewAbovePence)}.`);
    // Otherwise a year's returns, held back and filed on one day, would be paid at once without anyone having looked.
    const total = pence(companyExposure + refund);
    if (total > terms.reviewTotalAbovePence) {
      return review(
        `With this refund, HMRC would owe us ${formatPounds(total)} for this company. We manually review refunds above ${formatPounds(terms.reviewTotalAbovePence)} in total.`,
      );
    }
    return pass(`No manual review is needed up to ${formatPounds(terms.reviewAbovePence)}.`);
  },
  // Otherwise someone with several companies could sell as much from each. The text has no figure: it would tell one company's people about
  // another, and change with each of its refunds, so that this one would be reviewed again.
  owners_total_reviewed: ({ refund, companyExposure, exposureOfOwners }, terms) => {
    const limit = formatPounds(terms.reviewTotalAbovePence);
    return exposureOfOwners > 0 && refund + companyExposure + exposureOfOwners > terms.reviewTotalAbovePence
      ? review(`With this refund, HMRC would owe us more than ${limit} for companies with the same owner. We manually review such refunds.`)
      : pass(`No manual review is needed for companies with the same owner up to ${limit} in total.`);
  },
  company_exposure: ({ refund, companyExposure }, terms) =>
    companyExposure + refund <= terms.companyExposureLimitPence
      ? pass(`We’ve paid this company ${formatPounds(companyExposure)} that HMRC hasn’t repaid yet.`)
      : fail(
          `With this refund, HMRC would owe us ${formatPounds(pence(companyExposure + refund))} for this company. The limit is ${formatPounds(terms.companyExposureLimitPence)}.`,
          'Wait until HMRC has repaid an earlier refund.',
        ),
  total_exposure: ({ refund, totalExposure }, terms) =>
    totalExposure + refund <= terms.totalExposureLimitPence
      ? pass('Within our overall limit.')
      : fail('We’ve reached our overall limit for early refunds.', 'Try again in a few days.'),
  limited_company_or_llp: ({ register }) => {
    if (!register) return createNotEvaluatedRule('We haven’t been able to check the company at Companies House recently.');
    const { status, type } = register;
    if (!isLimitedLiability(type))
      return fail(`Companies House lists another type of company (${type}).`, 'We only buy refunds from limited companies and LLPs.');
    const statusText = `Companies House shows the company’s status as ${status}.`;
    if (isClosedStatus(status)) return fail(statusText, 'We can’t buy this refund.');
    if (register.isStrikeOffProposed) return review('Companies House shows a proposal to strike the company off.');
    // Insolvency has its own rule.
    if (status !== 'active' && !register.isInsolvent) return review(statusText);
    return pass(`Companies House lists a limited company or partnership (${type}).`);
  },
  // HMRC doesn't show these debts to agents or applications, so the company confirms in the agreement that it has none.
  debts_on_other_taxes: () =>
    pass('By accepting, the company confirms that it has disclosed every debt to HMRC, such as PAYE or Corporation Tax.'),
};

/** Evaluates every rule, in list order. */
export function evaluateEligibility(facts: EligibilityFacts, terms: AdvanceTerms, today: PlainDate): EvaluatedRule[] {
  return [...Object.entries(RULES).map(([rule, evaluate]) => ({ rule, ...evaluate(facts, terms, today) })), ...evaluatePayee(facts.payee)];
}

/** Returns true if we may offer the advance: no rule failed. */
export function isEligible(rules: readonly EvaluatedRule[]): boolean {
  return rules.every(({ outcome }) => outcome !== 'fail');
}

/** Returns true if an operator must approve the advance: a rule calls for review or couldn't be evaluated. */
export function needsReview(rules: readonly EvaluatedRule[]): boolean {
  return rules.some(({ outcome }) => outcome === 'review' || outcome === 'not_judged');
}

/** `accountSince`: when the same account was first saved, if this entry only corrects its holder's name. */
export type SavedAccount = { readonly createdAt: Instant; readonly accountSince: Instant | null };

/**
 * Returns when the payout hold after a change of bank account ends; undefined for the first account. `accounts`: all saved accounts, oldest
 * first.
 */
export function getBankHoldEnd(accounts: readonly SavedAccount[], terms: AdvanceTerms): Instant | undefined {
  const newestAccounts = accounts.at(-1);
  const since = newestAccounts && (newestAccounts.accountSince ?? newestAccounts.createdAt);
  if (since === undefined || since === accounts[0]?.createdAt) return undefined;
  return addMilliseconds(since, terms.bankChangeHoldHours * 3_600_000);
}
