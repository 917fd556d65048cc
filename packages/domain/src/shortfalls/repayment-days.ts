/** The number of days after filing within which we expect HMRC's repayment. */

/** With fewer repayments than this, our own history is too short. */
const MIN_HISTORY = 50;
const PERCENTILE = 0.8;

/**
 * Returns the number of days within which HMRC repaid four of five of our refunds (the 80th percentile, nearest rank), or the published
 * number until we have seen 50.
 */
export function getRepaymentDays(history: readonly number[], publishedDays: number): number {
  if (history.length < MIN_HISTORY) return publishedDays;
  const sorted = history.toSorted((a, b) => a - b);
  return sorted[Math.ceil(PERCENTILE * sorted.length) - 1] ?? publishedDays;
}
