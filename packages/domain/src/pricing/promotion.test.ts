import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { findPromotionRefusal, getDiscount, toPromotionCode, type Promotion, type PromotionUse } from './promotion.ts';

const SPRING_PROMOTION: Promotion = {
  kind: 'percent',
  value: 25,
  months: 3,
  tiers: ['Starter', 'Practice'],
  partners: [],
  startsOn: plainDate('2027-03-01'),
  endsOn: plainDate('2027-03-31'),
  maxUses: 5,
  maxUsesPerPractice: 1,
  uses: 4,
};
const PROMOTION_USE: PromotionUse = { tierName: 'Starter', partner: 'organic', today: plainDate('2027-03-10'), usesByPractice: 0 };

describe('a promotion code', () => {
  it.each<[string, Partial<Promotion> | null, Partial<PromotionUse>, ReturnType<typeof findPromotionRefusal>]>([
    ['can be used', {}, {}, null],
    ['can be used on its first day', {}, { today: plainDate('2027-03-01') }, null],
    ['can be used on its last day', {}, { today: plainDate('2027-03-31') }, null],
    ['has no end without a last day', { endsOn: null }, { today: plainDate('2099-01-01') }, null],
    ['has no limit without a total of uses', { maxUses: null, uses: 1_000 }, {}, null],
    ['is for every tier without a list of tiers', { tiers: [] }, { tierName: 'Firm' }, null],
    ['is for its partner’s practices', { partners: ['nomi'] }, { partner: 'nomi' }, null],
    ['is unknown if it doesn’t exist', null, {}, 'unknown'],
    ['is unknown to practices of others than its partner', { partners: ['nomi'] }, { partner: 'freeagent' }, 'unknown'],
    ['hasn’t started', {}, { today: plainDate('2027-02-28') }, 'not_started'],
    ['has expired', {}, { today: plainDate('2027-04-01') }, 'expired'],
    ['is used up', { uses: 5 }, {}, 'used_up'],
    ['was used by the practice', {}, { usesByPractice: 1 }, 'already_used'],
    ['was used by the practice, even if others have used it up', { uses: 5 }, { usesByPractice: 1 }, 'already_used'],
    ['can be used twice if it allows that', { maxUsesPerPractice: 2 }, { usesByPractice: 1 }, null],
    ['is for another tier', {}, { tierName: 'Firm' }, 'wrong_tier'],
  ])('%s', (_case, promotion, use, refusal) => {
    expect(findPromotionRefusal(promotion === null ? undefined : { ...SPRING_PROMOTION, ...promotion }, { ...PROMOTION_USE, ...use })).toBe(
      refusal,
    );
  });

  it('deducts a percentage or an amount, or makes some months free', () => {
    expect(getDiscount(SPRING_PROMOTION)).toEqual({ discount: { kind: 'percent', percent: 25 }, months: 3 });
    expect(getDiscount({ ...SPRING_PROMOTION, kind: 'pence', value: 500, months: null })).toEqual({
      discount: { kind: 'pence', pence: 500 },
      months: null,
    });
    expect(getDiscount({ ...SPRING_PROMOTION, kind: 'free_months', value: 2, months: null })).toEqual({
      discount: { kind: 'percent', percent: 100 },
      months: 2,
    });
  });

  it('is compared without capitals and spaces around it', () => {
    expect(toPromotionCode(' spring-27 ')).toBe('SPRING-27');
  });
});
