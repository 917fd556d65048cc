/** The only rule about when a payout needs an identity check. Every screen, email and task uses this wording. */

/**
 * Every payout needs a verified owner, whatever its size: regulations 27 and 28 of the Money Laundering Regulations 2017 require the
 * customer's identity to be verified before the transaction.
 */
export const IDENTITY_RULE = 'By law, we must know who we’re paying, so we can’t pay you until an owner’s identity is verified.';

/** Returns true if the identity rule allows the payout, based on the advance's evaluated rules. */
export function isIdentityVerified(rules: readonly { readonly rule: string; readonly outcome: string }[]): boolean {
  return rules.some(({ rule, outcome }) => rule === 'identity_verified' && outcome === 'pass');
}
