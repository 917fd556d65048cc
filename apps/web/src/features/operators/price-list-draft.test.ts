import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { expect, it } from 'vitest';
import { isSameDraft, parseDraftTexts, toDraftTexts } from './price-list-draft.ts';

const DRAFT = {
  mode: 'volume' as const,
  effective_from: plainDate('2027-01-01'),
  tiers: [
    { name: 'Free', from: 0, to: 10, base_pence: pence(0), unit_price_pence: pence(0), included: 10 },
    { name: 'Practice', from: 11, to: null, base_pence: pence(1_550), unit_price_pence: pence(120), included: 10 },
  ],
};

it('a draft is read back as it was written, and each tier can begin after the one before', () => {
  const texts = toDraftTexts(DRAFT);
  expect(parseDraftTexts(texts)).toEqual({ draft: DRAFT });
  const widerTier = { ...texts, tiers: texts.tiers.map((tier, index) => (index === 0 ? { ...tier, to: '1,000' } : tier)) };
  expect(parseDraftTexts(widerTier)).toMatchObject({ draft: { tiers: [{ to: 1_000 }, { from: 1_001 }] } });
});

it('an invalid draft names the tier and says what to enter', () => {
  const texts = toDraftTexts(DRAFT);
  const [first] = texts.tiers;
  expect(parseDraftTexts({ ...texts, tiers: first ? [{ ...first, base: 'lots' }] : [] })).toEqual({
    problems: ['Free: enter the base price in pounds, for example 15.00.'],
  });
});

it('a draft can be saved when it means what is stored, even if a tier that had an end became the last one', () => {
  const texts = toDraftTexts(DRAFT);
  const fewerTiers = { ...texts, tiers: texts.tiers.slice(0, 1) };
  const storedTiers = parseDraftTexts(fewerTiers);
  expect('draft' in storedTiers && isSameDraft(toDraftTexts(storedTiers.draft), fewerTiers)).toBe(true);
  expect(isSameDraft(texts, fewerTiers)).toBe(false);
});
