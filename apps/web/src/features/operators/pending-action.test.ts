import type { OperatorAdvanceOutput } from '@portal/contract/operators.ts';
import { describe, expect, it } from 'vitest';
import { getAdvancePendingAction } from './pending-action.ts';

function createAdvance(
  state: OperatorAdvanceOutput['advance']['state'],
  releasesLeft: number,
  awaitsConfirmation: boolean,
  waitingFor: string | null = null,
): OperatorAdvanceOutput {
  const advance = {
    state,
    waiting_for: waitingFor,
    collection_account: { confirmed_at: awaitsConfirmation ? null : '2026-11-10T09:00:00.000Z' },
  };
  return { advance, releases: [], releases_needed: releasesLeft, held_until: null } as unknown as OperatorAdvanceOutput;
}

describe('the next step of an advance, for operators', () => {
  it.each([
    ['in_review', 0, false, 'Needs a decision'],
    ['in_review', 0, true, 'Needs a decision; trader must confirm the collection account'],
    ['approved', 2, false, 'Needs 2 releases'],
    ['approved', 1, false, 'Needs 1 release'],
    ['approved', 1, true, 'Needs 1 release; trader must confirm the collection account'],
    ['approved', 0, true, 'Trader must confirm the collection account'],
    ['payout_failed', 0, false, 'Failed payout needs checking'],
    ['approved', 0, false, undefined],
    ['paid', 0, true, undefined],
  ] as const)('%s with %d releases left, unconfirmed %s: %s', (state, remainingReleases, awaitsConfirmation, text) => {
    expect(getAdvancePendingAction(createAdvance(state, remainingReleases, awaitsConfirmation))).toBe(text);
  });

  it('for an order that the portal didn’t create is to discard it', () => {
    expect(getAdvancePendingAction(createAdvance('paying', 0, false))).toBeUndefined();
    expect(getAdvancePendingAction(createAdvance('paying', 0, false, 'We’re checking this payment.'))).toContain(
      'discard it under Reconciliation',
    );
  });
});
