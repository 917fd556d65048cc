/** Labels of messages and their outcomes. */
import type { MessageSummary } from '@portal/contract/messages.ts';
import { RECIPIENT_STATUSES, type MessageStatus, type RecipientStatus } from '@portal/domain/messages/message-status.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/tone.ts';

type Chip = { readonly label: string; readonly icon: IconName; readonly tone: Tone };

/** Poll interval for a message that is being sent. */
export const POLL_MS = 2_000;

export const RECIPIENT_CHIPS: Readonly<Record<RecipientStatus, Chip>> = {
  queued: { label: 'Waiting', icon: 'clock', tone: 'info' },
  sending: { label: 'Sending', icon: 'clock', tone: 'info' },
  sent: { label: 'Sent', icon: 'checkCircle', tone: 'success' },
  failed: { label: 'Failed', icon: 'errorCircle', tone: 'error' },
  bounced: { label: 'Bounced', icon: 'errorCircle', tone: 'error' },
  unknown: { label: 'May have been sent', icon: 'warning', tone: 'warning' },
  cancelled: { label: 'Cancelled', icon: 'close', tone: 'info' },
};

const MESSAGE_CHIPS: Readonly<Record<MessageStatus, Chip>> = {
  scheduled: { label: 'Scheduled', icon: 'clock', tone: 'info' },
  sending: { label: 'Sending', icon: 'clock', tone: 'info' },
  waiting: { label: 'Waiting for your mailbox', icon: 'warning', tone: 'warning' },
  done: { label: 'Sent', icon: 'checkCircle', tone: 'success' },
  cancelled: { label: 'Cancelled', icon: 'close', tone: 'info' },
};

/** Returns the chip for a message. If it was sent but didn't reach everyone, the chip says so. */
export function getMessageChip({ status, counts }: Pick<MessageSummary, 'status' | 'counts'>): Chip {
  const isUnclear = status === 'done' && counts.failed + counts.bounced + counts.unknown > 0;
  return isUnclear ? { label: 'Needs attention', icon: 'warning', tone: 'warning' } : MESSAGE_CHIPS[status];
}

export function isInProgress({ status }: Pick<MessageSummary, 'status'>): boolean {
  return status === 'sending';
}

/** Formats the outcomes, for example "3 sent, 1 failed". */
export function formatOutcomes({ counts }: Pick<MessageSummary, 'counts'>): string {
  const parts = RECIPIENT_STATUSES.filter((status) => counts[status] > 0);
  return parts.map((status) => `${counts[status].toLocaleString('en-GB')} ${RECIPIENT_CHIPS[status].label.toLowerCase()}`).join(', ');
}
