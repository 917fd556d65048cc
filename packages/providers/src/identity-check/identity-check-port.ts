/** Identity checks as the portal uses them. Implemented by `identity-check-client.ts`. No vendor has been chosen yet. */
import type { IdentityCheckStatus } from '@portal/domain/advances/advance-statuses.ts';
import type { Instant } from '@portal/domain/clock.ts';

/** Why a check hasn't passed; `other` for unknown reasons. A pending check has the reasons from its last attempt. */
export const IDENTITY_REASONS = ['document_unreadable', 'person_mismatch', 'document_doubtful', 'other'] as const;
export type IdentityReason = (typeof IDENTITY_REASONS)[number];

export type IdentityResult = {
  readonly checkId: string;
  readonly reference: string;
  readonly status: IdentityCheckStatus;
  readonly reasons: readonly IdentityReason[];
  /** The number of attempts left for a pending check. */
  readonly triesLeft: number;
  readonly completedAt?: Instant;
  readonly expiresAt: Instant;
  /** The month of birth from a passed check, such as "1984-05". We don't store more of the date than Companies House publishes. */
  readonly bornIn?: string;
};

/** `reference` is ours: 1 to 100 characters, unique for each check. Repeating a reference returns the same check. */
export type IdentityCheckRequest = {
  readonly reference: string;
  readonly fullName: string;
  readonly email: string;
  readonly returnUrl: string;
};

/** A webhook as received: header names in any letter case, and the body exactly as sent. */
export type ReceivedIdentityWebhook = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawBody: string | Uint8Array;
};

/** Events may arrive more than once and out of order. Store `eventId`, and read the current state with `findCheck`. */
export type IdentityEvent = { readonly eventId: string; readonly createdAt: Instant; readonly result: IdentityResult };

/** Failures are ProviderErrors. A request that fails as `unknown` may be repeated with the same reference. */
export type IdentityCheck = {
  /** Send the browser to `url`, which only this user may know. It returns to `returnUrl` without a result that can be trusted. */
  startCheck(request: IdentityCheckRequest): Promise<{ checkId: string; url: string; expiresAt: Instant }>;
  /** Returns undefined if the provider doesn't know the check. */
  findCheck(checkId: string): Promise<IdentityResult | undefined>;
  /**
   * Checks the signature and its age. Throws AppError `unauthenticated` for anything that the provider didn't sign within the last five
   * minutes.
   */
  verifyWebhook(webhook: ReceivedIdentityWebhook): IdentityEvent;
};
