import { describe, expect, it } from 'vitest';
import type { QueuedAdvance } from './operator-outputs.ts';
import { getQueuedPendingAction } from './pending-action.ts';

function queued(state: QueuedAdvance['state'], releases_left: number, awaits_confirmation: boolean): QueuedAdvance {
  return { state, releases_left, awaits_confirmation } as QueuedAdvance;
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
  ] as const)('%s with %d releases left, unconfirmed %s: %s', (state, left, awaits, text) => {
    expect(getQueuedPendingAction(queued(state, left, awaits))).toBe(text);
  });
});
