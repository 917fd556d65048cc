/** The text fields of the draft's form, and how to parse them. */
import type { EndpointInput } from '@portal/contract/endpoint.ts';
import type { operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import { parsePounds, pence, toPoundsText } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { TierMode } from '@portal/domain/pricing/price-list.ts';

type Draft = EndpointInput<typeof operatorPricingApi.saveDraft>;

export type TierTexts = {
  readonly key: number;
  readonly name: string;
  /** Empty for the last tier. */
  readonly to: string;
  readonly base: string;
  readonly unit: string;
  readonly included: string;
};
export type DraftTexts = {
  readonly mode: TierMode;
  readonly effectiveFrom: string;
  readonly tiers: readonly TierTexts[];
};

export function toDraftTexts({ mode, effective_from, tiers }: Draft): DraftTexts {
  return {
    mode,
    effectiveFrom: effective_from,
    tiers: tiers.map(({ name, to, base_pence, unit_price_pence, included }, key) => ({
      key,
      name,
      to: to === null ? '' : String(to),
      base: toPoundsText(pence(base_pence)),
      unit: toPoundsText(pence(unit_price_pence)),
      included: String(included),
    })),
  };
}

/** Parses the draft, or returns sentences about invalid fields. Each tier starts where the previous one ends. */
export function parseDraftTexts({ mode, effectiveFrom, tiers }: DraftTexts): { draft: Draft } | { problems: string[] } {
  const problems: string[] = [];
  const from = parsePlainDate(effectiveFrom);
  if (from === undefined) problems.push('Enter the first day for new customers.');
  let next = 0;
  const parsedTiers = tiers.map((tier, index) => {
    const name = tier.name.trim();
    const called = name === '' ? `Tier ${index + 1}` : name;
    if (name === '') problems.push(`${called}: enter the tier’s name.`);
    const isLast = index === tiers.length - 1;
    const to = isLast ? null : parseCount(tier.to);
    const [base, unit, included] = [parsePounds(tier.base), parsePounds(tier.unit), parseCount(tier.included)];
    if (to === undefined) problems.push(`${called}: enter the upper limit of connections.`);
    if (base === undefined) problems.push(`${called}: enter the base price in pounds, for example 15.00.`);
    if (unit === undefined) problems.push(`${called}: enter the price of each extra connection in pounds, for example 1.20.`);
    if (included === undefined) problems.push(`${called}: enter the number of included connections.`);
    const firstConnection = next;
    next = (to ?? firstConnection) + 1;
    return { name, from: firstConnection, to: to ?? null, base_pence: base, unit_price_pence: unit, included: included ?? 0 };
  });
  if (problems.length > 0 || from === undefined) return { problems };
  return { draft: { mode, effective_from: from, tiers: parsedTiers as Draft['tiers'] } };
}

/** Returns whether two forms describe the same draft. 15 and 15.00 are equal, and the end of the last tier is ignored. */
export function isSameDraft(item: DraftTexts, other: DraftTexts): boolean {
  const [first, second] = [parseDraftTexts(item), parseDraftTexts(other)];
  return 'draft' in first && 'draft' in second && JSON.stringify(first.draft) === JSON.stringify(second.draft);
}

function parseCount(text: string): number | undefined {
  const digits = text.trim().replaceAll(',', '');
  return /^\d{1,7}$/.test(digits) ? Number(digits) : undefined;
}
