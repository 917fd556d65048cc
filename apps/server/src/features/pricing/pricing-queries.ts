/** Price lists, and what a practice selected. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { pricingApi } from '@portal/contract/pricing.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, connectionCountChanges, priceLists, priceTiers } from '@portal/db/schema/schema.ts';
import { asc, eq, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { VAT_RATE_BPS } from '@portal/domain/pricing/calculate-pricing.ts';
import { findPriceList, findTier, type PriceList, type PriceTier } from '@portal/domain/pricing/price-list.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';

/** The tiers that a new customer gets, for everyone. */
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
  deps: AppDeps,
  { tenant, input }: Call<typeof pricingApi.currentTier>,
): Promise<EndpointOutput<typeof pricingApi.currentTier>> {
  const list = await getPriceList(deps);
  const connections = input.no_selected_connections ?? (await getPracticeFacts(deps.database.db, tenant.practiceId)).connections;
  const tier = findTier(list, connections);
  const next = list.tiers[list.tiers.indexOf(tier) + 1];
  return {
    version: list.version,
    no_selected_connections: connections,
    tier: toWireTier(tier),
    next_tier: next ? toWireTier(next) : null,
  };
}

/** The list that a practice pays by. No practice has subscribed yet, so it is the one for new customers. */
export async function getPriceList({ database, clock }: AppDeps): Promise<PriceList> {
  const list = findPriceList(await listPriceLists(database.db), clock.today(), null);
  if (!list) throw new AppError('conflict', 'pricing.not_published', 'We haven’t published our prices yet. Contact us for a price.');
  return list;
}

async function listPriceLists(db: Db): Promise<PriceList[]> {
  const rows = await db
    .select({ list: priceLists, tier: priceTiers })
    .from(priceLists)
    .innerJoin(priceTiers, eq(priceTiers.version, priceLists.version))
    .orderBy(asc(priceLists.version), asc(priceTiers.fromConnections));
  const lists = new Map<number, PriceList & { tiers: PriceTier[] }>();
  for (const { list, tier } of rows) {
    const found = lists.get(list.version) ?? { ...list, tiers: [] };
    const { name, fromConnections: from, toConnections: to, basePence, unitPence, included } = tier;
    found.tiers.push({ name, from, to, basePence, unitPence, included });
    lists.set(list.version, found);
  }
  return [...lists.values()];
}

/** The practice's referring partner and the number of its selected, linked connections: a sum of a few rows (decision 55). */
export async function getPracticeFacts(db: Db | Tx, companyId: string): Promise<{ partner: string; connections: number }> {
  const counted = sql`(select coalesce(sum(c.connections), 0) from ${connectionCountChanges} c where c.company_id = ${companyId})`;
  const [facts] = await db
    .select({ partner: companies.partner, connections: counted.mapWith(Number) })
    .from(companies)
    .where(eq(companies.id, companyId));
  if (!facts) throw new RangeError(`no company ${companyId}`);
  return facts;
}

function toWireTier({ name, from, to, basePence, unitPence, included }: PriceTier) {
  return { name, from, to, base_pence: basePence, unit_price_pence: unitPence, included };
}
