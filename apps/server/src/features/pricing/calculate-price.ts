/** Calculates the price of a practice's connections. Read-only: a subscription uses up a promotion code, a preview never does. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { pricingApi } from '@portal/contract/pricing.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { promotionCodes, promotionRedemptions } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PeriodChange } from '@portal/domain/pricing/proration.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { calculatePricing, VAT_RATE_BPS, type PricedProration, type Pricing } from '@portal/domain/pricing/calculate-pricing.ts';
import { addMonthsInUtc } from '@portal/domain/pricing/renewal.ts';
import { getTier, type PriceList, type PriceTier } from '@portal/domain/pricing/price-list.ts';
import {
  findPromotionRefusal,
  getDiscount,
  toPromotionCode,
  type Promotion,
  type PromotionRefusal,
} from '@portal/domain/pricing/promotion.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { SubscriptionRow } from '../billing/billing-records.ts';
import { findTierDiscount } from '../billing/tier-discount.ts';
import type { GetPracticePrices } from './practice-prices.ts';

type Calculation = EndpointOutput<typeof pricingApi.calculate>;

export async function calculatePrice(
  { database: { db }, clock }: AppDeps,
  getPrices: GetPracticePrices,
  { tenant, input }: Call<typeof pricingApi.calculate>,
): Promise<Calculation> {
  const today = clock.today();
  const { list, partner, connections: selectedConnections, subscription } = await getPrices(tenant.practiceId);
  const connections = input.no_selected_connections ?? selectedConnections;
  const tier = getChosenTier(list, connections, input.tier_name);
  const code = toPromotionCode(input.promotion_code ?? '');
  const use = { companyId: tenant.practiceId, partner, tierName: tier.name, today };
  const promotion = code === '' ? null : getDiscount(await getUsablePromotion(db, code, use));
  const now = clock.now();
  const change = subscription && toPeriodChange(subscription, connections, now);
  // A subscription renews when Stripe says; a new one would begin now.
  const renewsAt = subscription?.periodEnd ?? addMonthsInUtc(now, 1);
  const pricingInput = { list, connections, today, subscribedOn: subscription?.subscribedOn ?? today, renewsAt };
  const current = subscription && (await findTierDiscount(db, subscription, { list, connections, at: now }));
  const pricing = calculatePricing({ ...pricingInput, change, discount: promotion?.discount ?? current?.discount ?? null });
  return {
    version: list.version,
    tier_name: tier.name,
    no_selected_connections: connections,
    ...toWirePricing(pricing),
    change: toWireChange(pricing.proration),
    ends_promotion_code: current?.endedCode ?? null,
    promotion: promotion && {
      promotion_code: code,
      months: promotion.months,
      then_total_pence: calculatePricing({ ...pricingInput, change: null, discount: null }).totalPence,
    },
  };
}

/** Returns null if nothing changes, or the provider hasn't confirmed the subscription yet. */
function toPeriodChange(subscription: SubscriptionRow, connections: number, at: Instant): PeriodChange | null {
  const { periodStart, periodEnd, netPence } = subscription;
  if (connections === subscription.connections || periodStart === null || periodEnd === null || at < periodStart || at > periodEnd)
    return null;
  return { periodStart, periodEnd, at, chargedPence: netPence };
}

function toWireChange(change: PricedProration | null) {
  if (!change) return null;
  const { creditPence, chargePence, netPence, vatPence, totalPence } = change;
  return { credit_pence: creditPence, charge_pence: chargePence, net_pence: netPence, vat_pence: vatPence, total_pence: totalPence };
}

function toWirePricing(pricing: Pricing) {
  const { basePence, connectionsPence, chargedConnections, discountPence, netPence, vatPence, totalPence, renewsOn } = pricing;
  const discount = discountPence === 0 ? [] : [{ kind: 'discount' as const, quantity: null, amount_pence: discountPence }];
  return {
    lines: [
      { kind: 'base' as const, quantity: null, amount_pence: basePence },
      { kind: 'connections' as const, quantity: chargedConnections, amount_pence: connectionsPence },
      ...discount,
      { kind: 'vat' as const, quantity: null, amount_pence: vatPence },
    ],
    net_pence: netPence,
    vat_rate_bps: VAT_RATE_BPS,
    vat_pence: vatPence,
    total_pence: totalPence,
    renews_on: renewsOn,
  };
}

/** The number of connections determines the tier, as at Stripe. Throws if the caller specifies a different tier. */
function getChosenTier(list: PriceList, connections: number, name: string | undefined): PriceTier {
  const tier = getTier(list, connections);
  const searchedName = name?.trim().toLowerCase() ?? '';
  if (searchedName === '' || searchedName === tier.name.toLowerCase()) return tier;
  const namedTier = list.tiers.find((tier) => tier.name.toLowerCase() === searchedName);
  const names = list.tiers.map((tier) => tier.name).join(', ');
  if (!namedTier) throw createInvalidFieldError('tier_name', `Choose one of these tiers: ${names}`);
  const range = namedTier.to === null ? `${namedTier.from} connections or more` : `${namedTier.from} to ${namedTier.to} connections`;
  throw createInvalidFieldError('tier_name', `${namedTier.name} is for ${range}. For ${connections} connections, choose ${tier.name}`);
}

/** The practice that wants to use a code, and its circumstances. */
export type CodeUse = { readonly companyId: string; readonly partner: string; readonly tierName: string; readonly today: PlainDate };

/** Returns the code's terms. Throws an error with the reason if the practice can't use it. */
export async function getUsablePromotion(db: Db | Tx, code: string, { companyId, ...use }: CodeUse): Promise<Promotion> {
  const usesByPractice = sql`(select count(*) from ${promotionRedemptions} r where r.company_id = ${companyId} and r.code = ${code})`;
  const [foundCode] = await db
    .select({ promotion: promotionCodes, usesByPractice: usesByPractice.mapWith(Number) })
    .from(promotionCodes)
    .where(eq(promotionCodes.code, code));
  const refusal = findPromotionRefusal(foundCode?.promotion, { ...use, usesByPractice: foundCode?.usesByPractice ?? 0 });
  if (refusal !== null || !foundCode) throw createPromotionError(refusal ?? 'unknown');
  return foundCode.promotion;
}

const REFUSAL_MESSAGES: Readonly<Record<PromotionRefusal, string>> = {
  unknown: 'We don’t recognise this promotion code. Check it, or continue without a code.',
  not_started: 'This promotion code can’t be used yet. Try again on its first day, or continue without a code.',
  expired: 'This promotion code has expired. Use another one, or continue without a code.',
  already_used: 'Your practice has already used this promotion code. Use another one, or continue without a code.',
  used_up: 'This promotion code has reached its limit of uses. Use another one, or continue without a code.',
  wrong_tier: 'This promotion code isn’t for your tier. Use another one, or continue without a code.',
};

export function createPromotionError(refusal: PromotionRefusal): AppError {
  return new AppError('impossible', `promotion.${refusal}`, REFUSAL_MESSAGES[refusal], { field: 'promotion_code' });
}
