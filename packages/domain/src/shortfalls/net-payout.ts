import { pence, ZERO, type Pence } from '../money.ts';

/** What the bank needs at least; a payout of nothing can't be made, so the rest of the difference stays due. */
const MIN_PAYOUT_PENCE = 1_00;

/** How much of each unpaid difference is taken off the next payout, oldest first. The trader always gets at least £1. */
export function netPayout(net: Pence, unpaid: readonly Pence[]): { readonly payout: Pence; readonly taken: readonly Pence[] } {
  let left = Math.max(0, net - MIN_PAYOUT_PENCE);
  const taken = unpaid.map((amount) => {
    const share = pence(Math.min(Math.max(ZERO, amount), left));
    left -= share;
    return share;
  });
  return { payout: pence(net - taken.reduce((sum, share) => sum + share, 0)), taken };
}
