import { describe, expect, it } from 'vitest';
import { ADVANCE_STATES, canMove, canWithdraw, EXPOSED_STATES } from './advance-states.ts';

describe('the moves of an advance', () => {
  it.each(['settled', 'declined', 'expired', 'withdrawn', 'written_off'] as const)('end at %s', (end) => {
    expect(ADVANCE_STATES.filter((to) => canMove(end, to))).toEqual([]);
  });

  it('lead to paying from approved alone, so that nothing unapproved is ever paid', () => {
    expect(ADVANCE_STATES.filter((from) => canMove(from, 'paying'))).toEqual(['approved']);
  });

  it('let the trader withdraw only while no money has left', () => {
    expect(ADVANCE_STATES.filter(canWithdraw)).toEqual(['quoted', 'accepted', 'in_review', 'approved', 'payout_failed']);
  });

  it('count every state in which money is or may be out towards the exposure', () => {
    for (const state of ['paying', 'paid', 'awaiting_hmrc', 'shortfall', 'collecting'] as const) expect(EXPOSED_STATES).toContain(state);
    for (const state of ['quoted', 'settled', 'written_off', 'declined'] as const) expect(EXPOSED_STATES).not.toContain(state);
  });
});
