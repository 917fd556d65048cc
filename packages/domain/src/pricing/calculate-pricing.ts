/** The only calculation of a practice's price, for previews and all future invoices (docs/decisions/0055-pricing.md). */
import { toLondonDate, type Instant } from '../clock.ts';
import { applyRate, pence, ZERO, type Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import { getTier, type PriceList, type PriceTier } from './price-list.ts';
import { prorate, type PeriodChange } from './proration.ts';
import { getNextRenewal } from './renewal.ts';

/** The standard rate of VAT since 4 January 2011, in basis points (Value Added Tax Act 1994 section 2(1)). */
export const VAT_RATE_BPS = 2_000;

/** A promotion code's discount on a month's price. `percent` is a whole number from 1 to 100; a free month is `percent` 100. */
export type Discount = { readonly kind: 'percent'; readonly percent: number } | { readonly kind: 'pence'; readonly pence: Pence };

export type PricingInput = {
  readonly list: Pick<PriceList, 'mode' | 'tiers'>;
  readonly connections: number;
  readonly discount: Discount | null;
  readonly today: PlainDate;
  /** The first day of the subscription; today for a new one. */
  readonly subscribedOn: PlainDate;
  /** The provider's next renewal, if it is known; otherwise it is counted in days. */
  readonly renewsAt?: Instant;
  /** A change within a period that has already been charged; null for a new subscription or a renewal. */
  readonly change: PeriodChange | null;
};

/** An amount excluding and including VAT. */
export type TaxedAmount = { readonly netPence: Pence; readonly vatPence: Pence; readonly totalPence: Pence };

/** The cost of a change made now: a credit (negative) for the unused time at the old price, and a charge at the new one. */
export type PricedProration = TaxedAmount & { readonly creditPence: Pence; readonly chargePence: Pence };

/** A month's price. The discount is negative or zero; net = base + connections + discount. */
export type Pricing = TaxedAmount & {
  readonly tier: PriceTier;
  readonly basePence: Pence;
  readonly connectionsPence: Pence;
  /** Charged connections: those not included in the base price. */
  readonly chargedConnections: number;
  readonly discountPence: Pence;
  readonly renewsOn: PlainDate;
  readonly proration: PricedProration | null;
};

/** Prices a month with this many connections. Throws a RangeError if it isn't a whole number of zero or more, which is a bug. */
export function calculatePricing({ list, connections, discount, today, subscribedOn, renewsAt, change }: PricingInput): Pricing {
  if (!Number.isSafeInteger(connections) || connections < 0) throw new RangeError(`not a number of connections: ${connections}`);
  const tier = getTier(list, connections);
  const parts = listChargedTiers(list, tier, connections);
  const basePence = sum(parts.map(({ tier: { basePence: base } }) => base));
  const connectionsPence = sum(parts.map(({ tier: { unitPence }, charged }) => unitPence * charged));
  const discountPence = calculateDiscount(pence(basePence + connectionsPence), discount);
  const net = pence(basePence + connectionsPence + discountPence);
  return {
    tier,
    basePence,
    connectionsPence,
    chargedConnections: parts.reduce((count, { charged }) => count + charged, 0),
    discountPence,
    ...addVat(net),
    renewsOn: renewsAt === undefined ? getNextRenewal(subscribedOn, today) : toLondonDate(renewsAt),
    proration: change && priceChange(change, net),
  };
}

type ChargedTier = { readonly tier: PriceTier; readonly charged: number };

/**
 * Volume pricing charges all connections at the tier reached; graduated pricing charges each tier's part at that tier (docs.stripe.com, Set
 * up tiered pricing).
 */
function listChargedTiers({ mode, tiers }: PricingInput['list'], reachedTier: PriceTier, connections: number): ChargedTier[] {
  if (mode === 'volume') return [{ tier: reachedTier, charged: Math.max(0, connections - reachedTier.included) }];
  return tiers.slice(0, tiers.indexOf(reachedTier) + 1).map((tier, index) => {
    const lowerTierEnd = index === 0 ? 0 : (tiers[index - 1]?.to ?? 0);
    const connectionsInTier = Math.min(connections, tier.to ?? connections) - lowerTierEnd;
    return { tier, charged: Math.max(0, connectionsInTier - tier.included) };
  });
}

/** Returns zero or a negative amount, never more than the price. A percentage is rounded once, on the sum of the lines. */
function calculateDiscount(price: Pence, discount: Discount | null): Pence {
  if (discount === null) return ZERO;
  if (discount.kind === 'pence') return pence(-Math.min(price, discount.pence));
  return pence(-applyRate(price, discount.percent * 100, 'half-away'));
}

/** Adds VAT, rounded once on the net amount. HMRC's rule for invoices: VAT Notice 700 paragraph 17.5. */
function addVat(netPence: Pence): TaxedAmount {
  const vatPence = applyRate(netPence, VAT_RATE_BPS, 'half-away');
  return { netPence, vatPence, totalPence: pence(netPence + vatPence) };
}

/**
 * Returns the cost of a change for the rest of a period that has been charged. `newNetPence`: the new month's price, after its discount and
 * excluding VAT.
 */
export function priceChange(change: PeriodChange, newNetPence: Pence): PricedProration {
  const { creditPence, chargePence } = prorate(change, newNetPence);
  return { creditPence, chargePence, ...addVat(pence(creditPence + chargePence)) };
}

function sum(amounts: readonly number[]): Pence {
  return pence(amounts.reduce((total, amount) => total + amount, 0));
}
