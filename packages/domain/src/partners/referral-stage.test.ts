// Partners see stages, but no amounts: docs/product/decisions.md section 8.
import { describe, expect, it } from 'vitest';
import { ADVANCE_STATES, type AdvanceState } from '../advances/advance-states.ts';
import { toInstant } from '../clock.ts';
import { REFERRAL_STAGES, getReferralStage, type ReferredAdvance } from './referral-stage.ts';

const toTime = (day: string) => toInstant(Date.parse(`${day}T09:00:00Z`));
const signedUpAt = toTime('2026-11-01');
const connectedAt = toTime('2026-11-02');

const createAdvance = (state: AdvanceState, changes: Partial<ReferredAdvance> = {}): ReferredAdvance => ({
  state,
  eligible: true,
  quotedAt: toTime('2026-11-03'),
  acceptedAt: toTime('2026-11-04'),
  paidAt: toTime('2026-11-05'),
  repaidAt: toTime('2026-11-06'),
  ...changes,
});

describe('a referral stage', () => {
  it.each([
    ['quoted', 'offered', '2026-11-03'],
    ['accepted', 'accepted', '2026-11-04'],
    ['approved', 'accepted', '2026-11-04'],
    ['awaiting_hmrc', 'paid', '2026-11-05'],
    ['settled', 'settled', '2026-11-06'],
  ] as const)('of an advance that is %s is %s, since %s', (state, stage, since) => {
    expect(getReferralStage({ signedUpAt, connectedAt, advance: createAdvance(state) })).toEqual({ stage, since });
  });

  it.each(['declined', 'expired', 'withdrawn'] as const)('does not reveal an offer that was %s', (state) => {
    expect(getReferralStage({ signedUpAt, connectedAt, advance: createAdvance(state) })).toEqual({
      stage: 'connected',
      since: '2026-11-02',
    });
  });

  it('does not reveal an ineligible quote', () => {
    expect(getReferralStage({ signedUpAt, connectedAt, advance: createAdvance('quoted', { eligible: false }) }).stage).toBe('connected');
  });

  it.each(['shortfall', 'collecting', 'written_off'] as const)('of a refund that is %s is paid, so the problem stays private', (state) => {
    expect(getReferralStage({ signedUpAt, connectedAt, advance: createAdvance(state) }).stage).toBe('paid');
  });

  it('starts with the sign-up, then HMRC’s permission', () => {
    expect(getReferralStage({ signedUpAt, connectedAt: null, advance: undefined })).toEqual({ stage: 'signed_up', since: '2026-11-01' });
    expect(getReferralStage({ signedUpAt, connectedAt, advance: undefined })).toEqual({ stage: 'connected', since: '2026-11-02' });
  });

  it('is one of the listed stages for every advance state', () => {
    for (const state of ADVANCE_STATES) {
      expect(REFERRAL_STAGES).toContain(getReferralStage({ signedUpAt, connectedAt, advance: createAdvance(state) }).stage);
    }
  });
});
