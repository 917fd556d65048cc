/** Invites many clients to the client portal in one run. See docs/decisions/0061-notifications.md. */

/** `unknown`: may have been sent, so only a user can repeat it. `skipped`: already has access or an open invitation, or was archived. */
export const INVITED_STATUSES = ['queued', 'sending', 'sent', 'failed', 'unknown', 'skipped'] as const;
export type InvitedStatus = (typeof INVITED_STATUSES)[number];

/** Returns true if a user may resend the invitation to this client. */
export function canReinvite(status: InvitedStatus): boolean {
  return status === 'failed' || status === 'unknown';
}

/** `paused`: by a user. `ended`: there are no clients left. */
export const INVITATION_RUN_STATES = ['running', 'paused', 'ended'] as const;
export type InvitationRunState = (typeof INVITATION_RUN_STATES)[number];

/** Why a selected client isn't invited. */
export const NOT_INVITED_REASONS = ['no_email', 'undeliverable', 'has_access', 'already_invited', 'archived'] as const;
export type NotInvitedReason = (typeof NOT_INVITED_REASONS)[number];
