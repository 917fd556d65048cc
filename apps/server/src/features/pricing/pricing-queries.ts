/** Queries for price lists and a practice's selected connections. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { pricingApi } from '@portal/contract/pricing.ts';
import { VAT_RATE_BPS } from '@portal/domain/pricing/calculate-pricing.ts';
import { findPriceList, getTier } from '@portal/domain/pricing/price-list.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { listPriceLists, type GetPracticePrices } from './practice-prices.ts';
import { toWireTier } from './to-wire-tier.ts';

/** Returns the tiers for new customers, which are public. */
export async function getTiers({ database, clock }: AppDeps): Promise<EndpointOutput<typeof pricingApi.tiers>> {
  const list = findPriceList(await listPriceLists(database.db), clock.today(), null);
  return {
    version: list?.version ?? null,
    mode: list?.mode ?? 'volume',
    vat_rate_bps: VAT_RATE_BPS,
    tiers: (list?.tiers ?? []).map(toWireTier),
  };
}

export async function getCurrentTier(
  getPrices: GetPracticePrices,
  { tenant, input }: Call<typeof pricingApi.currentTier>,
): Promise<EndpointOutput<typeof pricingApi.currentTier>> {
  const { list, connections: selectedConnections } = await getPrices(tenant.practiceId);
  const connections = input.no_selected_connections ?? selectedConnections;
  const tier = getTier(list, connections);
  const next = list.tiers[list.tiers.indexOf(tier) + 1];
  return {
    version: list.version,
    no_selected_connections: connections,
    tier: toWireTier(tier),
    next_tier: next ? toWireTier(next) : null,
  };
}
