/** OpenTax's price lists: the prices of a practice's connections (docs/decisions/0055-pricing.md). */
import type { Pence } from '../money.ts';
import { addDays, type PlainDate } from '../plain-date.ts';

/** `volume`: every connection at the price of the tier reached. `graduated`: each connection at its own tier's price. */
export const TIER_MODES = ['volume', 'graduated'] as const;
export type TierMode = (typeof TIER_MODES)[number];

/** One tier; prices per month, excluding VAT. */
export type PriceTier = {
  readonly name: string;
  /** The first and last number of connections in the tier; `to` is null for the last tier. */
  readonly from: number;
  readonly to: number | null;
  readonly basePence: Pence;
  /** The price of each connection in the tier beyond the included ones. */
  readonly unitPence: Pence;
  /** The connections that the base price covers. */
  readonly included: number;
};

/** A published version of all tiers. It never changes. */
export type PriceList = {
  readonly version: number;
  readonly mode: TierMode;
  readonly publishedOn: PlainDate;
  /** The first day it applies to new customers. */
  readonly effectiveFrom: PlainDate;
  /** The first day it applies to customers who subscribed to an earlier list; null if they keep their prices. */
  readonly existingFrom: PlainDate | null;
  /** Ordered by number of connections. */
  readonly tiers: readonly PriceTier[];
};

/** Days of notice that a practice gets before it moves to another price list. */
export const NOTICE_DAYS = 60;

/** The maximum number of connections that a price can be requested for. */
export const MAX_PRICED_CONNECTIONS = 100_000;

/** Prices are multiples of this, so that 20% VAT on each is a whole number of pence. */
export const PRICE_STEP_PENCE = 5;

/**
 * Returns the list that applies today: for a new customer (`subscribedOn` null), the newest in effect; for others, the one they subscribed
 * to, until the day a later one starts to apply to existing customers. Undefined if none is in effect.
 */
export function findPriceList(lists: readonly PriceList[], today: PlainDate, subscribedOn: PlainDate | null): PriceList | undefined {
  const listsByVersion = lists.toSorted((a, b) => a.version - b.version);
  if (subscribedOn === null) return listsByVersion.findLast(({ effectiveFrom }) => effectiveFrom <= today);
  const chosenList = listsByVersion.findLast(({ effectiveFrom }) => effectiveFrom <= subscribedOn);
  const movedList = listsByVersion.findLast(
    ({ version, existingFrom }) => version > (chosenList?.version ?? 0) && existingFrom !== null && existingFrom <= today,
  );
  return movedList ?? chosenList;
}

/** Returns the tier for this many connections. Throws a RangeError if the list doesn't have one, which is a bug. */
export function getTier({ tiers }: Pick<PriceList, 'tiers'>, connections: number): PriceTier {
  const tier = tiers.find(({ from, to }) => connections >= from && (to === null || connections <= to));
  if (!tier) throw new RangeError(`no tier covers ${connections} connections`);
  return tier;
}

/** Returns sentences explaining why a list can't be published; empty if it can. */
export function validatePriceList(list: PriceList): string[] {
  const { tiers, publishedOn, effectiveFrom, existingFrom } = list;
  const [first] = tiers;
  if (!first) return ['Add a tier.'];
  const problems = tiers.flatMap((tier, index) => validateTier(tier, tiers[index + 1], list.mode));
  if (first.from !== 0 || first.basePence !== 0 || first.unitPence !== 0)
    problems.push(`${first.name}: the first tier must start at 0 and be free.`);
  if (new Set(tiers.map(({ name }) => name.toLowerCase())).size < tiers.length) problems.push('Give each tier its own name.');
  if (effectiveFrom < publishedOn) problems.push('A price list can’t take effect before it’s published.');
  if (existingFrom !== null && existingFrom < addDays(publishedOn, NOTICE_DAYS))
    problems.push(`Give existing customers at least ${NOTICE_DAYS} days’ notice.`);
  return problems;
}

function validateTier(tier: PriceTier, next: PriceTier | undefined, mode: TierMode): string[] {
  const { name, from, to, basePence, unitPence, included } = tier;
  const problems: string[] = [];
  const numbers = [from, to ?? from, basePence, unitPence, included];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) problems.push(`${name}: use whole numbers, 0 or more.`);
  if (basePence % PRICE_STEP_PENCE !== 0 || unitPence % PRICE_STEP_PENCE !== 0)
    problems.push(`${name}: prices must be multiples of ${PRICE_STEP_PENCE}p.`);
  if (to !== null && to < from) problems.push(`${name}: the tier ends before it starts.`);
  if (next === undefined ? to !== null : to === null || next.from !== to + 1)
    problems.push(next ? `${name}: ${next.name} must start right after it.` : `${name}: the last tier must have no upper limit.`);
  // A volume tier's flat_amount at Stripe is the base less the price of the included connections, and can't be negative.
  if (mode === 'volume' && unitPence > 0 && (included > from || included * unitPence > basePence))
    problems.push(`${name}: the base price is less than the price of its ${included} included connections.`);
  return problems;
}
