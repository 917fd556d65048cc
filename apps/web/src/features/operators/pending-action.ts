/** The next step of an advance, worded for operators. The contract's own text is written for the trader. */
import type { OperatorAdvanceOutput } from '@portal/contract/operators.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';

type PendingState = {
  readonly state: OperatorAdvanceOutput['advance']['state'];
  readonly awaitsConfirmation: boolean;
  readonly releasesLeft: number;
  readonly heldUntil: Instant | null;
  readonly isOrderRefused: boolean;
};

/**
 * Describes the action, for example "Needs 1 release" or "Trader must confirm the collection account". Returns undefined if no step is
 * known.
 */
function describePendingAction({ state, awaitsConfirmation, releasesLeft, heldUntil, isOrderRefused }: PendingState): string | undefined {
  const isOpen = STATES_BEFORE_PAYOUT.includes(state);
  const steps = [
    state === 'in_review' ? 'needs a decision' : '',
    state === 'approved' && releasesLeft > 0 ? `needs ${releasesLeft} ${releasesLeft === 1 ? 'release' : 'releases'}` : '',
    isOpen && awaitsConfirmation ? 'trader must confirm the collection account' : '',
    state === 'approved' && heldUntil !== null ? `on hold until ${formatInstant(heldUntil)}` : '',
    isOrderRefused ? 'payout order was changed outside the portal, so it wasn’t sent: discard it under Reconciliation' : '',
    state === 'payout_failed' ? 'failed payout needs checking' : '',
  ].filter((step) => step !== '');
  const stepsText = steps.join('; ');
  return stepsText === '' ? undefined : `${stepsText.charAt(0).toUpperCase()}${stepsText.slice(1)}`;
}

/** Returns the pending action shown on the advance's page. */
export function getAdvancePendingAction({
  advance,
  releases,
  releases_needed: releasesNeeded,
  held_until: heldUntil,
}: OperatorAdvanceOutput): string | undefined {
  return describePendingAction({
    state: advance.state,
    awaitsConfirmation: advance.collection_account?.confirmed_at === null,
    releasesLeft: releasesNeeded - releases.length,
    heldUntil,
    // A payment that has been ordered but is still waiting for something was rejected.
    isOrderRefused: advance.state === 'paying' && advance.waiting_for !== null,
  });
}
