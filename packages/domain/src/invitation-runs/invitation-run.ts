/** Inviting many clients to the clients' portal at once. See docs/decisions/0061-notifications.md. */

/** `unknown`: may have been sent. Only a person repeats it. `skipped`: has access or an open invitation by now, or was archived. */
export const INVITED_STATUSES = ['queued', 'sending', 'sent', 'failed', 'unknown', 'skipped'] as const;
export type InvitedStatus = (typeof INVITED_STATUSES)[number];

/** Whether a person may send again to this client. */
export function canInviteAgain(status: InvitedStatus): boolean {
  return status === 'failed' || status === 'unknown';
}

/** `paused`: by a person. `ended`: no client is left. */
export const INVITATION_RUN_STATES = ['running', 'paused', 'ended'] as const;
export type InvitationRunState = (typeof INVITATION_RUN_STATES)[number];

/** Why a selected client is not invited. */
export const NOT_INVITED_REASONS = ['no_email', 'undeliverable', 'has_access', 'already_invited', 'archived'] as const;
export type NotInvitedReason = (typeof NOT_INVITED_REASONS)[number];
