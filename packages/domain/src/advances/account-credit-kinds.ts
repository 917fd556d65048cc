/**
 * What money on the account from which we pay was found to be, if it isn't known to return a payout. `own_money`: we paid it in.
 * `sent_back`: it was returned to its sender at the payments provider. `payout_return`: it returns a payout, which the provider named only
 * later, and which the portal has recorded as returned.
 */
export const ACCOUNT_CREDIT_KINDS = ['own_money', 'sent_back', 'payout_return'] as const;
export type AccountCreditKind = (typeof ACCOUNT_CREDIT_KINDS)[number];
