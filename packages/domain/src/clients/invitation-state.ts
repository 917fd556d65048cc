/** The state of a client's invitation, and when it is automatically resent. */
import { addMilliseconds, type Instant } from '../clock.ts';

const DAY_MS = 86_400_000;

/** How many days a link is valid for (docs/product/decisions.md section 5). */
export const CLIENT_INVITATION_DAYS = 21;

/** In chronological order. `bounced`: the mail server permanently rejected the email address. */
export const INVITATION_STATES = ['draft', 'sent', 'opened', 'accepted', 'expired', 'revoked', 'bounced'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

export type InvitationTimes = {
  /** Null for a draft. */
  readonly sentAt: Instant | null;
  readonly expiresAt: Instant | null;
  readonly openedAt: Instant | null;
  readonly acceptedAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly bouncedAt: Instant | null;
};

/** Returns the state at a wall-clock time, because links expire by wall-clock time. */
export function getInvitationState(times: InvitationTimes, now: Instant): InvitationState {
  if (times.acceptedAt !== null) return 'accepted';
  if (times.revokedAt !== null) return 'revoked';
  if (times.sentAt === null || times.expiresAt === null) return 'draft';
  if (times.bouncedAt !== null) return 'bounced';
  if (times.expiresAt <= now) return 'expired';
  return times.openedAt === null ? 'sent' : 'opened';
}

/** Days before the link expires on which a reminder is sent. No reminders follow the last one. */
export const REMINDER_DAYS_LEFT = [18, 11, 3] as const;
export const MAX_REMINDERS = REMINDER_DAYS_LEFT.length;

/** Returns when the next reminder is due, given the number already sent. Null after the last one. */
export function getNextReminderAt(expiresAt: Instant, reminders: number): Instant | null {
  const daysLeft = REMINDER_DAYS_LEFT[reminders];
  return daysLeft === undefined ? null : addMilliseconds(expiresAt, -daysLeft * DAY_MS);
}
