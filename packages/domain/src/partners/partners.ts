/** Who refers traders to us, and what that changes. Data, so that a new partner is one line. Unknown names are organic. */

export type Partner = { readonly name: string; /** Our fee on a refund, in basis points. */ readonly feeRateBps: number };

export const ORGANIC = 'organic';

/** Fee rates: specification section 1 and 9 (1%, and 2% for swoop). */
const PARTNERS: readonly Partner[] = [
  { name: ORGANIC, feeRateBps: 100 },
  { name: 'swoop', feeRateBps: 200 },
];

/** The partner of a name, in any case; organic where nobody has that name. */
export function findPartner(name: string): Partner {
  const wanted = name.trim().toLowerCase();
  return PARTNERS.find((partner) => partner.name === wanted) ?? { name: ORGANIC, feeRateBps: 100 };
}
