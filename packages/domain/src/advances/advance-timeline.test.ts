import { describe, expect, it } from 'vitest';
import { parseInstant, type Instant } from '../clock.ts';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { ADVANCE_STATES, type AdvanceState } from './advance-states.ts';
import { buildTimeline, type TimelineFacts, type TimelineStage } from './advance-timeline.ts';

function toTime(text: string): Instant {
  const instant = parseInstant(text);
  if (!instant) throw new Error(text);
  return instant;
}

const ACCEPTED_AT = toTime('2026-11-21T09:00:00Z');

function buildTimelineFor(state: AdvanceState, changes: Partial<TimelineFacts> = {}): TimelineStage[] {
  return buildTimeline({
    state,
    refund: pence(10_000_00),
    net: pence(9_900_00),
    received: pence(0),
    filedAt: toTime('2026-11-20T09:00:00Z'),
    foundOn: null,
    quotedAt: toTime('2026-11-20T09:01:00Z'),
    enteredAt: { accepted: ACCEPTED_AT },
    eligible: true,
    waitingFor: null,
    payBy: plainDate('2026-11-22'),
    repaymentExpectedOn: plainDate('2026-12-20'),
    today: plainDate('2026-11-25'),
    ...changes,
  });
}

const findActiveStage = (stages: readonly TimelineStage[]) => stages.find(({ status }) => status === 'current' || status === 'trouble');

describe('the refund timeline', () => {
  it.each([
    ['quoted', 'accepted', 'Your offer is open'],
    ['accepted', 'reviewed', 'We’re checking the refund'],
    ['in_review', 'reviewed', 'We’re checking the refund'],
    ['approved', 'paid', 'Getting your payment ready'],
    ['paying', 'paid', 'Payment on its way'],
    ['paid', 'repaid', 'Waiting for HMRC'],
    ['repaid', 'settled', 'Settled'],
  ] as const)('shows state %s at stage %s with the title "%s"', (state, stage, title) => {
    expect(findActiveStage(buildTimelineFor(state))).toMatchObject({ stage, title, status: 'current' });
  });

  it('shows the approval once, as done, before the payment is prepared', () => {
    expect(buildTimelineFor('approved').filter(({ title }) => title === 'Approved')).toMatchObject([{ status: 'done' }]);
  });

  it('describes a completed stage in the past tense with its time', () => {
    expect(buildTimelineFor('approved').find(({ stage }) => stage === 'accepted')).toMatchObject({
      status: 'done',
      at: ACCEPTED_AT,
      detail: 'You accepted the agreement.',
    });
  });

  it('describes a later stage in the future tense with its expected date', () => {
    expect(buildTimelineFor('accepted').filter(({ status }) => status === 'next')).toMatchObject([
      { stage: 'paid', detail: 'We’ll pay £9,900.00 to your bank account.', expected_on: '2026-11-22' },
      { stage: 'repaid', detail: 'HMRC will repay £10,000.00 into the collection account.', expected_on: '2026-12-20' },
      { stage: 'settled', detail: 'Then you’re all done.', expected_on: null },
    ]);
    expect(buildTimelineFor('quoted').find(({ stage }) => stage === 'reviewed')?.detail).toBe('We’ll check the refund.');
  });

  it('says that HMRC is late from the day after it was expected to repay, without expecting that day any more', () => {
    expect(findActiveStage(buildTimelineFor('awaiting_hmrc', { today: plainDate('2026-12-20') }))).toMatchObject({
      title: 'Waiting for HMRC',
      expected_on: '2026-12-20',
    });
    expect(findActiveStage(buildTimelineFor('awaiting_hmrc', { today: plainDate('2026-12-21') }))).toMatchObject({
      stage: 'repaid',
      title: 'HMRC is late',
      expected_on: null,
      detail: 'You’ve been paid £9,900.00. HMRC should have repaid £10,000.00 into the collection account by 20 December 2026.',
    });
    expect(findActiveStage(buildTimelineFor('repaid', { today: plainDate('2026-12-21') }))?.title).toBe('Settled');
  });

  it('dates HMRC’s repayment by the day a shortfall arrived', () => {
    const arrivedAt = toTime('2026-12-10T06:30:00Z');
    const stages = buildTimelineFor('settled', { received: pence(8_000_00), enteredAt: { accepted: ACCEPTED_AT, shortfall: arrivedAt } });
    expect(stages.find(({ stage }) => stage === 'repaid')).toMatchObject({
      at: arrivedAt,
      detail: '£8,000.00 paid into the collection account.',
    });
  });

  it.each(['declined', 'expired', 'withdrawn'] as const)('ends when an advance is %s and shows no further stages', (state) => {
    const stages = buildTimelineFor(state);
    expect(stages.at(-1)).toMatchObject({ status: 'trouble', expected_on: null });
    expect(stages.filter(({ status }) => status === 'next')).toEqual([]);
  });

  it.each(['declined', 'withdrawn'] as const)('doesn’t say that HMRC will repay a refund that is %s if its money is here', (state) => {
    expect(findActiveStage(buildTimelineFor(state))?.detail).toContain('HMRC will repay you as usual');
    const { detail } = findActiveStage(buildTimelineFor(state, { hasHmrcMoney: true })) ?? {};
    expect(detail).toContain('has already reached your collection account');
    expect(detail).not.toContain('as usual');
  });

  it('starts with the day HMRC received a return filed with other software', () => {
    const [first] = buildTimelineFor('quoted', { filedAt: null, foundOn: plainDate('2026-11-18') });
    expect(first).toMatchObject({ title: 'Return found at HMRC', at: null, detail: expect.stringContaining('18 November 2026') });
  });

  it('shows an ineligible refund as assessed rather than offered', () => {
    const [, pricedStage] = buildTimelineFor('quoted', { eligible: false });
    expect(pricedStage).toMatchObject({ title: 'Refund checked', status: 'done', detail: 'With an offer you could get £9,900.00 early.' });
    expect(buildTimelineFor('quoted')[1]).toMatchObject({ title: 'Offer made' });
  });

  it('shows no dates or amounts for later stages when there is no offer', () => {
    const nextStages = buildTimelineFor('quoted', { eligible: false }).filter(({ status }) => status === 'next');
    expect(nextStages.map(({ detail, expected_on }) => [detail, expected_on])).toEqual(nextStages.map(() => ['', null]));
    expect(nextStages).not.toEqual([]);
  });

  it('has at most one active stage in every state, with all earlier stages done', () => {
    for (const state of ADVANCE_STATES) {
      const statuses = buildTimelineFor(state).map(({ status }) => status);
      const doneCount = statuses.filter((status) => status === 'done').length;
      expect(statuses.slice(0, doneCount), state).toEqual(Array(doneCount).fill('done'));
      expect(statuses.filter((status) => status === 'current' || status === 'trouble').length, state).toBeLessThanOrEqual(1);
    }
  });
});
