/** docs.truelayer.com, "Payout and refund statuses". Parts of a sentence, like our own reasons for not sending a payout. */
const FAILURES: Readonly<Record<string, string>> = {
  blocked: 'the payments provider blocked it for a regulatory reason',
  insufficient_funds: 'our account didn’t have enough money',
  returned: 'the receiving bank sent it back without a reason',
  scheme_error: 'Faster Payments couldn’t make it',
  server_error: 'the payments provider had a technical problem',
  unknown: 'the payments provider gave no reason',
};

/** Returns why a payout failed, for operators. Names a code that TrueLayer hasn't published, so that they can ask about it. */
export function describePayoutFailure(code: string): string {
  return FAILURES[code] ?? `the payments provider gave the reason “${code}”`;
}
