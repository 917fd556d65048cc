/** What the product asks of whoever checks that a person is who they say; `identity-check-client.ts` answers it. No vendor is chosen. */
import type { Instant } from '@portal/domain/clock.ts';

/**
 * - `pending`: the person has not finished, or may try again.
 * - `passed`, `failed`: decided; a failed person begins a new check under a new reference.
 * - `needs_review`: somebody at the provider is looking; `passed` or `failed` follows.
 * - `expired`: seven days went by unfinished.
 */
export const IDENTITY_STATUSES = ['pending', 'passed', 'failed', 'expired', 'needs_review'] as const;
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

/** Why a check is not passed; `other` for a reason that is new to us. A pending check tells why its last try did not do. */
export const IDENTITY_REASONS = ['document_unreadable', 'person_mismatch', 'document_doubtful', 'other'] as const;
export type IdentityReason = (typeof IDENTITY_REASONS)[number];

export type IdentityResult = {
  readonly checkId: string;
  readonly reference: string;
  readonly status: IdentityStatus;
  readonly reasons: readonly IdentityReason[];
  /** Tries left to a pending check. */
  readonly triesLeft: number;
  readonly completedAt?: Instant;
  readonly expiresAt: Instant;
};

/** `reference` is ours, 1 to 100 characters, one for each check: repeating an order under it gives the same check. */
export type IdentityOrder = { readonly reference: string; readonly fullName: string; readonly email: string; readonly returnUrl: string };

/** A webhook as it arrived: header names in any case, the body exactly as sent. */
export type ReceivedIdentityWebhook = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawBody: string | Uint8Array;
};

/** The same event can arrive more than once, and events can overtake each other: remember `eventId`, and take the state from `find`. */
export type IdentityEvent = { readonly eventId: string; readonly createdAt: Instant; readonly result: IdentityResult };

/** Failures are ProviderError. An order that is `unknown` may be repeated under its reference. */
export type IdentityCheck = {
  /** The browser goes to `url`, which is a secret of this person's, and comes back to `returnUrl` with nothing that could be believed. */
  begin(order: IdentityOrder): Promise<{ checkId: string; url: string; expiresAt: Instant }>;
  /** Undefined where the provider knows no such check. */
  find(checkId: string): Promise<IdentityResult | undefined>;
  /** Checks signature and age; throws AppError `unauthenticated` for anything that the provider did not sign in the last five minutes. */
  verifyWebhook(webhook: ReceivedIdentityWebhook): IdentityEvent;
};
