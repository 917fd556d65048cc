import { type Pence, pence } from './money.ts';

/**
 * Splits an amount by weights (whole, >= 0, not all 0) without losing a penny. The parts with the largest remainders get the spare pennies;
 * in a tie, earlier parts come first.
 */
export function allocate(amount: Pence, weights: readonly number[]): Pence[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 0 || weights.some((weight) => weight < 0 || !Number.isSafeInteger(weight))) {
    throw new RangeError('weights must be whole numbers, not negative and not all zero');
  }
  const sign = amount < 0 ? -1 : 1;
  const exactShares = weights.map((weight) => BigInt(Math.abs(amount)) * BigInt(weight));
  const parts = exactShares.map((share) => Number(share / BigInt(total)));
  let leftover = Math.abs(amount) - parts.reduce((sum, part) => sum + part, 0);
  const sharesByRemainder = exactShares
    .map((share, index) => ({ index, remainder: share % BigInt(total) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of sharesByRemainder) {
    if (leftover === 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    leftover -= 1;
  }
  return parts.map((part) => pence(sign * part));
}
