/** The demo's answer about the advance: priced, judged and drawn by the same rules as a real one. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { writeAgreement } from '@portal/domain/advances/agreement-text.ts';
import { ADVANCE_STATES, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { termsOn } from '@portal/domain/advances/advance-terms.ts';
import { drawTimeline } from '@portal/domain/advances/advance-timeline.ts';
import { isEligible, judgeEligibility, needsReview, type JudgedRule } from '@portal/domain/advances/judge-eligibility.ts';
import { whatPayoutWaitsFor } from '@portal/domain/advances/payout-gate.ts';
import { priceRefund, type Price } from '@portal/domain/advances/price-refund.ts';
import { hoursToPayout } from '@portal/domain/advances/promise.ts';
import { addMilliseconds, londonDate, type Instant } from '@portal/domain/clock.ts';
import { pence, ZERO } from '@portal/domain/money.ts';
import { findPartner, ORGANIC } from '@portal/domain/partners/partners.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { workingDaysBetween } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { bestOf } from '@portal/domain/uk-tax/known.ts';
import { brandName } from '../../lib/settings.ts';
import type { Story } from './stories/story.ts';
import type { ReturnFacts, StoryFacts } from './story-facts.ts';

const HOUR_MILLISECONDS = 3_600_000;

/** Null before the return is filed. */
export function describeAdvance(story: Story, facts: StoryFacts): AdvanceOutput | null {
  const hero = facts.returns.find(({ period }) => period.obligation_id === story.hero);
  const filedAt = facts.happened('filed');
  const quotedAt = facts.happened('quoted');
  const state = facts.advanceState;
  if (!hero || !filedAt || !quotedAt || !state) return null;
  const terms = termsOn(londonDate(quotedAt));
  const { feeRateBps } = findPartner(ORGANIC);
  const price = priceRefund(hero.totals.boxes.box5, feeRateBps, terms.minimumFeePence);
  if (!price) return null;
  const rules = judgeStory(story, facts, hero, price);
  const acceptedAt = facts.happened('accepted');
  const confirmedAt = facts.happened('confirmed');
  const paidAt = facts.happened('paid');
  const repaidAt = facts.happened('repaid');
  const payBy = addMilliseconds(acceptedAt ?? facts.now, terms.payWithinHours * HOUR_MILLISECONDS);
  const reviewed = needsReview(rules);
  const waitingFor =
    whatPayoutWaitsFor(
      {
        state,
        net: price.net,
        collectionAccountOpen: acceptedAt !== undefined,
        collectionConfirmed: confirmedAt !== undefined,
        bankHoldEndsAt: undefined,
        releases: 0,
        reviewed,
      },
      terms,
      facts.now,
    ) ?? null;
  const expectedOn = addDays(londonDate(filedAt), terms.hmrcRepaysWithinDays);
  const received = repaidAt ? price.refund : ZERO;
  return {
    advance_id: story.advance_id,
    obligation_id: story.hero,
    period_start: hero.period.start,
    period_end: hero.period.end,
    state,
    version: 1,
    refund_pence: price.refund,
    fee_pence: price.fee,
    fee_rate_bps: feeRateBps,
    net_pence: price.net,
    quoted_at: quotedAt,
    valid_until: addMilliseconds(quotedAt, terms.quoteValidDays * 24 * HOUR_MILLISECONDS),
    pay_by: payBy,
    eligible: isEligible(rules),
    rules,
    agreement: {
      text: writeAgreement({
        brand: brandName(),
        companyName: story.company.name,
        vrn: story.company.vrn,
        periodStart: hero.period.start,
        periodEnd: hero.period.end,
        price,
        feeRateBps,
        payWithinHours: terms.payWithinHours,
      }),
      hash: 'a demo agreement has none',
      accepted_at: acceptedAt ?? null,
      accepted_by: acceptedAt ? story.trader : null,
    },
    collection_account: acceptedAt
      ? { ...story.collectionAccount, confirmed_at: confirmedAt ?? null, hmrc_service_url: 'https://www.gov.uk/send-vat-return' }
      : null,
    payout_account: story.payoutAccount,
    received_pence: received,
    repayment_expected_on: paidAt ? expectedOn : null,
    waiting_for: waitingFor,
    timeline: drawTimeline({
      state,
      refund: price.refund,
      net: price.net,
      received,
      filedAt,
      quotedAt,
      enteredAt: whenEntered(facts),
      eligible: isEligible(rules),
      waitingFor,
      payBy: londonDate(payBy),
      repaymentExpectedOn: expectedOn,
    }),
    hours_to_payout: acceptedAt && paidAt ? hoursToPayout(acceptedAt, paidAt) : null,
    working_days_ahead_of_hmrc: paidAt && repaidAt ? (bestOf(workingDaysBetween(londonDate(paidAt), londonDate(repaidAt))) ?? null) : null,
  };
}

function whenEntered(facts: StoryFacts): Partial<Record<AdvanceState, Instant>> {
  return Object.fromEntries(
    ADVANCE_STATES.flatMap((state) => {
      const at = facts.happened(state);
      return at ? [[state, at]] : [];
    }),
  );
}

function judgeStory(story: Story, facts: StoryFacts, hero: ReturnFacts, price: Price): JudgedRule[] {
  const earlier = facts.returns.filter(({ period, totals }) => period.end < hero.period.start && totals.direction === 'repayment');
  return judgeEligibility(
    {
      refund: price.refund,
      filing: { accepted: true, readBack: false },
      hmrcConnected: true,
      overdueReturns: [],
      vatDebt: ZERO,
      pastRefunds: earlier.map(({ totals }) => totals.boxes.box5).toReversed(),
      registeredOn: story.company.registeredOn,
      insolvent: false,
      bankAccountKnown: true,
      companyExposure: ZERO,
      totalExposure: pence(1_250_000_00),
      figuresAsOf: facts.now,
    },
    termsOn(facts.today),
    facts.today,
  );
}
