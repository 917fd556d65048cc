/** The demo's advance, priced, assessed and displayed by the same rules as a real one. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { writeAgreement, type Agreement } from '@portal/domain/advances/agreement-text.ts';
import { ADVANCE_STATES, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { type AdvanceTerms, getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { buildTimeline, isRepaymentLate } from '@portal/domain/advances/advance-timeline.ts';
import { isEligible, evaluateEligibility, needsReview, type EvaluatedRule } from '@portal/domain/advances/evaluate-eligibility.ts';
import { describePayoutBlocker } from '@portal/domain/advances/payout-gate.ts';
import { priceRefund, type Price } from '@portal/domain/advances/price-refund.ts';
import { countHoursToPayout } from '@portal/domain/advances/hours-to-payout.ts';
import { getPayoutReference } from '@portal/domain/advances/payout-reference.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { pence, type Pence, ZERO } from '@portal/domain/money.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { countWorkingDaysBetween } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { MAX_INSTALMENTS } from '@portal/domain/shortfalls/instalment-plan.ts';
import { getBrandName } from '../../lib/settings.ts';
import type { Story } from './stories/story.ts';
import type { ReturnFacts, StoryFacts } from './story-facts.ts';

const HOUR_MILLISECONDS = 3_600_000;

/** Returns the story's advance, or null before the return is filed. */
export function describeAdvance(story: Story, facts: StoryFacts): AdvanceOutput | null {
  const offer = findOffer(story, facts);
  if (!offer) return null;
  const { mainReturn, price, rules, terms, feeRateBps, state, quotedAt } = offer;
  const agreement = buildAgreement(story, offer);
  const acceptedAt = facts.findMomentTime('accepted');
  const confirmedAt = facts.findMomentTime('confirmed');
  const paidAt = facts.findMomentTime('paid');
  const repaidAt = facts.findMomentTime('repaid') ?? facts.findMomentTime('shortfall');
  return {
    advance_id: story.advance_id,
    obligation_id: story.mainObligationId,
    period_start: mainReturn.period.start,
    period_end: mainReturn.period.end,
    found_on: null,
    state,
    version: 1,
    refund_pence: price.refund,
    fee_pence: price.fee,
    fee_rate_bps: feeRateBps,
    net_pence: price.net,
    netted_pence: ZERO,
    quoted_at: quotedAt,
    valid_until: addMilliseconds(quotedAt, terms.quoteValidDays * 24 * HOUR_MILLISECONDS),
    pay_by: offer.payBy,
    eligible: isEligible(rules),
    rules: [...rules],
    agreement: {
      text: agreement.text,
      hash: 'a demo agreement has none',
      version: agreement.version,
      accepted_at: acceptedAt ?? null,
      accepted_by: acceptedAt ? story.trader : null,
    },
    collection_account: acceptedAt
      ? { ...story.collectionAccount, confirmed_at: confirmedAt ?? null, hmrc_service_url: 'https://www.gov.uk/send-vat-return' }
      : null,
    payout_account: story.payoutAccount,
    payout_reference: paidAt ? getPayoutReference(story.company.vrn, mainReturn.period.end) : null,
    received_pence: offer.received,
    has_hmrc_money: false,
    mandate: null,
    repayment_expected_on: paidAt ? offer.expectedOn : null,
    repayment_late: isRepaymentLate({ state, repaymentExpectedOn: offer.expectedOn, today: facts.today }),
    identity_needed: false,
    facts: { read_at: acceptedAt ?? null, is_stale: false },
    waiting_for: offer.waitingFor,
    timeline: buildStoryTimeline(facts, offer),
    hours_to_payout: acceptedAt && paidAt ? countHoursToPayout(acceptedAt, paidAt) : null,
    working_days_ahead_of_hmrc:
      paidAt && repaidAt ? (getValueOrForecast(countWorkingDaysBetween(toLondonDate(paidAt), toLondonDate(repaidAt))) ?? null) : null,
  };
}

type Offer = {
  readonly mainReturn: ReturnFacts;
  readonly price: Price;
  readonly rules: readonly EvaluatedRule[];
  readonly terms: AdvanceTerms;
  readonly feeRateBps: number;
  readonly state: AdvanceState;
  readonly filedAt: Instant;
  readonly quotedAt: Instant;
  readonly payBy: Instant;
  readonly expectedOn: PlainDate;
  readonly received: Pence;
  readonly waitingFor: string | null;
};

