/** Wording about an advance on the desk: its next step, who must take it, and the time left to keep the promise. */
import type { DeskRow } from '@portal/contract/desk.ts';
import { toEpochMs, type Instant } from '@portal/domain/clock.ts';
import type { DeskStep } from '@portal/domain/operators/desk-steps.ts';
import { UNPAID_STATES } from '@portal/domain/advances/advance-states.ts';
import type { ComponentProps } from 'react';
import type { StateChip } from '../../ui/state-chip.tsx';

type Chip = ComponentProps<typeof StateChip>;

export const STEP_CHIPS: Readonly<Record<DeskStep, Chip>> = {
  review: { label: 'Review', icon: 'search', tone: 'primary' },
  release: { label: 'Release', icon: 'key', tone: 'primary' },
  held: { label: 'On hold', icon: 'lock', tone: 'warning' },
  refused: { label: 'Order rejected', icon: 'lock', tone: 'error' },
  retry: { label: 'Payout failed', icon: 'errorCircle', tone: 'error' },
  hmrc_late: { label: 'HMRC is late', icon: 'clock', tone: 'warning' },
  collect: { label: 'Shortfall', icon: 'warning', tone: 'error' },
  trader_accepts: { label: 'Trader accepts', icon: 'person', tone: 'info' },
  not_eligible: { label: 'Not eligible', icon: 'close', tone: 'info' },
  opening_account: { label: 'Opening account', icon: 'bank', tone: 'info' },
  trader_confirms: { label: 'Trader tells HMRC', icon: 'person', tone: 'info' },
  trader_refreshes: { label: 'Trader confirms again', icon: 'person', tone: 'info' },
  trader_identity: { label: 'Trader’s identity', icon: 'person', tone: 'info' },
  trader_mandate: { label: 'Trader’s Direct Debit', icon: 'person', tone: 'info' },
  bank_hold: { label: 'New bank account', icon: 'lock', tone: 'info' },
  paying: { label: 'Paying', icon: 'arrowForward', tone: 'info' },
  bank_pays: { label: 'With the bank', icon: 'bank', tone: 'info' },
  hmrc_repays: { label: 'With HMRC', icon: 'clock', tone: 'info' },
  settling: { label: 'Settling', icon: 'check', tone: 'success' },
  none: { label: 'Closed', icon: 'check', tone: 'info' },
};

/** Describes the next step and who must take it, in a sentence. */
export function describeStep({
  step,
  releases,
  releases_needed: releasesNeeded,
}: Pick<DeskRow, 'step' | 'releases' | 'releases_needed'>): string {
  const remaining = Math.max(0, releasesNeeded - releases);
  const sentences: Readonly<Record<DeskStep, string>> = {
    review: 'An operator must approve or decline it.',
    release: `${remaining} more ${remaining === 1 ? 'operator' : 'operators'} must release the payout.`,
    held: 'The payout is on hold. The advance’s page says why. Wait until the reason no longer applies, or decline the advance.',
    refused: 'The order was changed outside the portal, so it wasn’t sent. Discard it under Reconciliation.',
    retry: 'The payout failed. Check the account, then return it for release.',
    hmrc_late: 'HMRC hasn’t repaid by the expected date. Ask the trader to refresh the figures.',
    collect: 'HMRC repaid less than the refund. Collect the rest from the trader.',
    trader_accepts: 'The trader decides whether to accept the quote.',
    not_eligible: 'A rule failed, so the trader can’t accept. The quote is updated when the facts change.',
    opening_account: 'We’re opening the collection account.',
    trader_confirms: 'The trader needs to ask HMRC to repay into the collection account, then confirm that they have.',
    trader_refreshes: 'HMRC’s figures are too old for us to pay on. The trader needs to confirm again, which refreshes them.',
    trader_identity: 'The trader needs to verify their identity before we pay.',
    trader_mandate: 'The trader needs to set up a Direct Debit. We pay once their bank has it.',
    bank_hold: 'The trader changed the bank account, so the payout is on hold for 24 hours.',
    paying: 'The payout is about to be sent.',
    bank_pays: 'The payments provider is paying it out.',
    hmrc_repays: 'HMRC repays into the collection account.',
    settling: 'HMRC has repaid. The advance is being settled.',
    none: 'Nothing more to do.',
  };
  return sentences[step];
}

const MINUTE_MS = 60_000;

/** "45 min", "3 h 20 min" or "4 days". */
export function formatDuration(milliseconds: number): string {
  const minutes = Math.floor(Math.abs(milliseconds) / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 72) return `${Math.floor(hours / 24)} days`;
  return hours >= 24 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

type PromiseText = { readonly text: string; readonly tone: 'error' | 'warning' | 'quiet' };

const SOON_MS = 2 * 60 * MINUTE_MS;

/** Describes the promise: time left, time overdue, or how long the payout took. Returns undefined before acceptance. */
export function describePromise(row: Pick<DeskRow, 'state' | 'accepted_at' | 'pay_by' | 'paid_at'>, now: Instant): PromiseText | undefined {
  const { accepted_at: acceptedAt, pay_by: payBy, paid_at: paidAt } = row;
  if (acceptedAt === null || payBy === null) return undefined;
  if (paidAt !== null) {
    const durationText = formatDuration(toEpochMs(paidAt) - toEpochMs(acceptedAt));
    return paidAt > payBy ? { text: `Late, took ${durationText}`, tone: 'warning' } : { text: `Paid in ${durationText}`, tone: 'quiet' };
  }
  if (!UNPAID_STATES.includes(row.state)) return undefined;
  const remaining = toEpochMs(payBy) - toEpochMs(now);
  if (remaining < 0) return { text: `${formatDuration(remaining)} late`, tone: 'error' };
  return { text: `${formatDuration(remaining)} left`, tone: remaining <= SOON_MS ? 'warning' : 'quiet' };
}
