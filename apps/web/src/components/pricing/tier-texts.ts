/** Formats prices and tiers. */
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import type { PriceTier } from '@portal/domain/pricing/price-list.ts';
import type { PromotionKind } from '@portal/domain/pricing/promotion.ts';

/** Formats a price as "£64" or "£1.20". Pence are only shown if they aren't zero. */
export function formatPrice(amount: Pence): string {
  return formatPounds(amount).replace(/\.00$/, '');
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-GB');
}

/** "11 to 50", "251 or more". */
export function formatTierRange({ from, to }: Pick<PriceTier, 'from' | 'to'>): string {
  if (to === null) return `${formatCount(from)} or more`;
  return from === 0 ? `Up to ${formatCount(to)}` : `${formatCount(from)} to ${formatCount(to)}`;
}

type DiscountTerms = { readonly kind: PromotionKind; readonly value: number; readonly months: number | null };

/** Returns for example "25% off for 3 months", "£5 off a month" or "2 free months". */
export function formatDiscount({ kind, value, months }: DiscountTerms): string {
  if (kind === 'free_months') return `${value} free ${value === 1 ? 'month' : 'months'}`;
  const discountText = kind === 'percent' ? `${value}% off` : `${formatPrice(pence(value))} off a month`;
  return months === null ? discountText : `${discountText} for ${months} ${months === 1 ? 'month' : 'months'}`;
}
