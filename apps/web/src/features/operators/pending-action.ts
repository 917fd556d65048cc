/** Describes what an advance waits for, for operators. The contract's sentence is written for the trader. */
import type { OperatorAdvanceOutput } from '@portal/contract/operators.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import type { QueuedAdvance } from './operator-outputs.ts';

type PendingState = {
  readonly state: QueuedAdvance['state'];
  readonly awaitsConfirmation: boolean;
  readonly releasesLeft: number;
  readonly heldUntil: Instant | null;
};

/** "a release by 1 more operator", "the trader to confirm the collection account". Undefined if it waits for no one we know of. */
function describePendingAction({ state, awaitsConfirmation, releasesLeft, heldUntil }: PendingState): string | undefined {
  const isOpen = state === 'accepted' || state === 'in_review' || state === 'approved';
  const parts = [
    state === 'in_review' ? 'a decision by an operator' : '',
    state === 'approved' && releasesLeft > 0 ? `a release by ${releasesLeft} more ${releasesLeft === 1 ? 'operator' : 'operators'}` : '',
    isOpen && awaitsConfirmation ? 'the trader to confirm the collection account' : '',
    state === 'approved' && heldUntil !== null ? `the hold until ${formatInstant(heldUntil)} to end` : '',
    state === 'payout_failed' ? 'an operator to send it back for a new release' : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(', and for ');
}

/** For the advance's own page. */
export function getAdvancePendingAction({
  advance,
  releases,
  releases_needed: needed,
  held_until: heldUntil,
}: OperatorAdvanceOutput): string | undefined {
  return describePendingAction({
    state: advance.state,
    awaitsConfirmation: advance.collection_account?.confirmed_at === null,
    releasesLeft: needed - releases.length,
    heldUntil,
  });
}

/** For a queue. A hold is only shown on the advance's page. */
export function getQueuedPendingAction({
  state,
  awaits_confirmation: awaitsConfirmation,
  releases_left: releasesLeft,
}: QueuedAdvance): string | undefined {
  return describePendingAction({ state, awaitsConfirmation, releasesLeft, heldUntil: null });
}
