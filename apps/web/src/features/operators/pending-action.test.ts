import { describe, expect, it } from 'vitest';
import type { QueuedAdvance } from './operator-outputs.ts';
import { getQueuedPendingAction } from './pending-action.ts';

function queued(state: QueuedAdvance['state'], releases_left: number, awaits_confirmation: boolean): QueuedAdvance {
  return { state, releases_left, awaits_confirmation } as QueuedAdvance;
}

describe('what an advance waits for, as operators see it', () => {
  it.each([
    ['in_review', 0, false, 'a decision by an operator'],
    ['in_review', 0, true, 'a decision by an operator, and for the trader to confirm the collection account'],
    ['approved', 2, false, 'a release by 2 more operators'],
    ['approved', 1, false, 'a release by 1 more operator'],
    ['approved', 1, true, 'a release by 1 more operator, and for the trader to confirm the collection account'],
    ['approved', 0, true, 'the trader to confirm the collection account'],
    ['payout_failed', 0, false, 'an operator to send it back for a new release'],
    ['approved', 0, false, undefined],
    ['paid', 0, true, undefined],
  ] as const)('%s with %d releases left, unconfirmed %s: %s', (state, left, awaits, text) => {
    expect(getQueuedPendingAction(queued(state, left, awaits))).toBe(text);
  });
});
