/** Compares the boxes of a return with what the bookkeeping program itself says about the period's VAT (decision 70). */

/**
 * Why a program's own figure couldn't be read. `no_return`: FreeAgent has no VAT return for exactly this period. `no_account`: the VAT account
 * wasn't found. `filed_there`: the period was filed in QuickBooks, which empties its account. `no_access`: we may not read it. `unavailable`: the
 * program didn't answer.
 */
export const VAT_FIGURE_PROBLEMS = ['no_return', 'no_account', 'filed_there', 'no_access', 'unavailable'] as const;
export type VatFigureProblem = (typeof VAT_FIGURE_PROBLEMS)[number];
