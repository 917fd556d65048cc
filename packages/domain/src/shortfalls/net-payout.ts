import { pence, ZERO, type Pence } from '../money.ts';

/** The minimum payout that the bank accepts. Any difference that this leaves unpaid stays due. */
const MIN_PAYOUT_PENCE = 1_00;

/** Returns how much of each unpaid difference to deduct from the next payout, oldest first. The trader always gets at least £1. */
export function deductShortfalls(
  net: Pence,
  unpaidDifferences: readonly Pence[],
): { readonly payout: Pence; readonly taken: readonly Pence[] } {
  let remaining = Math.max(0, net - MIN_PAYOUT_PENCE);
  const deductions = unpaidDifferences.map((amount) => {
    const share = pence(Math.min(Math.max(ZERO, amount), remaining));
    remaining -= share;
    return share;
  });
  return { payout: pence(net - deductions.reduce((sum, share) => sum + share, 0)), taken: deductions };
}
