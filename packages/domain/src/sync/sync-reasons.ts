/** The reasons why a client's tax couldn't be read or a sync run stopped: codes to store, messages to show. */

/** States of reading a client from HMRC, and of a run of many clients. */
export const SYNC_STATES = ['checking', 'importing', 'completed', 'failed'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** `isRetryable`: waiting may resolve the problem. `next` tells the user what to do once we stop retrying. */
export type SyncReasonRule = { readonly sentence: string; readonly next: string; readonly isRetryable: boolean };

/** Every reason, by code (`client_syncs.reason`, `sync_runs.reason`). */
export const SYNC_REASONS = {
  not_authorised: {
    sentence: 'This client hasn’t authorised you yet.',
    next: 'Send the client an authorisation request.',
    isRetryable: false,
  },
  authorisation_revoked: {
    sentence: 'You’re no longer authorised for this client.',
    next: 'Ask the client to authorise you again.',
    isRetryable: false,
  },
  insolvent: {
    sentence: 'HMRC treats the client as insolvent and doesn’t show its details.',
    next: 'Contact the insolvency practitioner.',
    isRetryable: false,
  },
  not_found: {
    sentence: 'HMRC has no registration with this reference.',
    next: 'Check the client’s reference.',
    isRetryable: false,
  },
  no_reference: {
    sentence: 'The client’s HMRC reference is missing.',
    next: 'Add it to the client’s details.',
    isRetryable: false,
  },
  hmrc_unavailable: {
    sentence: 'HMRC’s service didn’t respond.',
    next: 'Try again later.',
    isRetryable: true,
  },
  rate_limited: {
    sentence: 'HMRC’s rate limit held us up for too long, so the refresh stopped before it reached this client.',
    next: 'Start another refresh later.',
    isRetryable: true,
  },
  malformed_answer: {
    sentence: 'We couldn’t read HMRC’s response.',
    next: 'Try again later. Contact us if this keeps happening.',
    isRetryable: true,
  },
  refused: {
    sentence: 'HMRC rejected our request.',
    next: 'Contact us so that we can look into it.',
    isRetryable: false,
  },
  internal: {
    sentence: 'Something went wrong on our side.',
    next: 'Our team has been notified. Try again later.',
    isRetryable: true,
  },
  connection_ended: {
    sentence: 'Your HMRC connection ended before the refresh finished.',
    next: 'Reconnect HMRC, then refresh again.',
    isRetryable: false,
  },
  cancelled: {
    sentence: 'The refresh was cancelled before it reached this client.',
    next: 'Refresh again.',
    isRetryable: false,
  },
} as const satisfies Record<string, SyncReasonRule>;

/** A code from the table above. */
export type SyncReason = keyof typeof SYNC_REASONS;

/** Returns true if stored text is one of the codes. */
export function isSyncReason(text: string): text is SyncReason {
  return Object.hasOwn(SYNC_REASONS, text);
}

/**
 * Returns true if the client's authorisation status explains the reason. Show that status instead, because it changes when the client
 * responds.
 */
export function isAuthorisationReason(reason: string | null): boolean {
  return reason === 'not_authorised' || reason === 'authorisation_revoked';
}

/** Returns the next step: an automatic retry if one is due, otherwise the user's action. */
export function describeNextStep(reason: SyncReason, willRetry: boolean): string {
  return willRetry ? 'We’ll try again automatically within ten minutes.' : SYNC_REASONS[reason].next;
}

/** Returns the number of seconds until the next retry, given the number of attempts so far; undefined if there won't be one. */
export function retryAfterSeconds(reason: SyncReason, attempts: number): number | undefined {
  return SYNC_REASONS[reason].isRetryable ? RETRY_SECONDS[attempts - 1] : undefined;
}

/** All retries happen within about 15 minutes of the click, because a run uses the fraud-prevention headers of the user who started it. */
const RETRY_SECONDS: readonly number[] = [15, 60, 240, 600];
