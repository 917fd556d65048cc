/** The bank's response to "does this account belong to this name?" (Confirmation of Payee); `unavailable`: it didn't respond. */
export const NAME_CHECK_RESULTS = ['match', 'close_match', 'no_match', 'unavailable'] as const;
export type NameCheckResult = (typeof NAME_CHECK_RESULTS)[number];
