/** Compares a row's net amount and VAT with the gross amount that the file also has. */
import { pence, toPoundsText } from '../money.ts';
import { findBoxRule } from '../vat-returns/treatment-table.ts';
import type { BooksRow } from './books-row.ts';
import { parseAmount } from './parse-amount.ts';
import { normaliseAmount } from './tidy-amount.ts';

/** Software that rounds net and VAT separately can be a penny away from its own total. */
const ROUNDING_PENCE = 1;

/**
 * Returns the reason why a row is rejected whose net amount and VAT don't add up to its gross amount, or undefined. VAT that the customer
 * accounts for, or that isn't part of the boxes, can be missing from the gross amount. `grossText` is the cell as written; a credit note may
 * have it without a minus sign.
 */
export function explainGross(
  grossText: string,
  { kind, treatment, net_pence: net, vat_pence: vat }: Pick<BooksRow, 'kind' | 'treatment' | 'net_pence' | 'vat_pence'>,
): string | undefined {
  const amount = parseAmount(grossText);
  const gross = Number.isNaN(amount) ? parseAmount(normaliseAmount(grossText)) : amount;
  const rule = findBoxRule(kind, treatment);
  // The net amount of import VAT, bad debt relief or an adjustment isn't part of what was paid.
  if (Number.isNaN(gross) || rule === undefined || rule.net.length === 0 || treatment === 'import_vat_paid') return undefined;
  const possibleTotals = rule.emptyVat === 'refused' ? [net + vat] : [net + vat, net];
  const isSame = (total: number) => Math.abs(total - gross) <= ROUNDING_PENCE || (total < 0 && Math.abs(total + gross) <= ROUNDING_PENCE);
  if (possibleTotals.some(isSame)) return undefined;
  const amounts = `net ${toPoundsText(net)} + VAT ${toPoundsText(vat)}, gross ${toPoundsText(pence(gross))}`;
  return `“${amounts}” doesn’t add up: correct one of the three amounts, or choose “Don’t use” for the gross column`;
}