function findOffer(story: Story, facts: StoryFacts): Offer | undefined {
  const mainReturn = facts.returns.find(({ period }) => period.obligation_id === story.mainObligationId);
  const filedAt = facts.findMomentTime('filed');
  const quotedAt = facts.findMomentTime('quoted');
  const state = facts.advanceState;
  if (!mainReturn || !filedAt || !quotedAt || !state) return undefined;
  const terms = getAdvanceTerms(toLondonDate(quotedAt));
  const { feeRateBps } = getPartner(ORGANIC_PARTNER);
  const price = priceRefund(mainReturn.totals.boxes.box5, feeRateBps, terms.minimumFeePence);
  if (!price) return undefined;
  const rules = evaluateStory(story, facts, mainReturn, price);
  const gate = {
    state,
    net: price.net,
    isCollectionAccountOpen: facts.findMomentTime('accepted') !== undefined,
    isCollectionConfirmed: facts.findMomentTime('confirmed') !== undefined,
    isIdentityVerified: true,
    factsReadAt: facts.now,
    bankHoldEndsAt: undefined,
    releases: 0,
    reviewRequired: needsReview(rules),
    awaitsMandate: false,
    holdReason: null,
  };
  return {
    mainReturn,
    price,
    rules,
    terms,
    feeRateBps,
    state,
    filedAt,
    quotedAt,
    payBy: addMilliseconds(facts.findMomentTime('accepted') ?? facts.now, terms.payWithinHours * HOUR_MILLISECONDS),
    expectedOn: addDays(toLondonDate(filedAt), terms.hmrcRepaysWithinDays + facts.delayDays),
    received: (facts.findMomentTime('repaid') ?? facts.findMomentTime('shortfall')) ? (story.hmrcPaidAmount ?? price.refund) : ZERO,
    waitingFor: describePayoutBlocker(gate, terms, facts.now) ?? null,
  };
}

function buildAgreement({ company }: Story, { mainReturn, price, feeRateBps, terms }: Offer): Agreement {
  return writeAgreement({
    brand: getBrandName(),
    companyName: company.name,
    vrn: company.vrn,
    periodStart: mainReturn.period.start,
    periodEnd: mainReturn.period.end,
    price,
    feeRateBps,
    payWithinHours: terms.payWithinHours,
    foundOn: null,
    shortfallNoticeDays: terms.shortfallNoticeDays,
    maxInstalments: MAX_INSTALMENTS,
    offersDirectDebit: true,
  });
}

function buildStoryTimeline(facts: StoryFacts, offer: Offer): AdvanceOutput['timeline'] {
  return buildTimeline({
    state: offer.state,
    refund: offer.price.refund,
    net: offer.price.net,
    received: offer.received,
    filedAt: offer.filedAt,
    foundOn: null,
    quotedAt: offer.quotedAt,
    enteredAt: getStateTimes(facts),
    eligible: isEligible(offer.rules),
    waitingFor: offer.waitingFor,
    payBy: toLondonDate(offer.payBy),
    repaymentExpectedOn: offer.expectedOn,
    today: facts.today,
  });
}

function getStateTimes(facts: StoryFacts): Partial<Record<AdvanceState, Instant>> {
  return Object.fromEntries(
    ADVANCE_STATES.flatMap((state) => {
      const at = facts.findMomentTime(state);
      return at ? [[state, at]] : [];
    }),
  );
}

/** Evaluated as of acceptance, like a real offer, so later due dates don't invalidate it. */
function evaluateStory(story: Story, facts: StoryFacts, mainReturn: ReturnFacts, price: Price): EvaluatedRule[] {
  const acceptedAt = facts.findMomentTime('accepted');
  const asOf = acceptedAt ?? facts.now;
  const evaluatedOn = toLondonDate(asOf);
  const filedReturns = facts.returns.filter(({ filedAt }) => filedAt !== undefined && filedAt <= asOf);
  const earlierReturns = filedReturns.filter(
    ({ period, totals }) => period.end < mainReturn.period.start && totals.direction === 'repayment',
  );
  return evaluateEligibility(
    {
      refund: price.refund,
      filing: { accepted: true, isReadBack: false },
      atHmrc: { receivedOn: mainReturn.filedAt && toLondonDate(mainReturn.filedAt) },
      isHmrcConnected: true,
      overdueReturns: facts.returns
        .filter((returnFacts) => !filedReturns.includes(returnFacts) && returnFacts.dueOn < evaluatedOn)
        .map(({ dueOn }) => dueOn),
      earlierReturns: [],
      vatDebt: ZERO,
      comingVat: ZERO,
      pastRefunds: earlierReturns.map(({ totals }) => totals.boxes.box5).toReversed(),
      registeredOn: story.company.registeredOn,
      insolvent: false,
      isBankAccountKnown: true,
      companyExposure: ZERO,
      exposureOfOwners: ZERO,
      totalExposure: pence(1_250_000_00),
      figuresAsOf: asOf,
      differences: { own: [], ofOwners: 0, lateOfOwners: 0 },
      declined: { own: 0, ofOwners: 0, hasUnfinishedReview: false },
      register: { status: 'active', type: 'ltd', isInsolvent: false },
      payee: {
        hmrcName: story.company.name,
        registerName: story.company.name,
        formerNames: [],
        accountHolder: story.company.name,
        accountCheck: { result: 'match' },
        identity: 'passed',
        verifiedPeople: [{ name: 'Tessa Bright', bornIn: '1984-05' }],
        isVerifiedManually: false,
        companyPeople: [{ name: 'BRIGHT, Tessa', bornIn: '1984-05' }],
      },
    },
    getAdvanceTerms(evaluatedOn),
    evaluatedOn,
  );
}
