/** Promotion codes: who may use one, and what it takes off (docs/decisions/0055-pricing.md). */
import { pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { Discount } from './calculate-pricing.ts';

export const PROMOTION_KINDS = ['percent', 'pence', 'free_months'] as const;
export type PromotionKind = (typeof PROMOTION_KINDS)[number];

export type Promotion = {
  readonly kind: PromotionKind;
  /** Percent (1 to 100), pence, or months, by the kind. */
  readonly value: number;
  /** Months for which a percentage or an amount applies; null for as long as the practice subscribes. */
  readonly months: number | null;
  /** Empty for all. */
  readonly tiers: readonly string[];
  /** Partners whose practices may use it, by name; empty for everyone. */
  readonly partners: readonly string[];
  /** The first and last day on which it can be used. */
  readonly startsOn: PlainDate;
  readonly endsOn: PlainDate | null;
  readonly maxUses: number | null;
  readonly maxUsesPerPractice: number;
  readonly uses: number;
};

/** Why a code can't be used. */
export const PROMOTION_REFUSALS = ['unknown', 'not_started', 'expired', 'already_used', 'used_up', 'wrong_tier'] as const;
export type PromotionRefusal = (typeof PROMOTION_REFUSALS)[number];

/** The practice that wants to use the code. */
export type PromotionUse = {
  readonly tierName: string;
  readonly partner: string;
  readonly today: PlainDate;
  /** How often the practice has used it. */
  readonly usesByPractice: number;
};

/** Why the practice can't use the code; null if it can. A code for other partners' practices counts as unknown. */
export function findPromotionRefusal(promotion: Promotion | undefined, use: PromotionUse): PromotionRefusal | null {
  if (!promotion || !isFor(promotion.partners, use.partner)) return 'unknown';
  if (use.today < promotion.startsOn) return 'not_started';
  if (promotion.endsOn !== null && use.today > promotion.endsOn) return 'expired';
  if (use.usesByPractice >= promotion.maxUsesPerPractice) return 'already_used';
  if (promotion.maxUses !== null && promotion.uses >= promotion.maxUses) return 'used_up';
  return isFor(promotion.tiers, use.tierName) ? null : 'wrong_tier';
}

/** What the code takes off each month, and for how many months; null for as long as the practice subscribes. */
export function getDiscount({ kind, value, months }: Promotion): { discount: Discount; months: number | null } {
  if (kind === 'free_months') return { discount: { kind: 'percent', percent: 100 }, months: value };
  return { discount: kind === 'percent' ? { kind, percent: value } : { kind, pence: pence(value) }, months };
}

/** Codes are compared without capitals and spaces around them, as at Stripe. */
export function toPromotionCode(text: string): string {
  return text.trim().toUpperCase();
}

function isFor(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name);
}
