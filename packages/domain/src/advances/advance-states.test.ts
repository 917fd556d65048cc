import { describe, expect, it } from 'vitest';
import { ADVANCE_STATES, canTransition, canWithdraw, EXPOSED_STATES } from './advance-states.ts';

describe('advance state transitions', () => {
  it('allows leaving written_off only when money is returned', () => {
    expect(ADVANCE_STATES.filter((to) => canTransition('written_off', to))).toEqual(['collecting']);
  });

  it.each(['declined', 'expired', 'withdrawn'] as const)('ends at %s', (end) => {
    expect(ADVANCE_STATES.filter((to) => canTransition(end, to))).toEqual([]);
  });

  it('allows reopening a settled advance only for a reversed match', () => {
    expect(ADVANCE_STATES.filter((to) => canTransition('settled', to))).toEqual(['awaiting_hmrc', 'collecting']);
  });

  it('allows paying only from approved, so nothing unapproved is paid', () => {
    expect(ADVANCE_STATES.filter((from) => canTransition(from, 'paying'))).toEqual(['approved']);
  });

  it('lets the trader withdraw only before money has left', () => {
    expect(ADVANCE_STATES.filter(canWithdraw)).toEqual(['quoted', 'accepted', 'in_review', 'approved', 'payout_failed']);
  });

  it('counts every state in which our money may be out towards exposure', () => {
    for (const state of ['paying', 'paid', 'awaiting_hmrc', 'shortfall', 'collecting'] as const) expect(EXPOSED_STATES).toContain(state);
    for (const state of ['quoted', 'settled', 'written_off', 'declined'] as const) expect(EXPOSED_STATES).not.toContain(state);
  });
});
