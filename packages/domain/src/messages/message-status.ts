/** The possible statuses of a message's recipient. See docs/decisions/0053-messages-and-mailboxes.md. */

/** `bounced`: accepted at first, but bounced later. `unknown`: may have been sent, so only a user can repeat it. */
export const RECIPIENT_STATUSES = ['queued', 'sending', 'sent', 'failed', 'bounced', 'unknown', 'cancelled'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** Returns true if a user may resend the message to this recipient. */
export function canResend(status: RecipientStatus): boolean {
  return status === 'failed' || status === 'bounced' || status === 'unknown';
}

/** `waiting`: we’ve lost access to the practice’s mailbox, so nothing is sent until a user reconnects or disconnects it. */
export const MESSAGE_STATUSES = ['scheduled', 'sending', 'waiting', 'done', 'cancelled'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export type MessageFacts = {
  readonly isCancelled: boolean;
  readonly isDue: boolean;
  readonly counts: Readonly<Record<RecipientStatus, number>>;
  readonly isMailboxLost: boolean;
};

/** Returns the status of a message, based on its recipients. */
export function getMessageStatus({ isCancelled, isDue, counts, isMailboxLost }: MessageFacts): MessageStatus {
  if (counts.queued + counts.sending === 0) return isCancelled ? 'cancelled' : 'done';
  if (!isDue) return 'scheduled';
  return isMailboxLost ? 'waiting' : 'sending';
}
