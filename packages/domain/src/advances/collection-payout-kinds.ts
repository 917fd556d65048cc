/**
 * What a payment from a collection account was. The portal makes none: they are made at the payments provider. `to_us`: HMRC’s repayment of
 * a refund that we bought, moved to an account of ours. `credit_return`: the return of a payment to its sender, which two people have
 * recorded. `to_trader`: money that we owed the trader. `lost`: it was taken, and won't come back.
 */
export const COLLECTION_PAYOUT_KINDS = ['to_us', 'credit_return', 'to_trader', 'lost'] as const;
export type CollectionPayoutKind = (typeof COLLECTION_PAYOUT_KINDS)[number];

/** Returns whether both names are the same, apart from capitals, spaces and punctuation. */
export function isSameAccountName(a: string, b: string): boolean {
  return toComparable(a) !== '' && toComparable(a) === toComparable(b);
}

function toComparable(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
