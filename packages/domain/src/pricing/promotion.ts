/** Promotion codes: who may use them, and their discounts (docs/decisions/0055-pricing.md). */
import { pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { Discount } from './calculate-pricing.ts';

export const PROMOTION_KINDS = ['percent', 'pence', 'free_months'] as const;
export type PromotionKind = (typeof PROMOTION_KINDS)[number];

export type Promotion = {
  readonly kind: PromotionKind;
  /** A percentage (1 to 100), pence or months, depending on the kind. */
  readonly value: number;
  /** The number of months for which a percentage or amount applies; null for as long as the practice subscribes. */
  readonly months: number | null;
  /** The tiers it applies to; empty for all. */
  readonly tiers: readonly string[];
  /** Names of the partners whose practices may use it; empty for all practices. */
  readonly partners: readonly string[];
  /** The first and last days on which it can be used. */
  readonly startsOn: PlainDate;
  readonly endsOn: PlainDate | null;
  readonly maxUses: number | null;
  readonly maxUsesPerPractice: number;
  readonly uses: number;
};

/** The reasons why a code can't be used. */
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

/** Returns why the practice can't use the code; null if it can. A code for other partners' practices counts as unknown. */
export function findPromotionRefusal(promotion: Promotion | undefined, use: PromotionUse): PromotionRefusal | null {
  if (!promotion || !isAllowedName(promotion.partners, use.partner)) return 'unknown';
  if (use.today < promotion.startsOn) return 'not_started';
  if (promotion.endsOn !== null && use.today > promotion.endsOn) return 'expired';
  if (use.usesByPractice >= promotion.maxUsesPerPractice) return 'already_used';
  if (promotion.maxUses !== null && promotion.uses >= promotion.maxUses) return 'used_up';
  return isForTier(promotion, use.tierName) ? null : 'wrong_tier';
}

/** Returns true if the code may be used in this tier. */
export function isForTier({ tiers }: Pick<Promotion, 'tiers'>, tierName: string): boolean {
  return isAllowedName(tiers, tierName);
}

/** Returns why a code can't be created, by field in the contract. */
export function validatePromotion({ kind, value, months, startsOn, endsOn, maxUses, maxUsesPerPractice }: Promotion): readonly {
  readonly field: 'value' | 'months' | 'ends_on' | 'max_uses_per_practice';
  readonly message: string;
}[] {
  return [
    ...(kind === 'percent' && value > 100 ? [{ field: 'value', message: 'Enter a percentage from 1 to 100' } as const] : []),
    ...(kind === 'free_months' && value > 24 ? [{ field: 'value', message: 'Give at most 24 free months' } as const] : []),
    ...(kind === 'free_months' && months !== null
      ? [{ field: 'months', message: 'Leave this blank: the free months end automatically' } as const]
      : []),
    ...(endsOn !== null && endsOn < startsOn ? [{ field: 'ends_on', message: 'Enter a last day on or after the first day' } as const] : []),
    ...(maxUses !== null && maxUsesPerPractice > maxUses
      ? [{ field: 'max_uses_per_practice', message: 'Enter no more than the total number of uses' } as const]
      : []),
  ];
}

/** Returns the code's monthly discount and its number of months; null for as long as the practice subscribes. */
export function getDiscount({ kind, value, months }: Promotion): { discount: Discount; months: number | null } {
  if (kind === 'free_months') return { discount: { kind: 'percent', percent: 100 }, months: value };
  return { discount: kind === 'percent' ? { kind, percent: value } : { kind, pence: pence(value) }, months };
}

/** Normalises a code for comparison: upper case, as Stripe ignores case, without surrounding spaces. */
export function toPromotionCode(text: string): string {
  return text.trim().toUpperCase();
}

function isAllowedName(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name);
}
