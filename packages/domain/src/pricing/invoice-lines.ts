/** The lines of our VAT invoices. They add up to the invoice's net amount. */
import { formatConnections } from './format-connections.ts';
import { formatPounds, type Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { PricedProration, Pricing } from './calculate-pricing.ts';

/** `quantity` is null for lines without a count. The amount excludes VAT; it is negative for a discount or credit. */
export type InvoiceLine = { readonly description: string; readonly quantity: number | null; readonly amountPence: Pence };

/** Returns a month's lines: the base price with its included connections, the additional connections, and the discount. */
export function toMonthLines(pricing: Pricing, connections: number, promotionCode: string | null): InvoiceLine[] {
  const { tier, basePence, connectionsPence, chargedConnections, discountPence } = pricing;
  const included = connections - chargedConnections;
  const base = { description: `OpenTax ${tier.name}, with ${formatConnections(included)} included`, quantity: 1, amountPence: basePence };
  const extraLine = { description: 'Extra connections', quantity: chargedConnections, amountPence: connectionsPence };
  const discount = { description: `Promotion code ${promotionCode ?? ''}`.trim(), quantity: null, amountPence: discountPence };
  return [base, ...(chargedConnections > 0 ? [extraLine] : []), ...(discountPence < 0 ? [discount] : [])];
}

/** Returns the lines for a change that applies for the rest of a month. */
export function toChangeLines({ creditPence, chargePence }: PricedProration, from: number, to: number): InvoiceLine[] {
  return [
    { description: `Credit for the rest of the month at ${formatConnections(from)}`, quantity: null, amountPence: creditPence },
    { description: `Charge for the rest of the month at ${formatConnections(to)}`, quantity: null, amountPence: chargePence },
  ];
}

/** Formats "INV-000042": each seller has one sequence without gaps, for invoices and credit notes. */
export function formatInvoiceNumber(sequence: number): string {
  return `INV-${String(sequence).padStart(6, '0')}`;
}

/**
 * Returns the tax point if it isn't the date of issue: continuous services are supplied when they are paid, or when their VAT invoice is
 * issued, whichever is earlier (VAT Regulations 1995, regulation 90(1)).
 */
export function findEarlierTaxPoint(issuedOn: PlainDate, paidOn: PlainDate | undefined): PlainDate | null {
  return paidOn !== undefined && paidOn < issuedOn ? paidOn : null;
}

/** Throws a RangeError if our lines differ from the amount charged, which is a bug. */
export function assertCharged(
  ourAmounts: { netPence: Pence; vatPence: Pence },
  chargedAmounts: { netPence: Pence; vatPence: Pence },
): void {
  if (ourAmounts.netPence === chargedAmounts.netPence && ourAmounts.vatPence === chargedAmounts.vatPence) return;
  const formatAmounts = (amount: { netPence: Pence; vatPence: Pence }) =>
    `${formatPounds(amount.netPence)} and ${formatPounds(amount.vatPence)} VAT`;
  throw new RangeError(`our invoice is ${formatAmounts(ourAmounts)}, but ${formatAmounts(chargedAmounts)} was charged`);
}
