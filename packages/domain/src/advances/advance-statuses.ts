/** Kept apart from the rules that produce them, because the contract uses these in every browser, while the rules run on the server. */

/** Result of one eligibility rule. */
export const RULE_OUTCOMES = ['pass', 'fail', 'review', 'not_judged'] as const;
export type RuleOutcome = (typeof RULE_OUTCOMES)[number];

/**
 * The status of an identity check at its provider.
 * - `pending`: the user hasn't finished, or may try again.
 * - `passed`, `failed`: decided. After `failed`, a new check needs a new reference.
 * - `needs_review`: the provider's staff are reviewing the check; `passed` or `failed` follows.
 * - `expired`: not finished within seven days.
 */
export const IDENTITY_CHECK_STATUSES = ['pending', 'passed', 'failed', 'expired', 'needs_review'] as const;
export type IdentityCheckStatus = (typeof IDENTITY_CHECK_STATUSES)[number];

/** Status of the owner's identity check. */
export const IDENTITY_STATUSES = ['not_started', ...IDENTITY_CHECK_STATUSES] as const;
export type OwnerIdentityStatus = (typeof IDENTITY_STATUSES)[number];

/** The status of a stage of the timeline. */
export const STAGE_STATUSES = ['done', 'current', 'next', 'trouble'] as const;
export type StageStatus = (typeof STAGE_STATUSES)[number];
