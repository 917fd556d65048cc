/** The reasons why a client's tax could not be read or a sync run stopped: codes for storage, messages for screens. */

/** States of a client's reading at HMRC, and of a run of many readings. */
export const SYNC_STATES = ['checking', 'importing', 'completed', 'failed'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** `retries` is set if waiting may resolve the problem; `next` tells the user what to do once we stop retrying. */
export type SyncReasonRule = { readonly sentence: string; readonly next: string; readonly isRetryable: boolean };

/** Every reason by code (`client_syncs.reason`, `sync_runs.reason`). */
export const SYNC_REASONS = {
  not_authorised: {
    sentence: 'HMRC has not authorised the practice for this client.',
    next: 'Send the client an authorisation request.',
    isRetryable: false,
  },
  authorisation_revoked: {
    sentence: 'HMRC no longer authorises the practice for this client.',
    next: 'Ask the client to authorise the practice again.',
    isRetryable: false,
  },
  insolvent: {
    sentence: 'HMRC treats the client as insolvent and shows nothing of it.',
    next: 'Ask the insolvency practitioner.',
    isRetryable: false,
  },
  not_found: {
    sentence: 'HMRC knows no such registration.',
    next: "Check the client's reference.",
    isRetryable: false,
  },
  no_reference: {
    sentence: 'The reference that HMRC knows the client by is missing.',
    next: 'Add it to the client.',
    isRetryable: false,
  },
  hmrc_unavailable: {
    sentence: "HMRC's service did not answer.",
    next: 'Refresh again later.',
    isRetryable: true,
  },
  rate_limited: {
    sentence: 'HMRC asked us to slow down.',
    next: 'Refresh again later.',
    isRetryable: true,
  },
  malformed_answer: {
    sentence: "HMRC's answer could not be read.",
    next: 'Refresh again later; tell us if it stays.',
    isRetryable: true,
  },
  refused: {
    sentence: 'HMRC refused the question.',
    next: 'Tell us: we look into it.',
    isRetryable: false,
  },
  internal: {
    sentence: 'Something broke on our side while the client was read.',
    next: 'Our team has been notified. Refresh again later.',
    isRetryable: true,
  },
  connection_ended: {
    sentence: "The practice's connection to HMRC ended before all was read.",
    next: 'Refresh again once HMRC is connected.',
    isRetryable: false,
  },
  cancelled: {
    sentence: 'The refresh was cancelled before this client was read.',
    next: 'Refresh again.',
    isRetryable: false,
  },
} as const satisfies Record<string, SyncReasonRule>;

/** A code from the table above. */
export type SyncReason = keyof typeof SYNC_REASONS;

/** Whether stored text is one of the codes. */
export function isSyncReason(text: string): text is SyncReason {
  return Object.hasOwn(SYNC_REASONS, text);
}

/** What happens next: an automatic retry if one is due, otherwise what the user should do. */
export function nextStep(reason: SyncReason, willRetry: boolean): string {
  return willRetry ? 'It is tried again by itself within ten minutes.' : SYNC_REASONS[reason].next;
}

/** Seconds until the next retry, by the number of attempts so far; undefined if we do not retry. */
export function retryAfterSeconds(reason: SyncReason, attempts: number): number | undefined {
  return SYNC_REASONS[reason].isRetryable ? RETRY_SECONDS[attempts - 1] : undefined;
}

/**
 * All retries happen within about 15 minutes of the click, because a run carries the fraud-prevention headers of the person who started it.
 */
const RETRY_SECONDS: readonly number[] = [15, 60, 240, 600];
