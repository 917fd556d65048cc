/** How prices and tiers are written. */
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { PriceTier } from '@portal/domain/pricing/price-list.ts';

/** "£64", "£1.20": the pence only where there are some. */
export function formatPrice(amount: Pence): string {
  return formatPounds(amount).replace(/\.00$/, '');
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-GB');
}

/** "1 connection", "1,200 connections". */
export function formatConnections(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'connection' : 'connections'}`;
}

/** "11 to 50", "251 or more". */
export function formatTierRange({ from, to }: Pick<PriceTier, 'from' | 'to'>): string {
  if (to === null) return `${formatCount(from)} or more`;
  return from === 0 ? `Up to ${formatCount(to)}` : `${formatCount(from)} to ${formatCount(to)}`;
}
